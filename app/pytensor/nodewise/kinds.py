"""What an object is, told by the names of its classes.

PyTensor's modules moved between its versions, and importing it takes seconds; the names of its classes stayed.
"""

from functools import lru_cache
from typing import Any


@lru_cache(maxsize=None)
def _class_names(cls: Any) -> frozenset[str]:
    return frozenset(base.__name__ for base in cls.__mro__)


def is_a(thing: Any, class_name: str) -> bool:
    """Whether the class of `thing`, or one of its bases, has this name."""
    return class_name in _class_names(type(thing))


def area_of(cls: type) -> str:
    """The part of PyTensor that a class belongs to, such as "tensor" or "sparse"; "" for classes of other packages.

    Two classes may share a name (`tensor.math.Dot`, `sparse.math.Dot`); within an area names are unique.
    """
    parts = cls.__module__.split(".")
    if parts[0] != "pytensor":
        return ""
    if len(parts) > 1 and parts[1] in ("sparse", "scalar", "typed_list", "xtensor"):
        return parts[1]
    return "tensor"
