"""Where the user's program made a node: the innermost stack frame that is neither PyTensor's nor another library's."""

import os
import sys
from functools import lru_cache
from typing import Any

_LIBRARIES = ("site-packages", "dist-packages")
_STANDARD_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep


@lru_cache(maxsize=None)
def _shown(file: str, here: str) -> str | None:
    """The file's name as the graph file gives it, or None for files of libraries.

    Below the folder `here` it is the path from there, elsewhere the bare name: graph files are passed on, and folders
    of one machine mean nothing on another.
    """
    path = os.path.abspath(file)
    folders = path.split(os.sep)
    if any(folder.startswith("ipykernel_") for folder in folders):
        return _cell(file)
    if path.startswith(_STANDARD_LIBRARY) or any(folder in _LIBRARIES for folder in folders) or _is_pytensor(folders):
        return None
    below = os.path.relpath(path, here)
    return os.path.basename(path) if below.startswith(os.pardir) else below.replace(os.sep, "/")


def _cell(file: str) -> str:
    """A notebook's cell as the notebook numbers it: Jupyter compiles each one as a temporary file."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    number = getattr(getattr(shell, "compile", None), "_filename_map", {}).get(file)
    return "notebook" if number is None else f"In[{number}]"


def _is_pytensor(folders: list[str]) -> bool:
    """Whether a path leads into PyTensor's own package (its folder of the name within a checkout included)."""
    return any(
        name == "pytensor" and os.path.exists(os.sep.join([*folders[: at + 1], "configdefaults.py"]))
        for at, name in enumerate(folders[:-1])
    )


def origin_of(node: Any) -> str | None:
    """`"model.py:42"`, or None where PyTensor kept no stack for the node (those that rewrites made)."""
    here = os.getcwd()
    for output in node.outputs:
        for stack in getattr(getattr(output, "tag", None), "trace", None) or ():
            for frame in reversed(stack):
                file = None if frame[0].startswith("<") else _shown(frame[0], here)
                if file is not None:
                    return f"{file}:{frame[1]}"
    return None
