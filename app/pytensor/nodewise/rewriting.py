"""What needs PyTensor itself: rewriting outputs as a compilation would, and running a bare function graph."""

from collections.abc import Callable, Sequence
from typing import Any

from nodewise.errors import ExportError
from nodewise.keep_origins import keeping_origins
from nodewise.kinds import is_a
from nodewise.op_by_op import taken_apart
from nodewise.program import Input, Program, Run, as_list


def _pytensor() -> Any:
    try:
        import pytensor
    except ImportError as error:
        raise ExportError(
            f"PyTensor cannot be imported ({error})", "Install it in this Python environment (2.31 to 3.x)."
        ) from error
    return pytensor


def _python_mode(rewriter: Any) -> Any:
    """A mode that rewrites with `rewriter` (None: not at all) and runs each op's Python code."""
    from pytensor.compile.mode import Mode
    from pytensor.link.vm import VMLinker

    return Mode(linker=VMLinker(use_cloop=False, c_thunks=False), optimizer=rewriter)


def compiled(outputs: Any, inputs: Sequence[Any] | None, updates: Any, mode: Any) -> Any:
    """A function of these outputs: rewritten as `mode` (PyTensor's default one) does, but not compiled."""
    pytensor = _pytensor()
    from pytensor.compile.mode import get_mode

    if inputs is None:
        inputs = _free_variables(outputs, updates)
    try:
        rewriter = keeping_origins(get_mode(mode).optimizer)
        return pytensor.function(
            list(inputs), outputs, updates=updates, mode=_python_mode(rewriter), on_unused_input="ignore"
        )
    except Exception as error:  # no such mode (a bare Exception), a missing input, ...
        message = str(error).partition("\n")[0]
        raise ExportError(f"These outputs cannot be made a function ({type(error).__name__}: {message})") from error


def _free_variables(outputs: Any, updates: Any) -> list[Any]:
    """The inputs that the outputs depend on, in the order of their first use, without shared variables."""
    from pytensor.compile.sharedvalue import SharedVariable
    from pytensor.graph.basic import Constant

    try:
        from pytensor.graph.traversal import graph_inputs
    except ImportError:  # before 2.32
        from pytensor.graph.basic import graph_inputs

    roots = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
    roots += list(dict(updates or {}).values())
    found = dict.fromkeys(graph_inputs(roots))
    return [variable for variable in found if not isinstance(variable, (Constant, SharedVariable))]


def from_function_graph(fgraph: Any) -> Program:
    """The program of a FunctionGraph as it is: nothing is rewritten."""
    updates = dict(getattr(fgraph, "update_mapping", None) or {})
    return Program(fgraph, [_graph_input(variable) for variable in fgraph.inputs], python_runner(fgraph), updates)


def _graph_input(variable: Any) -> Input:
    shared = hasattr(variable, "get_value")
    return Input(
        variable,
        shared,
        given=not shared,
        filter=lambda value: variable.type.filter(value, strict=False, allow_downcast=None),
        sample=lambda: variable.get_value(borrow=True) if shared else None,
    )


def python_runner(fgraph: Any) -> Callable[[], Run]:
    """What makes a runner of a function graph that uses the Python code of each op."""

    def prepare() -> Run:
        pytensor = _pytensor()
        from pytensor.compile.io import In

        fresh = [variable.type() for variable in fgraph.inputs]
        outputs = taken_apart(fgraph, fresh)
        inputs = [In(variable, mutable=True, borrow=True) for variable in fresh]
        function = pytensor.function(
            inputs, outputs, mode=_python_mode(None), on_unused_input="ignore", accept_inplace=True
        )
        return lambda values: as_list(function(*values), len(fgraph.outputs))

    return prepare


def runs_python(function: Any) -> bool:
    """Whether a compiled function runs the ops' Python code (rather than C, Numba, ...)."""
    linker = function.maker.linker
    if is_a(linker, "PerformLinker"):
        return True
    return is_a(linker, "VMLinker") and not (getattr(linker, "c_thunks", True) and _pytensor().config.cxx)
