"""Rows of elementwise ops, reductions and shapes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from nodewise.form import Form
from nodewise.scalar_ops import scalar_name, scalar_params

if TYPE_CHECKING:
    from nodewise.graph import GraphWriter


def _elemwise(op: Any, node: Any, writer: "GraphWriter") -> Form:
    return Form("Elemwise", {"scalar_op": scalar_name(op.scalar_op), **scalar_params(op.scalar_op, writer)})


def _axes(op: Any, node: Any) -> list[int] | None:
    """The op's axes, ascending; the file has no negative ones. None for all."""
    if op.axis is None:
        return None
    axes = op.axis if isinstance(op.axis, (list, tuple)) else [op.axis]
    return sorted(int(axis) % node.inputs[0].type.ndim for axis in axes)


def _argmax(op: Any, node: Any, writer: "GraphWriter") -> Form:
    return Form("Argmax", {"axis": _axes(op, node)})


def _unique(op: Any, node: Any, writer: "GraphWriter") -> Form:
    axes = _axes(op, node)
    flags = ("return_index", "return_inverse", "return_counts")
    return Form(
        "Unique", {**{flag: bool(getattr(op, flag)) for flag in flags}, "axis": None if axes is None else axes[0]}
    )


def _reduction(op: Any, node: Any, writer: "GraphWriter") -> Form:
    params: dict[str, Any] = {"scalar_op": scalar_name(op.scalar_op), "axis": _axes(op, node)}
    if params["axis"] is None:
        params["axis"] = list(range(node.inputs[0].type.ndim))
    acc_dtype = getattr(op, "acc_dtype", None)
    if acc_dtype is not None and acc_dtype != node.outputs[0].type.dtype:
        params["acc_dtype"] = acc_dtype
    return Form(type(op).__name__, params)


def _dimshuffle(op: Any, node: Any, writer: "GraphWriter") -> Form:
    return Form("DimShuffle", {"new_order": [axis if axis == "x" else int(axis) for axis in op.new_order]})


def _along_axis(op: Any, node: Any, writer: "GraphWriter") -> Form:
    """`CumOp` and `Repeat`. Versions before 3 flatten x where the axis is None; the file says that as a Reshape."""
    name = type(op).__name__
    params: dict[str, Any] = {"mode": op.mode} if name == "CumOp" else {}
    x = node.inputs[0]
    if op.axis is not None or x.type.ndim == 1:
        return Form(name, {"axis": int(op.axis or 0) % x.type.ndim, **params})
    all_of_it = writer.constant({"kind": "tensor", "dtype": "int64", "shape": [1]}, np.array([-1]), "int64")
    vector = {"kind": "tensor", "dtype": x.type.dtype, "shape": [None]}
    flat = writer.extra_node(Form("Reshape", {"ndim": 1}, [writer.use(x), all_of_it]), vector)
    return Form(name, {"axis": 0, **params}, [flat, *map(writer.use, node.inputs[1:])])


def _axis_input(op: Any, node: Any, writer: "GraphWriter") -> Form:
    """`Join` and `Split`: the file has the axis as an input, PyTensor since version 3.1 as an attribute."""
    name = type(op).__name__
    inputs = [writer.use(variable) for variable in node.inputs]
    if hasattr(op, "axis"):
        axis = writer.constant({"kind": "tensor", "dtype": "int64", "shape": []}, int(op.axis), "int64")
        inputs.insert(0 if name == "Join" else 1, axis)
    return Form(name, {"len_splits": int(op.len_splits)} if name == "Split" else {}, inputs)


def _check(op: Any, node: Any, writer: "GraphWriter") -> Form:
    return Form("CheckAndRaise", {"exc_type": op.exc_type.__name__, "msg": str(op.msg)})


ROWS = {
    ("tensor", "Elemwise"): _elemwise,
    **{
        ("tensor", name): _reduction
        for name in ("CAReduce", "Sum", "Prod", "ProdWithoutZeros", "Max", "Min", "All", "Any")
    },
    ("tensor", "Argmax"): _argmax,
    ("tensor", "Unique"): _unique,
    ("tensor", "DimShuffle"): _dimshuffle,
    ("tensor", "CumOp"): _along_axis,
    ("tensor", "Repeat"): _along_axis,
    ("tensor", "Join"): _axis_input,
    ("tensor", "Split"): _axis_input,
    ("tensor", "CheckAndRaise"): _check,
    ("tensor", "Assert"): _check,
}
