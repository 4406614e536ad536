"""What a row of the op tables returns, and the parameter values it may hold."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Form:
    """A node as it is written: `inputs` are value ids, or None for those of the node's own inputs."""

    op: str
    params: dict[str, Any] = field(default_factory=dict)
    inputs: list[int] | None = None


def plain(value: Any) -> Any:
    """A property of an op as JSON has it; TypeError where it cannot be said so."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, np.dtype):
        return value.name
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    if isinstance(value, dict):
        return {str(key): plain(element) for key, element in value.items()}
    raise TypeError(f"{type(value).__name__} is not a plain value")


def properties(op: Any) -> dict[str, Any]:
    """The op's `__props__` that have a plain value."""
    found = {}
    for attribute in getattr(op, "__props__", None) or ():
        try:
            found[attribute] = plain(getattr(op, attribute))
        except (TypeError, AttributeError):
            continue
    return found
