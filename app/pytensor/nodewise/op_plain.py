"""Ops whose parameters are attributes of the op: (area, class) to the file's name and those attributes."""

PLAIN: dict[tuple[str, str], tuple[str, tuple[str, ...]]] = {}


def _add(area: str, table: str, prefix: str = "") -> None:
    """Adds rows from lines of `Class`, `Class=Name`, either followed by `.attribute`s."""
    for word in table.split():
        names, *attributes = word.split(".")
        cls, _, name = names.partition("=")
        PLAIN[area, cls] = (name or (cls if cls.startswith(prefix) else prefix + cls), tuple(attributes))


# Shapes, creation, sorting and searching.
_add(
    "tensor",
    """
    Shape Shape_i.i SpecifyShape Reshape.ndim JoinDims.start_axis.n_axes SplitDims.axis Alloc AllocEmpty.dtype
    MakeVector.dtype ARange.dtype Eye.dtype ExtractDiag.offset.axis1.axis2.view FillDiagonal
    FillDiagonalOffset Nonzero TensorFromScalar ScalarFromTensor CpuContiguous SortOp.kind ArgSortOp.kind
    SearchsortedOp.side UnravelIndex.order
    RavelMultiIndex.mode.order PermuteRowElements.inverse Choose.mode Bartlett
    """,
)

# Identities when run.
_add(
    "tensor",
    "DeepCopyOp ViewOp OutputGuard=ViewOp TypeCastingOp SpecifyAssumptions=TypeCastingOp DisconnectedGrad ZeroGrad "
    "UndefinedGrad GradClip GradScale",
)

# Products, and linear algebra whose attributes all versions share.
_add(
    "tensor",
    """
    Dot Dot22 Dot22Scalar BatchedDot Gemv CGemv=Gemv Gemm Ger CGer=Ger ScipyGer=Ger CholeskySolve.lower.b_ndim LUFactor
    LU.permute_l.p_indices PivotToPermutations.inverse LUFactorTridiagonal SolveLUFactorTridiagonal.b_ndim.transposed
    QR.mode.pivoting SVD.full_matrices.compute_uv Eig Eigvalsh.lower Schur.output.sort
    QZ.complex_output.sort.return_eigenvalues MatrixInverse MatrixPinv.hermitian TensorInv.ind TensorSolve.axes Det
    SLogDet Expm TRSYL BlockDiagonal.n_inputs Lstsq Convolve1d Convolve2d.method RFFTOp IRFFTOp Fourier
    DefaultGeneratorMakerOp IfElse.n_outs
    """,
)

_add("typed_list", "MakeList Append Extend Insert Remove Reverse GetItem Index Count Length")

_add(
    "sparse",
    """
    CSM.format CSMGrad CSMProperties Cast.out_type ColScaleCSC ConstructSparseFromList DenseFromSparse Diag
    EnsureSortedIndices GetItem2Lists GetItem2ListsGrad GetItem2d GetItemList GetItemListGrad GetItemScalar
    HStack.format.dtype VStack.format.dtype Remove0 RowScaleCSC SparseFromDense.format Transpose
    SparseBlockDiagonal.n_inputs.format AddSD AddSS AddSSData Dot EqualSD EqualSS GreaterEqualSD GreaterEqualSS
    GreaterThanSD GreaterThanSS LessEqualSD LessEqualSS LessThanSD LessThanSS NotEqualSD NotEqualSS SamplingDot
    SpSum.axis SparseDenseMultiply SparseDenseVectorMultiply SparseSparseMultiply StructuredAddSV StructuredDot
    StructuredDotGradCSC StructuredDotGradCSR TrueDot Usmm MulSS=SparseSparseMultiply MulSD=SparseDenseMultiply
    MulSV=SparseDenseVectorMultiply
    """,
    prefix="Sparse",
)
