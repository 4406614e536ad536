"""`export`: a PyTensor function to a graph file."""

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nodewise.cases import record
from nodewise.errors import ExportError
from nodewise.graph import Context, write_graph
from nodewise.program import Program, program_of

SUFFIX = ".nwg.json"
VERSION = 1  # of the format


def export(
    fn_or_outputs: Any,
    path: str | os.PathLike[str],
    cases: Iterable[Any] = (),
    *,
    inputs: Sequence[Any] | None = None,
    updates: Mapping[Any, Any] | None = None,
    mode: Any = None,
    name: str | None = None,
    source: str | None = None,
) -> Path:
    """Writes a graph file that Nodewise compiles, runs and explains, and returns its path.

    Parameters
    ----------
    fn_or_outputs
        A compiled function (`pytensor.function(...)`), a `FunctionGraph`, or one or several output variables. A
        compiled function and a FunctionGraph are written as they are; outputs are rewritten first, as `mode` does.
    path
        The file; ".nwg.json" is added where it is missing. An existing file is replaced.
    cases
        Calls to record with their results: each one a tuple of arguments, a dict of them by name (or variable), or a
        single array; `()` for a function that takes nothing. Shared variables go in with their current values and keep
        them. A call that raises is recorded as one that raises.
    inputs, updates, mode
        For output variables: as in `pytensor.function`. `inputs` are by default the variables that the outputs depend
        on, in the order of their use.
    name, source
        A title, and a remark on where the graph comes from. The title is by default the function's name.

    Raises
    ------
    ExportError
        With what was wrong and what to do.
    """
    target = _target(path)
    document = document_of(program_of(fn_or_outputs, inputs, updates, mode), cases, name, source)
    _write(target, document)
    return target


def document_of(program: Program, cases: Iterable[Any], name: str | None, source: str | None) -> dict[str, Any]:
    """The whole file as plain dicts and lists."""
    context = Context()
    graph = write_graph(program.fgraph, context, program.inputs)
    if program.updates:
        graph["updates"] = [[source_, output] for output, source_ in sorted(program.updates.items())]
    document: dict[str, Any] = {"format": "nodewise-graph", "version": VERSION}
    title = name or program.name
    if title:
        document["name"] = str(title)
    producer = sys.modules.get("pytensor")
    if producer is not None:
        document["producer"] = {"name": "pytensor", "version": str(producer.__version__)}
    if source:
        document["source"] = source
    document["graph"] = graph
    recorded = record(program, cases, context.random)
    if recorded:
        document["cases"] = recorded
    return document


def _target(path: str | os.PathLike[str]) -> Path:
    try:
        target = Path(path)
    except TypeError as error:
        raise ExportError(
            f"path has to be a file's name, not a {type(path).__name__}", "Write export(f, 'model.nwg.json')."
        ) from error
    if target.is_dir():
        raise ExportError(f"{target} is a folder", f"Give a file's name, such as {target / ('model' + SUFFIX)}.")
    return target if target.name.endswith(SUFFIX) else target.with_name(target.name + SUFFIX)


def _write(target: Path, document: dict[str, Any]) -> None:
    """Writes the file beside its place and moves it there: a reader never sees half of it."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    beside = None
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=target.parent, prefix=".", suffix=SUFFIX, delete=False
        ) as file:
            beside = file.name
            file.write(text + "\n")
        os.chmod(beside, 0o666 & ~_umask())
        os.replace(beside, target)
    except OSError as error:
        if beside is not None and os.path.exists(beside):
            os.unlink(beside)
        raise ExportError(
            f"{target} cannot be written: {error.strerror or error}",
            "Choose a folder that exists and that you may write to.",
        ) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
