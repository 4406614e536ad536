"""`show`: export a function and open Nodewise's window on it."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nodewise.errors import ExportError
from nodewise.export import SUFFIX, export

_VARIABLE = "NODEWISE_PROGRAM"
_START_SECONDS = 1.0  # a window that cannot open has said so by then


def show(
    fn_or_outputs: Any,
    cases: Iterable[Any] = (),
    *,
    path: str | os.PathLike[str] | None = None,
    program: str | os.PathLike[str] | None = None,
    wait: bool = False,
    **options: Any,
) -> Path:
    """Exports (see `export`, which takes `options`) and opens the window. Returns the graph file's path.

    The file goes to `path`, or to a new folder for temporary files. The program is `program`, or what the environment
    variable NODEWISE_PROGRAM names, or `nodewise` on the PATH or beside this package. With `wait` it returns when the
    window is closed.
    """
    executable = find_program(program)
    if path is None:
        name = options.get("name") or getattr(fn_or_outputs, "name", None) or "function"
        path = Path(tempfile.mkdtemp(prefix="nodewise-")) / (re.sub(r"[^\w.-]+", "_", str(name)) + SUFFIX)
    written = export(fn_or_outputs, path, cases, **options)
    _open(executable, written, wait)
    return written


def find_program(program: str | os.PathLike[str] | None = None) -> str:
    """The path of the nodewise program."""
    named = program or os.environ.get(_VARIABLE)
    if named:
        found = shutil.which(os.fspath(named))
        if found is None:
            raise ExportError(f"{named} is not a program that can be run", "Name the nodewise program that was built.")
        return found
    found = shutil.which("nodewise")
    if found is not None:
        return found
    for place in _places():
        if os.access(place, os.X_OK):
            return str(place)
    raise ExportError(
        "There is no nodewise program on the PATH",
        f"Build it (app/run.sh does), and set {_VARIABLE} to its path, or give show(..., program=...).",
    )


def _places() -> list[Path]:
    """Where the program lies beside this package: in a source folder that was built, and in an installation."""
    above = list(Path(__file__).resolve().parents)
    source = [above[3] / "build" / "release" / "app" / "nodewise"] if len(above) > 3 else []
    installed = [above[4] / "bin" / "nodewise"] if len(above) > 4 else []
    return source + installed


def _open(executable: str, file: Path, wait: bool) -> None:
    # Not a pipe: the window outlives this process.
    with tempfile.TemporaryFile() as said:
        try:
            window = subprocess.Popen([executable, "gui", str(file)], stderr=said, start_new_session=True)
        except OSError as error:
            raise ExportError(f"{executable} cannot be started: {error.strerror or error}") from error
        try:
            window.wait(None if wait else _START_SECONDS)
        except subprocess.TimeoutExpired:
            return  # it is open
        if window.returncode != 0:
            said.seek(0)
            text = said.read().decode(errors="replace").strip() or "it said nothing"
            raise ExportError(
                f"{executable} ended with exit code {window.returncode}: {text}",
                f"The graph is in {file}; `nodewise report` makes a page of it, and needs no display.",
            )
