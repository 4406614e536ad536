#include "ops/param_docs.h"

namespace nodewise {

namespace {

constexpr std::string_view kReducedAxes = "list of the reduced axes, ascending; absent: all";
constexpr std::string_view kAccumulator = "dtype in which elements are combined; absent: the output's";
constexpr std::string_view kOutputDType = "the output's dtype";
constexpr std::string_view kIndexList = "for each indexed axis the position of its index among the inputs, "
                                        "or [start, stop, step] of such positions "
                                        "or null";
constexpr std::string_view kSetInstead = "true: set the elements; false: add to them";
constexpr std::string_view kLower = "the lower triangle is read (and given)";
constexpr std::string_view kRightRank = "rank of b: 1 or 2";
constexpr std::string_view kFormat = "\"csr\" or \"csc\"";
constexpr std::string_view kSort = "which eigenvalues come first: null, \"lhp\", \"rhp\", \"iuc\" or \"ouc\"";
constexpr std::string_view kOutOfRange = "what is out of range: \"raise\", \"wrap\" or \"clip\"";
constexpr std::string_view kOrder = "\"C\" or \"F\"";
constexpr std::string_view kStability =
    "\"quicksort\", \"heapsort\", \"mergesort\" or \"stable\"; all are stable";
constexpr std::string_view kOptions = "settings of SciPy's function, by name";

constexpr ParamDoc kDocs[] = {
    {"ARange", "dtype", kOutputDType},
    {"AdvancedIncSubtensor", "idx_list", kIndexList},
    {"AdvancedIncSubtensor", "ignore_duplicates", "of equal places only the last counts"},
    {"AdvancedIncSubtensor", "set_instead_of_inc", kSetInstead},
    {"AdvancedIncSubtensor1", "set_instead_of_inc", kSetInstead},
    {"AdvancedSubtensor", "idx_list", kIndexList},
    {"All", "axis", kReducedAxes},
    {"AllocEmpty", "dtype", kOutputDType},
    {"Any", "axis", kReducedAxes},
    {"ArgSortOp", "kind", kStability},
    {"Argmax", "axis", "list of axes; null: all"},
    {"BlockDiagonal", "n_inputs", "number of matrices"},
    {"Blockwise", "core", "a graph of one node, without batch axes"},
    {"Blockwise", "signature", "core axes of inputs and outputs, as \"(m,n),(n)->(m)\""},
    {"CAReduce", "acc_dtype", kAccumulator},
    {"CAReduce", "axis", kReducedAxes},
    {"CAReduce", "scalar_op", "add, mul, maximum, minimum, and, or, xor or mul_without_zeros"},
    {"CheckAndRaise", "exc_type", "type of the error; absent: AssertionError"},
    {"CheckAndRaise", "msg", "the error's message"},
    {"Cholesky", "lower", kLower},
    {"CholeskySolve", "b_ndim", kRightRank},
    {"CholeskySolve", "lower", "the factor is a lower triangle"},
    {"Choose", "mode", kOutOfRange},
    {"Convolve2d", "method", "\"direct\", \"fft\" or \"auto\""},
    {"CumOp", "axis", "the axis"},
    {"CumOp", "mode", "\"add\" or \"mul\""},
    {"DimShuffle", "new_order", "for each output axis the input's axis, or \"x\" for a new one"},
    {"Eigh", "driver", "LAPACK's driver; all give the same"},
    {"Eigh", "lower", kLower},
    {"Eigvalsh", "lower", kLower},
    {"Elemwise", "as_while", "of scalar_loop: the graph's last output says done"},
    {"Elemwise", "dtype", "of cast: the output's dtype"},
    {"Elemwise", "graph", "of composite and scalar_loop: a graph of scalar ops"},
    {"Elemwise", "scalar_op", "the scalar op's name"},
    {"ExtractDiag", "axis1", "axis of the rows"},
    {"ExtractDiag", "axis2", "axis of the columns"},
    {"ExtractDiag", "offset", "column - row"},
    {"Eye", "dtype", kOutputDType},
    {"IfElse", "n_outs", "number of values of each branch"},
    {"IncSubtensor", "idx_list", kIndexList},
    {"IncSubtensor", "set_instead_of_inc", kSetInstead},
    {"JoinDims", "n_axes", "how many axes become one"},
    {"JoinDims", "start_axis", "the first of them"},
    {"LU", "p_indices", "give P as indices"},
    {"LU", "permute_l", "give P L and U"},
    {"MakeVector", "dtype", kOutputDType},
    {"MatrixPinv", "hermitian", "A is Hermitian"},
    {"Max", "acc_dtype", kAccumulator},
    {"Max", "axis", kReducedAxes},
    {"Min", "acc_dtype", kAccumulator},
    {"Min", "axis", kReducedAxes},
    {"OpFromGraph", "class", "the producer's name for it"},
    {"OpFromGraph", "graph", "the graph that is run"},
    {"PermuteRowElements", "inverse", "out[y[i]] = x[i] instead of out[i] = x[y[i]]"},
    {"PivotToPermutations", "inverse", "the permuted 0, 1, ... instead of its inverse"},
    {"Prod", "acc_dtype", kAccumulator},
    {"Prod", "axis", kReducedAxes},
    {"ProdWithoutZeros", "acc_dtype", kAccumulator},
    {"ProdWithoutZeros", "axis", kReducedAxes},
    {"QR", "mode", "\"full\", \"economic\", \"r\" or \"raw\""},
    {"QR", "pivoting", "choose the columns' order, so that R's diagonal descends"},
    {"QZ", "complex_output", "triangular and complex, where else blocks of two stand for complex pairs"},
    {"QZ", "return_eigenvalues", "give alpha and beta too"},
    {"QZ", "sort", kSort},
    {"RandomVariable", "dist", "the distribution's name"},
    {"RandomVariable", "dtype", "dtype of the draw"},
    {"RandomVariable", "method", "of multivariate_normal: \"cholesky\", \"svd\" or \"eigh\""},
    {"RandomVariable", "signature", "core axes of the parameters and of a draw, as \"(n),(n,n)->(n)\""},
    {"RavelMultiIndex", "mode", kOutOfRange},
    {"RavelMultiIndex", "order", kOrder},
    {"Repeat", "axis", "the axis"},
    {"Reshape", "ndim", "the output's rank"},
    {"RootOp", "graph", "the function of x and the other inputs, and its Jacobian"},
    {"RootOp", "jac", "the graph gives the Jacobian too"},
    {"RootOp", "method", "\"hybr\" or \"lm\""},
    {"RootOp", "optimizer_kwargs", kOptions},
    {"RootScalarOp", "graph", "the function of x and the other inputs, and its derivatives"},
    {"RootScalarOp", "hess", "the graph gives the second derivative too"},
    {"RootScalarOp", "jac", "the graph gives the derivative too"},
    {"RootScalarOp", "method", "\"newton\", \"halley\" or \"secant\""},
    {"RootScalarOp", "optimizer_kwargs", kOptions},
    {"SVD", "compute_uv", "give U and V^H too"},
    {"SVD", "full_matrices", "U and V are square"},
    {"Scan", "as_while", "the body's last output says stop"},
    {"Scan", "graph", "the body"},
    {"Scan", "mit_mot_in", "for each mit-mot state its read taps"},
    {"Scan", "mit_mot_out", "for each mit-mot state its write taps"},
    {"Scan", "mit_sot_in", "for each mit-sot state its read taps"},
    {"Scan", "n_nit_sot", "number of outputs that are no states"},
    {"Scan", "n_non_seqs", "number of values that stay the same"},
    {"Scan", "n_seqs", "number of sequences"},
    {"Scan", "n_untraced", "number of states of which the last value is kept only"},
    {"Scan", "sit_sot_in", "for each sit-sot state [-1]"},
    {"Schur", "output", "\"real\" or \"complex\""},
    {"Schur", "sort", kSort},
    {"SearchsortedOp", "side", "\"left\" (elements less) or \"right\" (elements not greater)"},
    {"Shape_i", "i", "the axis"},
    {"Solve", "assume_a", "\"gen\", \"sym\", \"her\", \"pos\", \"tridiagonal\" or \"banded\""},
    {"Solve", "b_ndim", kRightRank},
    {"Solve", "lower", "of sym, her and pos: the lower triangle is read"},
    {"SolveLUFactorTridiagonal", "b_ndim", kRightRank},
    {"SolveLUFactorTridiagonal", "transposed", "solve with A^T"},
    {"SolveTriangular", "b_ndim", kRightRank},
    {"SolveTriangular", "lower", "the lower triangle is read"},
    {"SolveTriangular", "unit_diagonal", "the diagonal counts as ones"},
    {"SortOp", "kind", kStability},
    {"SparseBlockDiagonal", "format", kFormat},
    {"SparseBlockDiagonal", "n_inputs", "number of matrices"},
    {"SparseCSM", "format", kFormat},
    {"SparseCast", "out_type", kOutputDType},
    {"SparseFromDense", "format", kFormat},
    {"SparseHStack", "dtype", kOutputDType},
    {"SparseHStack", "format", kFormat},
    {"SparseSpSum", "axis", "null (all), 0 or 1"},
    {"SparseVStack", "dtype", kOutputDType},
    {"SparseVStack", "format", kFormat},
    {"Split", "len_splits", "number of parts"},
    {"SplitDims", "axis", "the axis"},
    {"Subtensor", "idx_list", kIndexList},
    {"Sum", "acc_dtype", kAccumulator},
    {"Sum", "axis", kReducedAxes},
    {"TensorInv", "ind", "number of leading axes that belong together"},
    {"TensorSolve", "axes", "axes of a that go to its end first; null: none"},
    {"Unique", "axis", "slices along it are told apart; null: elements"},
    {"Unique", "return_counts", "give how often each occurs"},
    {"Unique", "return_index", "give first positions"},
    {"Unique", "return_inverse", "give each element's value's position"},
    {"UnravelIndex", "order", kOrder},
};

} // namespace

std::span<const ParamDoc> paramDocs() { return kDocs; }

} // namespace nodewise
