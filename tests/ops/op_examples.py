#!/usr/bin/env python3
"""Writes resources/op_examples.json: for each op and scalar op a small graph with one case, computed by NumPy and SciPy.

Run it with NumPy and SciPy installed after changing the table. `nodewise ops NAME` shows an op's example, and
tests/session/tst_op_examples runs all of them in every memory layout. The draws are NumPy's own."""
import json
import pathlib
import sys

import numpy as np
import scipy.linalg as sl
import scipy.sparse as sp
import scipy.special as ss

np.seterr(all="ignore")
EXAMPLES = {}


def number(x):
    if isinstance(x, (bool, np.bool_)):
        return bool(x)
    if isinstance(x, complex):
        return [number(x.real), number(x.imag)]
    if isinstance(x, int):
        return x
    return "nan" if x != x else "inf" if x == np.inf else "-inf" if x == -np.inf else x


def data(value):
    if value is None:
        return {"none": True}
    if isinstance(value, np.random.Generator):
        s = value.bit_generator.state
        return {"rng": {"bit_generator": "PCG64", "state": str(s["state"]["state"]), "inc": str(s["state"]["inc"]),
                        "has_uint32": s["has_uint32"], "uinteger": s["uinteger"]}}
    if isinstance(value, slice):
        return {"slice": [value.start, value.stop, value.step]}
    if isinstance(value, list):
        return {"list": [data(v) for v in value]}
    if sp.issparse(value):
        return {"sparse": {"format": value.format, "shape": list(value.shape), "data": data(value.data),
                           "indices": data(value.indices.astype("int32")),
                           "indptr": data(value.indptr.astype("int32"))}}
    a = np.asarray(value)
    assert a.size <= 16, "examples are small"
    return {"dtype": str(a.dtype), "shape": list(a.shape), "data": [number(v) for v in a.ravel().tolist()]}


def type_of(value):
    if value is None:
        return {"kind": "none"}
    if isinstance(value, np.random.Generator):
        return {"kind": "rng"}
    if isinstance(value, slice):
        return {"kind": "slice"}
    if isinstance(value, list):
        return {"kind": "list", "elem": type_of(value[0])}
    if sp.issparse(value):
        return {"kind": "sparse", "format": value.format, "dtype": str(value.dtype), "shape": [None, None]}
    if isinstance(value, np.generic):
        return {"kind": "scalar", "dtype": str(value.dtype)}
    a = np.asarray(value)
    return {"kind": "tensor", "dtype": str(a.dtype), "shape": [1 if n == 1 else None for n in a.shape]}


def graph_of(op, inputs, outputs, params):
    """A graph of one node on values like these."""
    n, m = len(inputs), len(outputs)
    node = {"op": op, "in": list(range(n)), "out": list(range(n, n + m))}
    if params:
        node["params"] = params
    return {"values": [{"type": type_of(v)} for v in [*inputs, *outputs]], "inputs": node["in"],
            "outputs": node["out"], "nodes": [node]}


def example(op, inputs, outputs, params=None, name=None):
    outputs = list(outputs) if isinstance(outputs, tuple) else [outputs]
    case = {"inputs": [data(v) for v in inputs], "outputs": [data(v) for v in outputs]}
    EXAMPLES.setdefault(name or op, []).append({"graph": graph_of(op, inputs, outputs, params or {}), "case": case})


A = np.array
x23 = A([[1.0, -2.0, 3.5], [0.5, 4.0, -1.0]])
v3 = A([1.0, 2.0, 4.0])
i0 = lambda n: A(n, "int64")
square = A([[4.0, 1.0], [2.0, 3.0]])
spd = A([[4.0, 2.0], [2.0, 3.0]])

# --- elementwise: one example a scalar op, over a matrix and a row that broadcasts
elementwise = lambda name, inputs, out, **params: example("Elemwise", inputs, out, {"scalar_op": name, **params}, name)
row = A([[2.0, -1.0, 0.5]])
ints, irow = A([[7, -7, 3], [0, 5, -128]], "int8"), A([[2, 3, -4]], "int8")
bits = A([[6, 3, 255], [0, 8, 12]], "uint8"), A([[5, 1, 15]], "uint8")
REAL = {
    "neg": np.negative, "abs": np.abs, "sqr": np.square, "sign": np.sign, "ceil": np.ceil, "floor": np.floor,
    "trunc": np.trunc, "round_half_to_even": np.rint, "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "sin": np.sin,
    "cos": np.cos, "tan": np.tan, "arctan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
    "arcsinh": np.arcsinh, "deg2rad": np.deg2rad, "rad2deg": np.rad2deg, "isnan": np.isnan, "isinf": np.isinf,
    "identity": np.array, "reciprocal": np.reciprocal, "sigmoid": ss.expit, "softplus": lambda x: np.logaddexp(0, x),
    "erf": ss.erf, "erfc": ss.erfc, "erfcx": ss.erfcx, "j0": ss.j0, "j1": ss.j1, "i0": ss.i0, "i1": ss.i1,
    "round_half_away_from_zero": lambda x: np.where(x >= 0, np.floor(x + 0.5), np.ceil(x - 0.5)),
}
for name, f in REAL.items():
    elementwise(name, [x23], f(x23))
POSITIVE = {"sqrt": np.sqrt, "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p, "arccosh": np.arccosh,
            "gamma": ss.gamma, "gammaln": ss.gammaln, "psi": ss.psi, "tri_gamma": lambda x: ss.polygamma(1, x)}
for name, f in POSITIVE.items():
    elementwise(name, [np.abs(x23) + 1], f(np.abs(x23) + 1))
UNIT = {"arcsin": np.arcsin, "arccos": np.arccos, "arctanh": np.arctanh, "erfinv": ss.erfinv}
for name, f in UNIT.items():
    elementwise(name, [x23 / 5], f(x23 / 5))
elementwise("erfcinv", [np.abs(x23) / 5], ss.erfcinv(np.abs(x23) / 5))
elementwise("log1mexp", [-np.abs(x23)], np.log1p(-np.exp(-np.abs(x23))))
complex23 = x23 + 1j * x23[::-1]
for name, f in {"real": np.real, "imag": np.imag, "angle": np.angle, "conj": np.conj}.items():
    elementwise(name, [complex23], f(complex23))
BINARY = {"add": np.add, "mul": np.multiply, "sub": np.subtract, "maximum": np.maximum, "minimum": np.minimum,
          "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal,
          "neq": np.not_equal}
for name, f in BINARY.items():
    elementwise(name, [x23, row], f(x23, row))
    elementwise(name, [ints, irow], f(ints, irow))
for name, f in {"true_div": np.true_divide, "arctan2": np.arctan2}.items():
    elementwise(name, [x23, row], f(x23, row))
for name, f in {"int_div": np.floor_divide, "mod": np.mod}.items():
    elementwise(name, [x23, row], f(x23, row))
    elementwise(name, [ints, irow], f(ints, irow))
elementwise("pow", [np.abs(x23), row], np.abs(x23) ** row)
elementwise("pow", [ints, np.abs(irow)], ints ** np.abs(irow))
for name, f in {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}.items():
    elementwise(name, list(bits), f(*bits))
elementwise("invert", [bits[0]], ~bits[0])
elementwise("clip", [x23, A([[-1.0]]), A([[2.0]])], np.clip(x23, -1, 2))
elementwise("switch", [x23 > 0, x23, row], np.where(x23 > 0, x23, row))
elementwise("second", [x23, row], np.broadcast_to(row, x23.shape).copy())
elementwise("cast", [x23], x23.astype("int16"), dtype="int16")
elementwise("complex", [x23, row], x23 + 1j * row)
elementwise("complex_from_polar", [np.abs(x23), row], np.abs(x23) * np.exp(1j * row))
elementwise("mul_without_zeros", [A([0.0, 2, 3]), A([5.0, 0, 4])], A([5.0, 2, 12]))
p23 = np.abs(x23)
TWO = {"gammainc": ss.gammainc, "gammaincc": ss.gammaincc, "gammau": lambda k, x: ss.gammaincc(k, x) * ss.gamma(k),
       "gammal": lambda k, x: ss.gammainc(k, x) * ss.gamma(k), "jv": ss.jv, "ive": ss.ive, "kve": ss.kve,
       "owens_t": ss.owens_t}
for name, f in TWO.items():
    elementwise(name, [p23, np.abs(row)], f(p23, np.abs(row)))
elementwise("polygamma", [A([[0.0], [2.0]]), p23], ss.polygamma(A([[0], [2]]), p23))
for name, f in {"gammaincinv": ss.gammaincinv, "gammainccinv": ss.gammainccinv}.items():
    elementwise(name, [p23, A([[0.2, 0.5, 0.9]])], f(p23, A([[0.2, 0.5, 0.9]])))
for name, f in {"betainc": ss.betainc, "betaincinv": ss.betaincinv}.items():
    elementwise(name, [p23, np.abs(row), A([[0.3]])], f(p23, np.abs(row), 0.3))
elementwise("hyp2f1", [A([0.5, 1, 2]), A([1.0, 2, 0.3]), A([1.5, 4, 2.5]), A([-0.5, 0.25, 0.9])],
            ss.hyp2f1(A([0.5, 1, 2]), A([1.0, 2, 0.3]), A([1.5, 4, 2.5]), A([-0.5, 0.25, 0.9])))
inner = {"values": [{"type": {"kind": "scalar", "dtype": "float64"}}] * 4, "inputs": [0, 1], "outputs": [3],
         "nodes": [{"op": "exp", "in": [0], "out": [2]}, {"op": "mul", "in": [2, 1], "out": [3]}]}
elementwise("composite", [x23, row], np.exp(x23) * row, graph=inner)
step = {"values": [{"type": {"kind": "scalar", "dtype": "float64"}}] * 3, "inputs": [0, 1], "outputs": [2],
        "nodes": [{"op": "mul", "in": [0, 1], "out": [2]}]}
elementwise("scalar_loop", [A([3, 0, 2]), A([1.0, 2, 3]), A([2.0, 2, 2])], A([8.0, 2, 12]), graph=step)
example("Elemwise", [x23, row], x23 + row, {"scalar_op": "add"})

# --- reductions
for op, f in {"Sum": np.sum, "Prod": np.prod, "Max": np.max, "Min": np.min}.items():
    example(op, [x23], f(x23, axis=1), {"axis": [1]})
    example(op, [x23], A(f(x23)), {"axis": [0, 1]})
    if op in ("Sum", "Prod"):
        example(op, [np.zeros((0, 3))], f(np.zeros((0, 3)), axis=0), {"axis": [0]})
for op, f in {"All": np.all, "Any": np.any}.items():
    example(op, [x23 > 0], f(x23 > 0, axis=0), {"axis": [0]})
example("ProdWithoutZeros", [A([[0.0, 2, 0], [3, 4, 0]])], A([3.0, 8, 0]), {"axis": [0]})
example("CAReduce", [bits[0]], np.bitwise_xor.reduce(bits[0], axis=0), {"axis": [0], "scalar_op": "xor"})
example("Argmax", [x23], np.argmax(x23, axis=1), {"axis": [1]})
example("CumOp", [x23], np.cumsum(x23, axis=1), {"axis": 1, "mode": "add"})

# --- shapes
example("DimShuffle", [x23], x23.T[:, None].copy(), {"new_order": [1, "x", 0]})
example("Shape", [x23], A([2, 3]))
example("Shape_i", [x23], i0(3), {"i": 1})
example("SpecifyShape", [x23, i0(2), None], x23)
example("Reshape", [x23, A([3, -1])], x23.reshape(3, 2), {"ndim": 2})
example("JoinDims", [x23], x23.ravel(), {"start_axis": 0, "n_axes": 2})
example("SplitDims", [x23.ravel(), A([3, 2])], x23.reshape(3, 2), {"axis": 0})
example("Alloc", [row[0], i0(2), i0(3)], np.broadcast_to(row, (2, 3)).copy())
example("AllocEmpty", [i0(0), i0(3)], np.zeros((0, 3)), {"dtype": "float64"})
example("MakeVector", [A(1.0), A(2.5)], A([1, 2.5]), {"dtype": "float64"})
example("Join", [i0(-1), x23, x23[:, :2]], np.concatenate([x23, x23[:, :2]], 1))
example("Split", [x23, i0(1), A([1, 2])], (x23[:, :1], x23[:, 1:]), {"len_splits": 2})
EXAMPLES["Split"][0]["graph"]["values"][3]["type"]["shape"] = [None, None]
example("Repeat", [x23, A([2, 0, 1])], np.repeat(x23, [2, 0, 1], axis=1), {"axis": 1})
example("ARange", [i0(1), i0(10), i0(4)], np.arange(1, 10, 4), {"dtype": "int64"})
example("Eye", [i0(2), i0(3), i0(1)], np.eye(2, 3, 1), {"dtype": "float64"})
example("ExtractDiag", [x23], np.diagonal(x23, 1).copy(), {"offset": 1, "axis1": 0, "axis2": 1})
example("FillDiagonal", [x23, A(9.0)], A([[9, -2, 3.5], [0.5, 9, -1]]))
example("FillDiagonalOffset", [x23, A(9.0), i0(1)], A([[1, 9, 3.5], [0.5, 4, 9]]))
example("Nonzero", [A([[0.0, 2, 0], [3, 0, 4]])], A([[0.0, 2, 0], [3, 0, 4]]).nonzero())
example("TensorFromScalar", [np.float64(2.5)], A(2.5))
example("ScalarFromTensor", [A(2.5)], np.float64(2.5))
for op in ("DeepCopyOp", "ViewOp", "TypeCastingOp", "DisconnectedGrad", "ZeroGrad", "UndefinedGrad", "GradClip",
           "GradScale", "CpuContiguous"):
    example(op, [x23], x23)
example("SortOp", [x23, i0(-1)], np.sort(x23), {"kind": "quicksort"})
example("ArgSortOp", [x23, i0(-1)], np.argsort(x23), {"kind": "stable"})
example("SearchsortedOp", [v3, A([0.0, 2, 3])], np.searchsorted(v3, [0, 2, 3], "right"), {"side": "right"})
u = np.unique(A([3.0, 1, 3, 2]), True, True, True)
example("Unique", [A([3.0, 1, 3, 2])], tuple(u),
        {"return_index": True, "return_inverse": True, "return_counts": True, "axis": None})
example("UnravelIndex", [A([5, 0, 7]), A([2, 4])], np.unravel_index([5, 0, 7], (2, 4)), {"order": "C"})
example("RavelMultiIndex", [A([1, 0]), A([3, 5]), A([2, 4])], np.ravel_multi_index([[1, 0], [3, 5]], (2, 4), "clip"),
        {"mode": "clip", "order": "C"})
example("PermuteRowElements", [x23, A([[2, 0, 1]])], x23[:, [2, 0, 1]], {"inverse": False})
example("Choose", [A([1, 0, 1]), A([[1.0, 2, 3], [4, 5, 6]])], A([4.0, 2, 6]), {"mode": "raise"})
example("Bartlett", [i0(5)], np.bartlett(5))

# --- indexing
example("Subtensor", [x23, i0(-1), i0(-1)], x23[1, ::-1].copy(), {"idx_list": [1, [None, None, 2]]})
example("IncSubtensor", [x23, A([10.0, 20]), i0(2)], x23 + A([[10, 20, 0], [10, 20, 0]]),
        {"idx_list": [[None, None, None], [None, 2, None]], "set_instead_of_inc": False})
example("AdvancedSubtensor", [x23, A([1, 0]), A([2, 0])], A([-1.0, 1]), {"idx_list": [1, 2]})
example("AdvancedSubtensor", [x23, x23 > 0], x23[x23 > 0], {"idx_list": [1]})
example("AdvancedIncSubtensor", [x23, A([1.0, 1]), A([1, 1]), A([2, 2])], A([[1, -2, 3.5], [0.5, 4, 1]]),
        {"idx_list": [2, 3], "set_instead_of_inc": False})
example("AdvancedSubtensor1", [x23, A([1, 0, 1])], x23[[1, 0, 1]])
example("AdvancedIncSubtensor1", [v3, A([5.0, 6, 7]), A([0, 2, 0])], A([13.0, 2, 10]), {"set_instead_of_inc": False})

# --- linear algebra
y32 = x23.T + 1
example("Dot", [x23, y32], x23 @ y32)
example("Dot", [ints, ints.T.copy()], ints @ ints.T)
example("Dot22", [x23, y32], x23 @ y32)
example("Dot22Scalar", [x23, y32, A(2.0)], 2 * x23 @ y32)
example("BatchedDot", [x23.reshape(2, 1, 3), y32.reshape(2, 3, 1)], x23.reshape(2, 1, 3) @ y32.reshape(2, 3, 1))
example("Gemv", [A([1.0, 2]), A(2.0), x23, v3, A(3.0)], 3 * A([1.0, 2]) + 2 * x23 @ v3)
example("Gemm", [square, A(2.0), x23, y32, A(3.0)], 3 * square + 2 * x23 @ y32)
example("Ger", [x23, A(2.0), A([1.0, 2]), v3], x23 + 2 * np.outer([1.0, 2], v3))
L = np.linalg.cholesky(spd)
b2 = A([1.0, 2])
example("Cholesky", [spd], L, {"lower": True})
example("CholeskySolve", [L, b2], np.linalg.solve(spd, b2), {"lower": True, "b_ndim": 1})
example("SolveTriangular", [L, b2], np.linalg.solve(L, b2), {"lower": True, "unit_diagonal": False, "b_ndim": 1})
example("Solve", [square, b2], np.linalg.solve(square, b2), {"assume_a": "gen", "lower": False, "b_ndim": 1})
example("LU", [square], sl.lu(square), {"permute_l": False, "p_indices": False})
lu, pivots = sl.lu_factor(A([[1.0, 2], [3, 4]]))
example("LUFactor", [A([[1.0, 2], [3, 4]])], (lu, pivots.astype("int32")))
example("PivotToPermutations", [A([2, 2, 2], "int32")], A([1, 2, 0]), {"inverse": False})
dl, d, du = A([1.0, 1]), A([4.0, 4, 4]), A([1.0, 1])
f = sl.get_lapack_funcs("gttrf", (d,))(dl, d, du)[:5]
f = (*f[:4], f[4].astype("int32"))
example("LUFactorTridiagonal", [dl, d, du], f)
example("SolveLUFactorTridiagonal", [*f, v3], np.linalg.solve(np.diag(d) + np.diag(dl, -1) + np.diag(du, 1), v3),
        {"b_ndim": 1, "transposed": False})
example("QR", [square], np.linalg.qr(square), {"mode": "full", "pivoting": False})
example("SVD", [x23], np.linalg.svd(x23, compute_uv=False), {"compute_uv": False, "full_matrices": False})
example("Eig", [A([[2.0, 0], [0, 3]])], (A([2.0 + 0j, 3]), np.eye(2).astype("complex128")))
example("Eigh", [A([[2.0, 0], [0, 3]])], (A([2.0, 3]), np.eye(2)), {"lower": True})
example("Eigvalsh", [spd], np.linalg.eigvalsh(spd), {"lower": True})
example("Schur", [A([[2.0, 1], [0, 3]])], (A([[2.0, 1], [0, 3]]), np.eye(2)), {"output": "real", "sort": None})
example("QZ", [A([[2.0, 1], [0, 3]]), np.eye(2)], (A([[2.0, 1], [0, 3]]), np.eye(2), np.eye(2), np.eye(2)),
        {"complex_output": False, "sort": None, "return_eigenvalues": False})
example("MatrixInverse", [square], np.linalg.inv(square))
example("MatrixPinv", [x23], np.linalg.pinv(x23), {"hermitian": False})
example("TensorInv", [square], np.linalg.tensorinv(square, 1), {"ind": 1})
example("TensorSolve", [square, b2], np.linalg.tensorsolve(square, b2), {"axes": None})
example("Det", [square], A(np.linalg.det(square)))
example("SLogDet", [square], tuple(A(v) for v in np.linalg.slogdet(square)))
example("Expm", [square / 4], sl.expm(square / 4))
t1, t2 = np.triu(square), np.triu(spd)
example("TRSYL", [t1, t2, square], sl.solve_sylvester(t1, t2, square))
example("BlockDiagonal", [square, A([[5.0, 6]])], sl.block_diag(square, A([[5.0, 6]])), {"n_inputs": 2})
q = np.linalg.lstsq(y32, v3, rcond=1e-9)
example("Lstsq", [y32, v3, A(1e-9)], (q[0], q[1], A(q[2], "int32"), q[3]))
EXAMPLES["Lstsq"][0]["graph"]["values"][4]["type"]["shape"] = [None]
example("Convolve1d", [v3, A([1.0, -1]), np.bool_(True)], np.convolve(v3, [1.0, -1]))
example("Convolve2d", [x23, A([[1.0, -1]]), np.bool_(False)], x23[:, 1:] - x23[:, :-1], {"method": "direct"})
r = np.fft.rfft(x23[:, :2], 2)
rr = np.stack([r.real, r.imag], -1)
example("RFFTOp", [x23[:, :2].copy(), A([2])], rr)
EXAMPLES["RFFTOp"][0]["graph"]["values"][1]["type"]["shape"] = [1]
example("IRFFTOp", [rr, A([2])], x23[:, :2] * 2)
example("Fourier", [v3, i0(3), i0(0)], np.fft.fft(v3))

# --- control
body = lambda op, params=None, n=1: graph_of(op, [A(1.0)] * n, [A(1.0)], params)
example("OpFromGraph", [A(2.0)], A(np.exp(2.0)), {"graph": body("Elemwise", {"scalar_op": "exp"})})
batch = np.stack([square, spd])
example("Blockwise", [batch], np.linalg.inv(batch),
        {"signature": "(m,m)->(m,m)", "core": graph_of("MatrixInverse", [square], [square], {})})
example("IfElse", [A(True), v3, b2], v3, {"n_outs": 1})
example("CheckAndRaise", [v3, A(True)], v3, {"exc_type": "ValueError", "msg": "x is not valid"})
example("Scan", [i0(3), v3, A([1.0, 0, 0, 0])], A([1.0, 2, 4, 8]),
        {"n_seqs": 1, "sit_sot_in": [[-1]], "graph": body("Elemwise", {"scalar_op": "add"}, 2)})
example("RootOp", [A([0.5, -0.5])], (A([0.0, 0.0]), np.bool_(True)),
        {"method": "hybr", "graph": graph_of("Elemwise", [v3], [v3], {"scalar_op": "sin"})})
example("RootScalarOp", [A(3.0)], (A(np.pi), np.bool_(True)),
        {"method": "secant", "graph": body("Elemwise", {"scalar_op": "sin"})})

# --- random
seed = lambda: np.random.default_rng(42)


def draw(dist, parameters, method, signature, dtype="float64"):
    g = seed()
    out = np.asarray(method(g)).astype(dtype)
    example("RandomVariable", [seed(), None if out.ndim == 0 else A([3]), *parameters], (g, out),
            {"dist": dist, "signature": signature, "dtype": dtype})


draw("normal", [A(1.0), A(2.0)], lambda g: g.normal(1, 2, 3), "(),()->()")
draw("integers", [i0(0), i0(10)], lambda g: g.integers(0, 10, 3), "(),()->()", "int64")
example("DefaultGeneratorMakerOp", [i0(42)], seed())

# --- lists
u1, u2 = A([1.0, 2]), A([3.0, 4])
example("MakeList", [u1, u2], [u1, u2])
example("Append", [[u1], u2], [u1, u2])
example("Extend", [[u1], [u2, u1]], [u1, u2, u1])
example("Insert", [[u1, u1], i0(1), u2], [u1, u2, u1])
example("Remove", [[u1, u2, u1], u1], [u2, u1])
example("Reverse", [[u1, u2]], [u2, u1])
example("GetItem", [[u1, u2], i0(-1)], u2)
example("Index", [[u1, u2], u2], i0(1))
example("Count", [[u1, u2, u1], u1], i0(2))
example("Length", [[u1, u2]], i0(2))

# --- sparse
dense = A([[1.0, 0, 2], [0, 3, 0]])
other = A([[0.0, 4, 1], [0, -3, 5]])
csr = sp.csr_matrix
s, t = csr(dense), csr(other)
indices = lambda m: [m.data, m.indices.astype("int32"), m.indptr.astype("int32"), A(m.shape, "int32")]
example("SparseFromDense", [dense], s, {"format": "csr"})
example("SparseDenseFromSparse", [s], dense)
example("SparseCSM", indices(s), s, {"format": "csr"})
example("SparseCSMProperties", [s], tuple(indices(s)))
example("SparseCSMGrad", [*indices(s), *indices(csr(dense * 10))], s.data * 10)
example("SparseTranspose", [s], sp.csc_matrix(dense.T))
example("SparseCast", [s], s.astype("float32"), {"out_type": "float32"})
z = s.copy()
z.data[1] = 0
zero = z.copy()
zero.eliminate_zeros()
example("SparseRemove0", [z], zero)
example("SparseEnsureSortedIndices", [s], s)
example("SparseHStack", [s, t], csr(np.hstack([dense, other])), {"format": "csr", "dtype": "float64"})
example("SparseVStack", [s, t], csr(np.vstack([dense, other])), {"format": "csr", "dtype": "float64"})
example("SparseGetItem2d", [s, i0(0), None, None, i0(1), i0(3), None], csr(dense[0:, 1:3]))
example("SparseGetItemScalar", [s, i0(1), i0(1)], A(3.0))
example("SparseGetItemList", [s, A([1, 0, 1])], csr(dense[[1, 0, 1]]))
example("SparseGetItem2Lists", [s, A([0, 1]), A([2, 0])], A([2.0, 0]))
example("SparseGetItemListGrad", [s, A([1]), csr(A([[5.0, 6, 0]]))], csr(A([[0.0, 0, 0], [5, 6, 0]])))
EXAMPLES["SparseGetItemListGrad"][0]["graph"]["values"][1]["type"]["shape"] = [None]
example("SparseGetItem2ListsGrad", [s, A([0, 1]), A([2, 0]), A([7.0, 8])], csr(A([[0.0, 0, 7], [8, 0, 0]])))
diagonal = csr(A([[1.0, 2], [0, 3]]))
example("SparseDiag", [diagonal], A([1.0, 3]))
example("SparseSpSum", [s], dense.sum(0), {"axis": 0})
csc = sp.csc_matrix(dense)
example("SparseColScaleCSC", [csc, v3], sp.csc_matrix(dense * v3))
example("SparseRowScaleCSC", [csc, b2], sp.csc_matrix(dense * b2[:, None]))
example("SparseAddSS", [s, t], csr(dense + other))
example("SparseAddSSData", [s, s], csr(dense * 2))
example("SparseAddSD", [s, other], dense + other)
example("SparseStructuredAddSV", [s, v3], csr(np.where(dense != 0, dense + v3, 0)))
example("SparseSparseMultiply", [s, t], csr(dense * other))
example("SparseDenseMultiply", [s, other], csr(dense * other))
example("SparseDenseVectorMultiply", [s, v3], csr(dense * v3))
for name, f in {"Equal": np.equal, "NotEqual": np.not_equal, "LessThan": np.less, "LessEqual": np.less_equal,
                "GreaterThan": np.greater, "GreaterEqual": np.greater_equal}.items():
    example(f"Sparse{name}SS", [s, t], csr(f(dense, other).astype("uint8")))
    example(f"Sparse{name}SD", [s, other], f(dense, other).astype("uint8"))
example("SparseDot", [s, y32], dense @ y32)
example("SparseStructuredDot", [s, y32], dense @ y32)
example("SparseTrueDot", [s, csr(y32)], csr(dense @ y32))
d1, d2 = A([[1.0, 2], [3, 4]]), A([[1.0, 0], [0, 1], [1, 1]])
example("SparseSamplingDot", [d1, d2, s], csr(dense * (d1 @ d2.T)))
example("SparseUsmm", [A(2.0), s, y32, square], 2 * dense @ y32 + square)
gg, bb = A([[1.0, 2], [3, 4]]), A([[1.0, 0], [0, 1], [1, 1]])
coo = csr(dense).tocoo()
example("SparseStructuredDotGradCSR", [*indices(s)[1:3], bb, gg], (gg @ bb.T)[coo.row, coo.col])
cc = csc.tocoo()
example("SparseStructuredDotGradCSC", [*indices(csc)[1:3], bb, gg], (gg @ bb.T)[cc.row, cc.col])
example("SparseConstructSparseFromList", [A([3, 2]), A([[1.0, 2], [3, 4]]), A([2, 0])],
        sp.csc_matrix(A([[3.0, 4], [0, 0], [1, 2]])))
example("SparseBlockDiagonal", [s, diagonal], csr(sp.block_diag([dense, diagonal])), {"n_inputs": 2, "format": "csr"})


def write(path):
    lines = []
    for name in sorted(EXAMPLES):
        entries = ",\n  ".join(json.dumps(e, separators=(",", ":")) for e in EXAMPLES[name])
        lines.append(f' "{name}": [\n  {entries}]')
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


write(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else
      pathlib.Path(__file__).parents[2] / "resources" / "op_examples.json")
