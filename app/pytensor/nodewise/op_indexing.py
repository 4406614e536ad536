"""Rows of the indexing ops. The file's `idx_list` holds positions in the node's inputs.

From version 3 on PyTensor's `idx_list` counts the index inputs; before, `Subtensor` had their types in their places,
and `AdvancedSubtensor` took slices as inputs of their own.
"""

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from nodewise.form import Form
from nodewise.kinds import is_a
from nodewise.types import describe_type

if TYPE_CHECKING:
    from nodewise.graph import GraphWriter

_INDEX = {"kind": "scalar", "dtype": "int64"}


def _positions(idx_list: Any, first: int) -> list[Any]:
    """The file's idx_list, its inputs beginning at position `first`: each entry that is not None takes the next one."""
    following = count(first)

    def place(entry: Any) -> int | None:
        return None if entry is None else next(following)

    return [
        [place(entry.start), place(entry.stop), place(entry.step)] if isinstance(entry, slice) else place(entry)
        for entry in idx_list
    ]


def _basic(n_leading: int) -> Any:
    """The row of an op that has `idx_list`, and `n_leading` inputs before the indices."""

    def row(op: Any, node: Any, writer: "GraphWriter") -> Form | None:
        params: dict[str, Any] = {}
        if not hasattr(op, "idx_list"):
            return _advanced(op, node, writer, n_leading)
        params["idx_list"] = _positions(op.idx_list, n_leading)
        return Form(type(op).__name__, {**params, **_writing(op)})

    return row


def _writing(op: Any) -> dict[str, bool]:
    """The parameters of the ops that write at a place."""
    names = ("set_instead_of_inc", "ignore_duplicates")
    return {name: bool(getattr(op, name)) for name in names if hasattr(op, name)}


def _slice_parts(index: Any, writer: "GraphWriter") -> Iterator[int | None] | None:
    """Value ids of a slice's start, stop and step (None where it has none); None for a slice made elsewhere."""
    if is_a(index, "Constant"):
        parts = (index.data.start, index.data.stop, index.data.step)
        return iter([None if part is None else writer.constant(_INDEX, int(part), "int64") for part in parts])
    if index.owner is not None and is_a(index.owner.op, "MakeSlice"):
        return iter([None if is_a(part.type, "NoneTypeT") else writer.use(part) for part in index.owner.inputs])
    return None


def _advanced(op: Any, node: Any, writer: "GraphWriter", n_leading: int) -> Form | None:
    """`AdvancedSubtensor` of versions before 3: slices among the inputs are taken apart."""
    indices = node.inputs[n_leading:]
    inputs = [writer.use(variable) for variable in node.inputs[:n_leading]]
    if any(is_a(index.type, "NoneTypeT") for index in indices):
        if n_leading != 1:
            return None  # what is written to would need its new axes taken away again
        inputs = [_with_new_axes(node.inputs[0], indices, writer)]
    idx_list: list[Any] = []
    for index in indices:
        if is_a(index.type, "NoneTypeT"):
            idx_list.append([None, None, None])
            continue
        if not is_a(index.type, "SliceType"):
            idx_list.append(len(inputs))
            inputs.append(writer.use(index))
            continue
        parts = _slice_parts(index, writer)
        if parts is None:
            return None
        entry: list[int | None] = []
        for part in parts:
            entry.append(None if part is None else len(inputs))
            if part is not None:
                inputs.append(part)
        idx_list.append(entry)
    return Form(type(op).__name__, {"idx_list": idx_list, **_writing(op)}, inputs)


def _with_new_axes(x: Any, indices: list[Any], writer: "GraphWriter") -> int:
    """x with an axis of length 1 for each `numpy.newaxis` among the indices, which then takes that axis whole."""
    order: list[int | str] = []
    axis = 0
    for index in indices:
        if is_a(index.type, "NoneTypeT"):
            order.append("x")
            continue
        covered = index.type.ndim if getattr(index.type, "dtype", None) == "bool" else 1
        order += range(axis, axis + covered)
        axis += covered
    order += range(axis, x.type.ndim)
    described = describe_type(x.type)
    shape = [1 if axis == "x" else described["shape"][axis] for axis in order]
    return writer.extra_node(Form("DimShuffle", {"new_order": order}, [writer.use(x)]), {**described, "shape": shape})


def _rows_only(op: Any, node: Any, writer: "GraphWriter") -> Form:
    writes = {"set_instead_of_inc": bool(op.set_instead_of_inc)} if hasattr(op, "set_instead_of_inc") else {}
    return Form(type(op).__name__, writes)


ROWS = {
    ("tensor", "Subtensor"): _basic(1),
    ("tensor", "AdvancedSubtensor"): _basic(1),
    ("tensor", "IncSubtensor"): _basic(2),
    ("tensor", "AdvancedIncSubtensor"): _basic(2),
    ("tensor", "AdvancedSubtensor1"): _rows_only,
    ("tensor", "AdvancedIncSubtensor1"): _rows_only,
}
