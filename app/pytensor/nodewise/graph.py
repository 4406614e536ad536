"""From a PyTensor graph to the file's Graph: values with ids, nodes in topological order."""

from typing import Any

from nodewise.data import bit_generator, encode
from nodewise.errors import ExportError
from nodewise.form import Form
from nodewise.kinds import is_a
from nodewise.ops import form_of
from nodewise.origin import origin_of
from nodewise.types import describe_type, element_dtype


class Context:
    """What the graphs of one file share."""

    def __init__(self) -> None:
        self.random = False
        # By the id of a function graph, which is kept alive beside its result: one op may stand in many nodes.
        self.inner: dict[int, tuple[Any, dict[str, Any]]] = {}


class GraphWriter:
    """Collects one Graph. Rows of the op tables use it for the constants and nodes that they add."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._values: list[dict[str, Any]] = []
        self._nodes: list[dict[str, Any]] = []
        self._ids: dict[Any, int] = {}
        self._waiting: dict[Any, Any] = {}  # output variable to its node, which is written once somebody reads it

    def draws(self) -> None:
        """Notes that the graph draws random numbers."""
        self._context.random = True

    def value(self, type_: dict[str, Any], name: str | None = None, **more: Any) -> int:
        """The id of a new value."""
        named = {} if name is None else {"name": str(name)}
        self._values.append({"type": type_, **named, **more})
        return len(self._values) - 1

    def constant(self, type_: dict[str, Any], value: Any, dtype: str | None) -> int:
        """The id of a new constant."""
        return self.value(type_, const=encode(value, dtype))

    def add_input(self, variable: Any, shared: bool = False, sample: Any = None) -> int:
        """The id of a graph input. `sample` is its current value, if there is one: a generator's type depends on it."""
        described = describe_type(variable.type)
        generator = bit_generator(sample)
        if described["kind"] == "rng" and generator not in (None, "PCG64"):
            described["bit_generator"] = generator
        more = {"shared": True} if shared else {}
        self._ids[variable] = self.value(described, variable.name, **more)
        return self._ids[variable]

    def use(self, variable: Any) -> int:
        """The id of a variable that is read: an input, a constant, or an output of a node before."""
        if variable in self._ids:
            return self._ids[variable]
        if is_a(variable, "Constant"):
            data = encode(variable.data, element_dtype(variable.type))
            self._ids[variable] = self.value(describe_type(variable.type), variable.name, const=data)
        elif variable in self._waiting:
            self._write(self._waiting[variable])
        else:
            raise ExportError(
                f"The variable {variable} is neither an input of the graph nor computed in it",
                "Give every variable that the outputs depend on as an input.",
            )
        return self._ids[variable]

    def extra_node(self, form: Form, type_: dict[str, Any]) -> int:
        """Adds a node that the user's graph does not have, with one output of this type. Returns the output's id."""
        output = self.value(type_)
        self._nodes.append(_node(form, form.inputs or [], [output]))
        return output

    def add_node(self, node: Any) -> None:
        """Adds a node whose inputs have been added before."""
        if is_a(node.op, "MakeSlice"):  # indexing takes slices apart; few other ops read them
            self._waiting.update((output, node) for output in node.outputs)
        else:
            self._write(node)

    def _write(self, node: Any) -> None:
        form = form_of(node.op, node, self)
        inputs = form.inputs if form.inputs is not None else [self.use(variable) for variable in node.inputs]
        outputs = []
        for variable in node.outputs:
            self._ids[variable] = self.value(describe_type(variable.type), variable.name)
            outputs.append(self._ids[variable])
        written = _node(form, inputs, outputs)
        origin = origin_of(node)
        if origin is not None:
            written["origin"] = origin
        for key, attribute in (("destroys", "destroy_map"), ("views", "view_map")):
            pairs = sorted(
                [int(output), int(source)]
                for output, sources in (getattr(node.op, attribute, None) or {}).items()
                for source in sources
            )
            if pairs:
                written[key] = pairs
        self._nodes.append(written)

    def inner(self, fgraph: Any) -> dict[str, Any]:
        """The Graph of an op's inner function graph."""
        known = self._context.inner.get(id(fgraph))
        if known is None:
            known = (fgraph, write_graph(fgraph, self._context))
            self._context.inner[id(fgraph)] = known
        return known[1]

    def new_inner(self) -> "GraphWriter":
        """A writer of another Graph of the same file."""
        return GraphWriter(self._context)

    def single(self, op: Any, node: Any, inputs: list[dict[str, Any]], outputs: list[dict[str, Any]]) -> dict[str, Any]:
        """The Graph of one node of `op`, whose inputs and outputs have these Types."""
        core = self.new_inner()
        ids = [core.value(type_) for type_ in inputs]
        form = form_of(op, node, core)
        results = [core.value(type_) for type_ in outputs]
        core._nodes.append(_node(form, form.inputs or ids, results))
        return core.finish(ids, results)

    def finish(self, inputs: list[int], outputs: list[int]) -> dict[str, Any]:
        return {"values": self._values, "inputs": inputs, "outputs": outputs, "nodes": self._nodes}


def _node(form: Form, inputs: list[int], outputs: list[int]) -> dict[str, Any]:
    params = {"params": form.params} if form.params else {}
    return {"op": form.op, **params, "in": inputs, "out": outputs}


def write_graph(fgraph: Any, context: Context, inputs: list[Any] | None = None) -> dict[str, Any]:
    """The Graph of a function graph. `inputs` (of `program.Input`) say what is known of its inputs."""
    writer = GraphWriter(context)
    if inputs is None:
        input_ids = [writer.add_input(variable) for variable in fgraph.inputs]
    else:
        input_ids = [writer.add_input(each.variable, each.shared, each.sample()) for each in inputs]
    for node in fgraph.toposort():
        writer.add_node(node)
    return writer.finish(input_ids, [writer.use(variable) for variable in fgraph.outputs])
