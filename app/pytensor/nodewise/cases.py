"""Recorded calls: what went in, what came out, or what was raised."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from nodewise.data import encode
from nodewise.errors import ExportError
from nodewise.program import Input, Program, Run, copied
from nodewise.types import element_dtype


def record(program: Program, calls: Iterable[Any], random: bool) -> list[dict[str, Any]]:
    """Runs the program on each call and returns the file's Cases. The program's shared variables stay as they are."""
    if isinstance(calls, (str, bytes, Mapping)) or not isinstance(calls, Iterable):
        raise ExportError(
            f"cases has to be a list of calls, not a {type(calls).__name__}",
            "Write cases=[(x, y), ...], or cases=[{'x': x, 'y': y}, ...]; cases=[()] where nothing is to be given.",
        )
    calls = list(calls)
    if not calls:
        return []
    try:
        run = program.prepare()
    except ExportError:
        raise
    except Exception as error:
        raise ExportError(
            f"PyTensor cannot run this graph ({type(error).__name__}: {_first_line(error)})", "Export it without cases."
        ) from error
    return [_record_one(program, run, call, number, random) for number, call in enumerate(calls)]


def _record_one(program: Program, run: Run, call: Any, number: int, random: bool) -> dict[str, Any]:
    values = _bound(program.inputs, call, f"case {number}")
    case: dict[str, Any] = {"inputs": [_encoded(value, each.variable) for value, each in zip(values, program.inputs)]}
    # The run may overwrite its inputs.
    values = [copied(value, each.name or "without a name") for value, each in zip(values, program.inputs)]
    try:
        outputs = run(values)
    except NotImplementedError as error:
        raise ExportError(
            f"Case {number} cannot be run: {_first_line(error) or 'an op has no Python code'}",
            "Give a function that PyTensor has compiled, or export without cases.",
        ) from error
    except Exception as error:
        case["raises"] = {"type": type(error).__name__, "message": _first_line(error)}
    else:
        case["outputs"] = [_encoded(value, variable) for value, variable in zip(outputs, program.fgraph.outputs)]
    if random:
        case["random"] = True
    return case


def _encoded(value: Any, variable: Any) -> dict[str, Any]:
    return encode(value, element_dtype(variable.type))


def _first_line(error: Exception) -> str:
    """The message without what PyTensor adds about the node."""
    return str(error).partition("\n")[0]


def _title(each: Input, at: int) -> str:
    return f"input {at} ({each.name})" if each.name else f"input {at}"


def _bound(inputs: Sequence[Input], call: Any, where: str) -> list[Any]:
    """A value for each input of the graph: the call's, and the current ones of those that a call does not give."""
    given = [at for at, each in enumerate(inputs) if each.given]
    if isinstance(call, Mapping):
        found = _by_name(inputs, given, call, where)
    else:
        # An array, or a number, is a call of one argument.
        arguments = list(call) if isinstance(call, (tuple, list)) else [call]
        if len(arguments) > len(given):
            raise ExportError(f"{where} has {len(arguments)} arguments; the function takes {len(given)}")
        found = dict(zip(given, arguments))
    return [_value(each, at, found, where) for at, each in enumerate(inputs)]


def _by_name(inputs: Sequence[Input], given: list[int], call: Mapping[Any, Any], where: str) -> dict[int, Any]:
    positions: dict[Any, int] = {}
    for at in given:
        positions[inputs[at].variable] = at
        if inputs[at].name is not None:
            positions[inputs[at].name] = at
    names = {key: getattr(key, "name", key) if key not in positions else key for key in call}
    for key, name in names.items():
        if name not in positions:
            known = ", ".join(inputs[at].name or f"(input {at}, without a name)" for at in given)
            raise ExportError(f"{where} gives {name}, which is no input of the function", f"Its inputs are: {known}.")
    return {positions[names[key]]: value for key, value in call.items()}


def _value(each: Input, at: int, found: dict[int, Any], where: str) -> Any:
    if at not in found:
        value = each.sample()
        if value is None and each.given:
            raise ExportError(f"{where} has no value for {_title(each, at)}", f"It takes a {each.variable.type}.")
        return value
    value = found[at]
    try:
        return each.filter(value)
    except (TypeError, ValueError) as error:
        shape = f" of shape {np.shape(value)}" if isinstance(value, np.ndarray) else ""
        dtype = f" {value.dtype}" if isinstance(value, np.ndarray) else ""
        raise ExportError(
            f"{where} gives a{dtype} {type(value).__name__}{shape} for {_title(each, at)}, which takes a "
            f"{each.variable.type}: {_first_line(error)}",
            "Convert it first.",
        ) from error
