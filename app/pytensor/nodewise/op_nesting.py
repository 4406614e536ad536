"""Rows of ops that hold a graph or another op, and of random draws."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nodewise.form import Form, plain, properties
from nodewise.kinds import area_of
from nodewise.text import stable_text
from nodewise.types import without_batch

if TYPE_CHECKING:
    from nodewise.graph import GraphWriter


def _scan(op: Any, node: Any, writer: "GraphWriter") -> Form:
    info = op.info
    untraced = info.n_untraced_sit_sot if hasattr(info, "n_untraced_sit_sot") else info.n_shared_outs
    return Form(
        "Scan",
        {
            "n_seqs": int(info.n_seqs),
            "mit_mot_in": plain(info.mit_mot_in_slices),
            "mit_mot_out": plain(info.mit_mot_out_slices),
            "mit_sot_in": plain(info.mit_sot_in_slices),
            "sit_sot_in": plain(info.sit_sot_in_slices),
            "n_nit_sot": int(info.n_nit_sot),
            "n_untraced": int(untraced),
            "n_non_seqs": int(info.n_non_seqs),
            "as_while": bool(info.as_while),
            "graph": writer.inner(op.fgraph),
        },
    )


def _op_from_graph(op: Any, node: Any, writer: "GraphWriter") -> Form:
    name = type(op).__name__
    people = {} if name == "OpFromGraph" else {"class": name, **properties(op)}
    return Form("OpFromGraph", {**people, "graph": writer.inner(op.fgraph)})


@dataclass
class _CoreNode:
    """What a row reads of a node, for the op within a Blockwise."""

    inputs: list[Any]
    outputs: list[Any]


@dataclass
class _CoreVariable:
    type: Any
    owner: None = None


@dataclass
class _CoreType:
    """A tensor type without its batch axes."""

    ndim: int
    dtype: str


def _blockwise(op: Any, node: Any, writer: "GraphWriter") -> Form:
    signature = op.signature
    ranks_in, ranks_out = ([_rank(part) for part in side.split("),(")] for side in signature.split("->"))

    def core(variables: list[Any], ranks: list[int]) -> tuple[list[dict[str, Any]], list[Any]]:
        types = [without_batch(variable.type, rank) for variable, rank in zip(variables, ranks)]
        stand_ins = [
            _CoreVariable(_CoreType(rank, getattr(variable.type, "dtype", "")))
            for variable, rank in zip(variables, ranks)
        ]
        return types, stand_ins

    input_types, inputs = core(node.inputs, ranks_in)
    output_types, outputs = core(node.outputs, ranks_out)
    graph = writer.single(op.core_op, _CoreNode(inputs, outputs), input_types, output_types)
    return Form("Blockwise", {"signature": signature, "core": graph})


def _rank(part: str) -> int:
    """The number of core axes in one part of a signature, such as `(m,n`."""
    axes = part.strip("() ")
    return axes.count(",") + 1 if axes else 0


def _random_variable(op: Any, node: Any, writer: "GraphWriter") -> Form | None:
    if not area_of(type(op)):
        return None  # a user's own distribution draws in its own way
    writer.draws()
    method = getattr(op, "method", None)
    return Form(
        "RandomVariable",
        {
            "dist": op.name,
            "signature": op.signature,
            "dtype": node.outputs[1].type.dtype,
            **({} if method is None else {"method": method}),
        },
    )


def _optimizer(op: Any, node: Any, writer: "GraphWriter") -> Form:
    plain_parts = ("method", "jac", "hess")
    params = {name: plain(getattr(op, name)) for name in plain_parts if hasattr(op, name)}
    try:
        params["optimizer_kwargs"] = plain(getattr(op, "optimizer_kwargs", {}))
    except TypeError:  # a callback, say
        params["optimizer_kwargs"] = stable_text(op.optimizer_kwargs)
    return Form(type(op).__name__, {**params, "repr": stable_text(op), "graph": writer.inner(op.fgraph)})


ROWS = {
    ("tensor", "Scan"): _scan,
    ("tensor", "Blockwise"): _blockwise,
    **{("tensor", name): _optimizer for name in ("MinimizeOp", "MinimizeScalarOp", "RootOp", "RootScalarOp")},
}

# Subclasses are exported alike: what they compute is in the graph, or in the distribution's name.
INHERITED = {"OpFromGraph": _op_from_graph, "RandomVariable": _random_variable}
