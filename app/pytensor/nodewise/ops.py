"""From an op to its name and parameters in the graph file: three tables, and one function over them.

Ops are found by the area and name of their class. `PLAIN` lists those whose parameters are attributes of the op;
`ROWS` those that need a function; `INHERITED` those whose subclasses, PyTensor's or the user's, are exported alike.
What no table has is kept by its class's name and properties: it can be shown, not run.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from nodewise import op_indexing, op_legacy, op_linalg, op_nesting, op_tensor
from nodewise.form import Form, plain, properties
from nodewise.kinds import area_of
from nodewise.op_plain import PLAIN
from nodewise.scalar_ops import is_scalar_op, scalar_name, scalar_params
from nodewise.text import stable_text

if TYPE_CHECKING:
    from nodewise.graph import GraphWriter

Row = Callable[[Any, Any, "GraphWriter"], Form | None]

ROWS: Mapping[tuple[str, str], Row] = {
    **op_tensor.ROWS,
    **op_indexing.ROWS,
    **op_linalg.ROWS,
    **op_nesting.ROWS,
    **op_legacy.ROWS,
}
INHERITED: Mapping[str, Row] = op_nesting.INHERITED


def form_of(op: Any, node: Any, writer: "GraphWriter") -> Form:
    """How a node of this op is written. `node` has the op's `inputs` and `outputs`, variables with types."""
    cls = type(op)
    key = (area_of(cls), cls.__name__)
    if key in PLAIN:
        name, attributes = PLAIN[key]
        return Form(name, {attribute: plain(getattr(op, attribute)) for attribute in attributes})
    if is_scalar_op(op):
        return Form(scalar_name(op), scalar_params(op, writer))
    rows = [ROWS[key]] if key in ROWS else []
    rows += [INHERITED[base.__name__] for base in cls.__mro__ if base.__name__ in INHERITED]
    for row in rows:
        form = row(op, node, writer)
        if form is not None:
            return form
    return unknown(op)


def unknown(op: Any) -> Form:
    """An op outside the format: its class's name, its properties where they are plain, and what it prints as."""
    name = type(op).__name__
    taken = {row_name for row_name, _ in PLAIN.values()} | {row_name for _, row_name in ROWS} | {*INHERITED}
    return Form(
        name if name not in taken else f"{type(op).__module__}.{name}", {**properties(op), "repr": stable_text(op)}
    )
