"""PyTensor's scalar ops, as the graph file names them."""

from typing import TYPE_CHECKING, Any

from nodewise.kinds import area_of, is_a
from nodewise.text import stable_text

if TYPE_CHECKING:
    from nodewise.graph import GraphWriter

# Class name to name in the file. Names that differ by more than case only are written out.
_SAME_IN_LOWER_CASE = """
    Abs Add Angle Ceil Clip Complex Conj Cos Cosh Deg2Rad Erf Erfc Erfcinv Erfcx Erfinv Exp Exp2 Expm1 Floor Gamma
    GammaInc GammaIncC GammaIncCInv GammaIncInv GammaL GammaLn GammaU Hyp2F1 I0 I1 Identity Imag Invert IsInf IsNan Ive
    J0 J1 Jv Kve Log Log10 Log1mexp Log1p Log2 Maximum Minimum Mod Mul Neg Owens_t PolyGamma Pow Psi Rad2Deg Real
    Reciprocal Second Sigmoid Sign Sin Sinh Softplus Sqr Sqrt Sub Switch Tan Tanh Trunc BetaInc BetaIncInv AND OR XOR
    EQ NEQ GE GT LE LT
"""
NAMES: dict[str, str] = {
    **{name: name.lower() for name in _SAME_IN_LOWER_CASE.split()},
    "ArcCos": "arccos",
    "ArcCosh": "arccosh",
    "ArcSin": "arcsin",
    "ArcSinh": "arcsinh",
    "ArcTan": "arctan",
    "ArcTan2": "arctan2",
    "ArcTanh": "arctanh",
    "Cast": "cast",
    "ComplexFromPolar": "complex_from_polar",
    "Composite": "composite",
    "Grad2F1Loop": "scalar_loop",
    "IntDiv": "int_div",
    "MulWithoutZeros": "mul_without_zeros",
    "RoundHalfAwayFromZero": "round_half_away_from_zero",
    "RoundHalfToEven": "round_half_to_even",
    "ScalarLoop": "scalar_loop",
    "ScalarMaximum": "maximum",
    "ScalarMinimum": "minimum",
    "TriGamma": "tri_gamma",
    "TrueDiv": "true_div",
}


def is_scalar_op(op: Any) -> bool:
    return is_a(op, "ScalarOp")


def scalar_name(op: Any) -> str:
    """The name of a scalar op in the file; its class's name where the format has none for it."""
    cls = type(op)
    name = NAMES.get(cls.__name__) if area_of(cls) else None
    if name is not None:
        return name
    return cls.__name__ if cls.__name__ not in NAMES.values() else f"{cls.__module__}.{cls.__name__}"


def scalar_params(op: Any, writer: "GraphWriter") -> dict[str, Any]:
    """The parameters of a scalar op: its inner graph, the dtype that it casts to."""
    name = scalar_name(op)
    if name == "cast":
        return {"dtype": op.o_type.dtype}
    if name == "composite":
        return {"graph": writer.inner(op.fgraph)}
    if name == "scalar_loop":
        return {"graph": writer.inner(op.fgraph), **({"as_while": True} if op.is_while else {})}
    return {} if name in NAMES.values() else {"repr": stable_text(op)}
