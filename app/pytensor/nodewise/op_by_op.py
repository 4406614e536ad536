"""A function graph as its single ops, for running it in Python: fused elementwise nodes and inner graphs taken apart.

PyTensor's Python code of a fused node computes on Python numbers, in double precision and unbounded integers. A
recorded case has to say what each op gives at its declared dtype, as compiled code does; so cases are computed from
these nodes. The Python code of an `OpFromGraph` refuses inner graphs that a compiler has rewritten to work in place.
"""

from collections.abc import Sequence
from typing import Any

from nodewise.kinds import is_a


def taken_apart(fgraph: Any, inputs: Sequence[Any]) -> list[Any]:
    """The outputs of `fgraph` as functions of these variables, which stand for its inputs."""
    known = dict(zip(fgraph.inputs, inputs))
    for node in fgraph.toposort():
        arguments = [known.get(variable, variable) for variable in node.inputs]
        if is_a(node.op, "Elemwise") and is_a(node.op.scalar_op, "Composite"):
            outputs = _unfused(node, arguments)
        elif is_a(node.op, "OpFromGraph"):
            inner = node.op.fgraph
            # Nodes of a frozen graph cannot be cloned with other inputs.
            outputs = taken_apart(inner.unfreeze() if hasattr(inner, "unfreeze") else inner, arguments)
        else:
            outputs = node.clone_with_new_inputs(arguments, strict=False).outputs
        known.update(zip(node.outputs, outputs))
    return [known.get(variable, variable) for variable in fgraph.outputs]


def _unfused(node: Any, inputs: list[Any]) -> list[Any]:
    from pytensor.scalar import second
    from pytensor.tensor import constant
    from pytensor.tensor.elemwise import Elemwise

    rank = node.outputs[0].type.ndim
    scalars = node.op.scalar_op.fgraph
    known = dict(zip(scalars.inputs, inputs))

    def tensor(variable: Any) -> Any:
        if variable not in known:  # a constant
            value = constant(variable.data, dtype=variable.type.dtype)
            known[variable] = value.reshape((1,) * rank) if rank else value
        return known[variable]

    for inner in scalars.toposort():
        outputs = Elemwise(inner.op).make_node(*[tensor(variable) for variable in inner.inputs]).outputs
        known.update(zip(inner.outputs, outputs))

    def whole(variable: Any, wanted: Any) -> Any:
        """The result in the node's shape: an output need not depend on all inputs that the node broadcasts."""
        result = tensor(variable)
        for other in inputs:
            if result.type.broadcastable != wanted.type.broadcastable:
                result = Elemwise(second)(other, result)
        return result

    return [whole(variable, wanted) for variable, wanted in zip(scalars.outputs, node.outputs)]
