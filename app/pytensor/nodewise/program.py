"""What a user hands over, in one form: a function graph, what is known of its inputs, and a way to run it."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from nodewise.errors import ExportError

_ACCEPTED = "Give a compiled function, a FunctionGraph, or one or several output variables."


@dataclass
class Input:
    """One input of the graph. `filter` converts a value to the input's type, or raises TypeError or ValueError."""

    variable: Any
    shared: bool
    given: bool  # whether a call has to give it
    filter: Callable[[Any], Any]
    sample: Callable[[], Any]  # the current value; None where there is none

    @property
    def name(self) -> str | None:
        return None if self.variable.name is None else str(self.variable.name)


# Takes a value for each input of the graph and returns one for each output, updates included.
Run = Callable[[Sequence[Any]], list[Any]]


@dataclass
class Program:
    """`prepare` makes what runs the program, and is called only if a case is to be recorded."""

    fgraph: Any
    inputs: list[Input]
    prepare: Callable[[], Run]
    updates: dict[int, int] = field(default_factory=dict)  # output position to input position
    name: str | None = None


def is_function(thing: Any) -> bool:
    return hasattr(thing, "maker") and hasattr(thing, "input_storage")


def is_function_graph(thing: Any) -> bool:
    return all(hasattr(thing, part) for part in ("inputs", "outputs", "toposort"))


def from_function(function: Any) -> Program:
    """The program of a compiled function."""
    fgraph = function.maker.fgraph
    inputs = [
        _function_input(variable, spec, container)
        for variable, spec, container in zip(fgraph.inputs, function.maker.inputs, function.input_storage)
    ]
    updates = dict(getattr(fgraph, "update_mapping", None) or {})
    return Program(fgraph, inputs, lambda: partial(_call, function, inputs, updates), updates, function.name)


def _function_input(variable: Any, spec: Any, container: Any) -> Input:
    implicit = bool(getattr(spec, "implicit", False))
    shared = bool(getattr(spec, "shared", False)) or (implicit and getattr(spec, "update", None) is not None)
    strict = bool(getattr(spec, "strict", False))
    downcast = getattr(spec, "allow_downcast", None)
    return Input(
        variable,
        shared,
        given=not implicit,
        filter=lambda value: variable.type.filter(value, strict=strict, allow_downcast=downcast),
        sample=lambda: container.storage[0],
    )


def _call(function: Any, inputs: list[Input], updates: dict[int, int], values: Sequence[Any]) -> list[Any]:
    """Calls the function on these values. Its shared variables have their old values afterwards."""
    containers = function.input_storage
    kept = {at: containers[at].storage[0] for at, each in enumerate(inputs) if not each.given}
    try:
        for at in kept:
            containers[at].storage[0] = values[at]
        returned = function(*[value for each, value in zip(inputs, values) if each.given])
        results = as_list(returned, len(function.maker.fgraph.outputs) - len(updates))
        # PyTensor puts the outputs that are updates after all others.
        return results + [containers[updates[output]].storage[0] for output in sorted(updates)]
    finally:
        for at, value in kept.items():
            containers[at].storage[0] = value


def as_list(returned: Any, count: int) -> list[Any]:
    """What a function returned, as a list: functions unpack a single output, and older ones may return a dict."""
    if count == 0:
        return []
    if isinstance(returned, dict):
        return [returned[key] for key in sorted(returned)]
    return list(returned) if isinstance(returned, (list, tuple)) and len(returned) == count else [returned]


def copied(value: Any, name: str) -> Any:
    """A deep copy of a value that a run may overwrite."""
    try:
        return copy.deepcopy(value)
    except Exception as error:
        raise ExportError(
            f"The value of the input {name} cannot be copied ({type(error).__name__}: {error})",
            "Export without cases, or keep that value out of the function.",
        ) from error


def program_of(thing: Any, inputs: Sequence[Any] | None, updates: Any, mode: Any) -> Program:
    """The program of anything that `export` takes. `inputs`, `updates` and `mode` are for output variables."""
    if not is_function(thing) and is_function(getattr(thing, "f", None)):
        thing = thing.f  # PyMC's functions of a point hold PyTensor's
    whole = is_function(thing) or is_function_graph(thing)
    if whole and (inputs is not None or updates is not None or mode is not None):
        raise ExportError(
            f"inputs, updates and mode say how outputs are made a function; this {type(thing).__name__} is one",
            "Leave them out.",
        )
    if not whole:
        _check_outputs(thing)
    from nodewise import rewriting  # imports this module

    if is_function_graph(thing):
        return rewriting.from_function_graph(thing)
    function = thing if whole else rewriting.compiled(thing, inputs, updates, mode)
    program = from_function(function)
    if rewriting.runs_python(function):
        program.prepare = rewriting.python_runner(program.fgraph)
    return program


def _check_outputs(thing: Any) -> None:
    several = list(thing) if isinstance(thing, (list, tuple)) else [thing]
    for each in several:
        if not (hasattr(each, "owner") and hasattr(each, "type")):
            raise ExportError(f"A {type(each).__name__} cannot be exported", _ACCEPTED)
    if not several:
        raise ExportError("There is no output to export", _ACCEPTED)
