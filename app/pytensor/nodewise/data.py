"""Values (arrays, generators, slices, lists, sparse matrices) as the graph file encodes them."""

import base64
import math
from typing import Any

import numpy as np

from nodewise.text import stable_text
from nodewise.types import DTYPES

LARGEST_LIST = 16  # elements; longer arrays are base64
_GENERATORS = ("PCG64", "PCG64DXSM")


def _real(x: float) -> float | str:
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return x


def _element(x: Any) -> Any:
    if isinstance(x, complex):
        return [_real(x.real), _real(x.imag)]
    return _real(x) if isinstance(x, float) else x


def _array(array: np.ndarray) -> dict[str, Any]:
    head = {"dtype": array.dtype.name, "shape": list(array.shape)}
    if array.size <= LARGEST_LIST:
        return {**head, "data": [_element(x) for x in array.ravel().tolist()]}
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    return {**head, "b64": base64.b64encode(little.tobytes()).decode("ascii")}


def _generator(generator: np.random.Generator) -> dict[str, Any]:
    state = generator.bit_generator.state
    if state["bit_generator"] not in _GENERATORS:
        return {"opaque": f"a {state['bit_generator']} generator"}
    words = state["state"]
    return {
        "rng": {
            "bit_generator": state["bit_generator"],
            "state": str(words["state"]),
            "inc": str(words["inc"]),
            "has_uint32": int(state["has_uint32"]),
            "uinteger": int(state["uinteger"]),
        }
    }


def _sparse(matrix: Any) -> dict[str, Any]:
    return {
        "sparse": {
            "format": matrix.format,
            "shape": [int(length) for length in matrix.shape],
            **{part: _array(np.asarray(getattr(matrix, part))) for part in ("data", "indices", "indptr")},
        }
    }


def encode(value: Any, dtype: str | None = None) -> dict[str, Any]:
    """The graph file's Data of a value. `dtype` is that of the value's type, if it has one; Python numbers take it."""
    if value is None:
        return {"none": True}
    if isinstance(value, slice):
        parts = (value.start, value.stop, value.step)
        return {"slice": [None if part is None else int(part) for part in parts]}
    if isinstance(value, np.random.Generator):
        return _generator(value)
    if getattr(value, "format", None) in ("csr", "csc") and hasattr(value, "indptr"):
        return _sparse(value)
    if isinstance(value, (list, tuple)):
        return {"list": [encode(element, dtype) for element in value]}
    if isinstance(value, (np.ndarray, np.generic, bool, int, float, complex)):
        array = np.asarray(value, dtype=dtype)
        if array.dtype.name in DTYPES:
            return _array(array)
    return {"opaque": stable_text(value)}


def bit_generator(value: Any) -> str | None:
    """The name of a NumPy generator's bit generator; None for other values."""
    return type(value.bit_generator).__name__ if isinstance(value, np.random.Generator) else None
