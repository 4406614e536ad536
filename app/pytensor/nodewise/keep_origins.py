"""Lets rewriting hand on where the user's program made a node.

PyTensor's own rewrites copy the stack of what they replace only in part; fused nodes have none. Here a node that
replaces a variable takes over its stack, and so do the nodes made together with it.
"""

from typing import Any


def keeping_origins(rewriter: Any) -> Any:
    """The same rewriting, by a rewriter that hands stacks on."""
    from pytensor.graph.features import Feature
    from pytensor.graph.rewriting.basic import GraphRewriter, SequentialGraphRewriter

    class HandOn(Feature):
        def on_change_input(self, fgraph: Any, node: Any, i: int, old: Any, new: Any, reason: Any = None) -> None:
            stack = getattr(old.tag, "trace", None)
            if stack:
                _hand_on(new, stack)

    class Watch(GraphRewriter):
        def add_requirements(self, fgraph: Any) -> None:
            fgraph.attach_feature(HandOn())

        def apply(self, fgraph: Any) -> None:
            pass

    return SequentialGraphRewriter(Watch(), rewriter)


def _hand_on(variable: Any, stack: Any) -> None:
    """Gives the stack to this variable and to those before it, up to where there is one already."""
    waiting = [variable]
    while waiting:
        each = waiting.pop()
        if each.owner is None or any(getattr(output.tag, "trace", None) for output in each.owner.outputs):
            continue
        each.tag.trace = stack
        waiting.extend(each.owner.inputs)
