"""PyTensor's types as the graph file describes them."""

from collections.abc import Callable
from typing import Any

from nodewise.kinds import is_a
from nodewise.text import stable_text

DTYPES = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
)


def _shape(type_: Any) -> list[int | None]:
    return [None if length is None else int(length) for length in type_.shape]


def _tensor(type_: Any) -> dict[str, Any]:
    return {"kind": "tensor", "dtype": type_.dtype, "shape": _shape(type_)}


def _sparse(type_: Any) -> dict[str, Any]:
    return {"kind": "sparse", "format": type_.format, "dtype": type_.dtype, "shape": _shape(type_)}


_BY_CLASS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "SparseTensorType": _sparse,
    "TensorType": _tensor,
    "ScalarType": lambda type_: {"kind": "scalar", "dtype": type_.dtype},
    "RandomGeneratorType": lambda type_: {"kind": "rng"},
    "SliceType": lambda type_: {"kind": "slice"},
    "NoneTypeT": lambda type_: {"kind": "none"},
    "TypedListType": lambda type_: {"kind": "list", "elem": describe_type(type_.ttype)},
}


def describe_type(type_: Any) -> dict[str, Any]:
    """The graph file's Type of a PyTensor type; `opaque` for types that the format has no kind for."""
    for cls in type(type_).__mro__:
        describe = _BY_CLASS.get(cls.__name__)
        if describe is not None and element_dtype(type_) in {None, *DTYPES}:
            return describe(type_)
    return {"kind": "opaque", "repr": stable_text(type_)}


def element_dtype(type_: Any) -> str | None:
    """The dtype of a type's values, or of the elements of its lists; None where values have none."""
    if is_a(type_, "TypedListType"):
        return element_dtype(type_.ttype)
    return getattr(type_, "dtype", None)


def without_batch(type_: Any, core_rank: int) -> dict[str, Any]:
    """The Type that is left of a tensor type when all but its last `core_rank` axes are batch axes."""
    described = describe_type(type_)
    if "shape" in described:
        described["shape"] = described["shape"][len(described["shape"]) - core_rank :]
    return described
