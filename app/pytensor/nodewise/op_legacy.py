"""Ops of PyTensor before version 3 that later ones make of other ops: written as the `OpFromGraph` that they became."""

from typing import TYPE_CHECKING, Any

import numpy as np

from nodewise.form import Form
from nodewise.types import describe_type

if TYPE_CHECKING:
    from nodewise.graph import GraphWriter

_COUNT = {"kind": "tensor", "dtype": "int64", "shape": []}


class _Formula:
    """Elementwise expressions and reductions over one shape, as nodes of a new inner graph. Values are ids."""

    def __init__(self, writer: "GraphWriter", types: list[dict[str, Any]], axes: list[int]) -> None:
        self.graph = writer.new_inner()
        self.inputs = [self.graph.value(type_) for type_ in types]
        self._type = types[0]
        self._axes = axes

    def elemwise(self, scalar_op: str, *inputs: int, reduced: bool = False) -> int:
        """The scalar op on every element; `reduced` where all inputs have length 1 along the axes."""
        type_ = {**self._type, "shape": self._short()} if reduced else self._type
        return self.graph.extra_node(Form("Elemwise", {"scalar_op": scalar_op}, list(inputs)), type_)

    def _short(self) -> list[int | None]:
        return [1 if axis in self._axes else length for axis, length in enumerate(self._type["shape"])]

    def reduced(self, op: str, scalar_op: str, x: int) -> int:
        """The reduction over the axes, which stay as axes of length 1."""
        shape = self._type["shape"]
        kept = [axis for axis in range(len(shape)) if axis not in self._axes]
        form = Form(op, {"scalar_op": scalar_op, "axis": self._axes}, [x])
        small = self.graph.extra_node(form, {**self._type, "shape": [shape[axis] for axis in kept]})
        order = [kept.index(axis) if axis in kept else "x" for axis in range(len(shape))]
        type_ = {**self._type, "shape": self._short()}
        return self.graph.extra_node(Form("DimShuffle", {"new_order": order}, [small]), type_)

    def form(self, name: str, result: int, params: dict[str, Any]) -> Form:
        return Form("OpFromGraph", {"class": name, **params, "graph": self.graph.finish(self.inputs, [result])})


def _formula(op: Any, node: Any, writer: "GraphWriter") -> _Formula:
    rank = node.inputs[0].type.ndim
    axis = getattr(op, "axis", None)
    axes = list(range(rank)) if axis is None else [int(axis) % rank]
    return _Formula(writer, [describe_type(variable.type) for variable in node.inputs], axes)


def _softmax(op: Any, node: Any, writer: "GraphWriter") -> Form | None:
    if hasattr(op, "fgraph"):
        return None  # newer: an OpFromGraph already
    formula = _formula(op, node, writer)
    (x,) = formula.inputs
    shifted = formula.elemwise("sub", x, formula.reduced("Max", "maximum", x))
    powers = formula.elemwise("exp", shifted)
    total = formula.reduced("Sum", "add", powers)
    if type(op).__name__ == "Softmax":
        return formula.form("Softmax", formula.elemwise("true_div", powers, total), {"axis": op.axis})
    logarithm = formula.elemwise("log", total, reduced=True)
    return formula.form("LogSoftmax", formula.elemwise("sub", shifted, logarithm), {"axis": op.axis})


def _softmax_grad(op: Any, node: Any, writer: "GraphWriter") -> Form:
    formula = _formula(op, node, writer)
    gradient, softmax = formula.inputs
    product = formula.elemwise("mul", gradient, softmax)
    total = formula.reduced("Sum", "add", product)
    result = formula.elemwise("sub", product, formula.elemwise("mul", total, softmax))
    return formula.form("SoftmaxGrad", result, {"axis": op.axis})


def _tri(op: Any, node: Any, writer: "GraphWriter") -> Form:
    graph = writer.new_inner()
    rows, columns, k = ids = [graph.value(describe_type(variable.type)) for variable in node.inputs]
    zero, one = (graph.constant(_COUNT, np.int64(number), "int64") for number in (0, 1))

    def numbers(length: int, order: list[Any], shape: list[int | None]) -> int:
        vector = {"kind": "tensor", "dtype": "int64", "shape": [None]}
        counted = graph.extra_node(Form("ARange", {"dtype": "int64"}, [zero, length, one]), vector)
        return graph.extra_node(Form("DimShuffle", {"new_order": order}, [counted]), {**vector, "shape": shape})

    small = {**describe_type(node.inputs[2].type), "shape": [1, 1]}
    single = graph.extra_node(Form("DimShuffle", {"new_order": ["x", "x"]}, [k]), small)
    matrix = {"kind": "tensor", "dtype": "int64", "shape": [None, None]}
    down, across = numbers(rows, [0, "x"], [None, 1]), numbers(columns, ["x", 0], [1, None])
    limit = graph.extra_node(Form("Elemwise", {"scalar_op": "add"}, [down, single]), {**matrix, "shape": [None, 1]})
    below = graph.extra_node(Form("Elemwise", {"scalar_op": "ge"}, [limit, across]), {**matrix, "dtype": "bool"})
    cast = Form("Elemwise", {"scalar_op": "cast", "dtype": op.dtype}, [below])
    result = graph.extra_node(cast, describe_type(node.outputs[0].type))
    return Form("OpFromGraph", {"class": "Tri", "dtype": op.dtype, "graph": graph.finish(ids, [result])})


ROWS = {
    ("tensor", "Softmax"): _softmax,
    ("tensor", "LogSoftmax"): _softmax,
    ("tensor", "SoftmaxGrad"): _softmax_grad,
    ("tensor", "Tri"): _tri,
}
