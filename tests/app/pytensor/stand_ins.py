"""Objects of the same shape as PyTensor's: the tests of what reads them need no PyTensor.

Classes have PyTensor's names and modules, since that is what the package tells ops and types by.
"""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np


class TensorType:
    def __init__(self, dtype: str = "float64", shape: tuple = ()) -> None:
        self.dtype, self.shape, self.ndim = dtype, shape, len(shape)

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> np.ndarray:
        array = np.asarray(value)
        if array.ndim != self.ndim:
            raise TypeError(f"Wrong number of dimensions: expected {self.ndim}, got {array.ndim}.")
        if not np.can_cast(array.dtype, self.dtype):
            raise TypeError(f"{array.dtype} cannot be converted to {self.dtype}")
        return array.astype(self.dtype)

    def __str__(self) -> str:
        return f"Tensor({self.dtype}, shape={self.shape})"


class ScalarType:
    def __init__(self, dtype: str) -> None:
        self.dtype, self.shape, self.ndim = dtype, (), 0


class SliceType:
    pass


class NoneTypeT:
    pass


class RandomGeneratorType:
    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        return value


class StrangeType:
    def __str__(self) -> str:
        return "<Strange at 0x7f3a5c001230>"


@dataclass(eq=False)
class Variable:
    type: Any
    name: str | None = None
    owner: Any = None
    tag: Any = field(default_factory=SimpleNamespace)


@dataclass(eq=False)
class Constant(Variable):
    data: Any = None


@dataclass(eq=False)
class Apply:
    op: Any
    inputs: list
    outputs: list


def op(module: str, name: str, bases: tuple = (), /, **attributes: Any) -> Any:
    """An instance of a new class of this name, as if PyTensor's `module` had it."""
    return type(name, bases, {"__module__": f"pytensor.{module}", **attributes})()


class ScalarOp:
    """The base that PyTensor's scalar ops share."""


class OpFromGraph:
    """The base of ops that hold a graph."""

    __module__ = "pytensor.compile.builders"


class RandomVariable:
    __module__ = "pytensor.tensor.random.op"


def scalar(name: str, **attributes: Any) -> Any:
    return op("scalar.basic", name, (ScalarOp,), **attributes)


def elemwise(name: str, **attributes: Any) -> Any:
    return op("tensor.elemwise", "Elemwise", scalar_op=scalar(name, **attributes))


def tensor(*shape: int | None, dtype: str = "float64", name: str | None = None) -> Variable:
    return Variable(TensorType(dtype, shape), name)


def constant(value: Any, dtype: str = "float64") -> Constant:
    array = np.asarray(value, dtype=dtype)
    return Constant(TensorType(dtype, array.shape), data=array)


def apply(op_: Any, inputs: list, *outputs: Variable) -> Any:
    """A node. Returns its output, or the list of its outputs where there are several."""
    node = Apply(op_, inputs, list(outputs))
    for output in outputs:
        output.owner = node
    return outputs[0] if len(outputs) == 1 else list(outputs)


class FunctionGraph:
    def __init__(self, inputs: list, outputs: list, updates: dict | None = None) -> None:
        self.inputs, self.outputs = inputs, outputs
        self.update_mapping = updates or {}

    def toposort(self) -> list:
        order: list = []

        def visit(variable: Variable) -> None:
            node = variable.owner
            if node is not None and node not in order:
                for each in node.inputs:
                    visit(each)
                order.append(node)

        for output in self.outputs:
            visit(output)
        return order


class Function:
    """A compiled function: `compute` takes a value for each input and returns the list of all outputs."""

    def __init__(
        self, inputs: list, outputs: list, compute: Any, shared: dict | None = None, updates: dict | None = None
    ):
        shared = shared or {}
        self.name = "stand-in"
        linker = type("CLinker", (), {})()
        specs = [SimpleNamespace(implicit=each in shared, shared=each in shared) for each in inputs]
        self.maker = SimpleNamespace(fgraph=FunctionGraph(inputs, outputs, updates), inputs=specs, linker=linker)
        self.input_storage = [SimpleNamespace(storage=[shared.get(each)]) for each in inputs]
        self._compute, self._given = compute, [at for at, each in enumerate(inputs) if each not in shared]

    def __call__(self, *arguments: Any) -> list:
        values = [container.storage[0] for container in self.input_storage]
        for at, argument in zip(self._given, arguments):
            values[at] = argument
        results = self._compute(*values)
        updates = self.maker.fgraph.update_mapping
        for output, source in updates.items():
            self.input_storage[source].storage[0] = results[output]
        return results[: len(results) - len(updates)]
