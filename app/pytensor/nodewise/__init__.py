"""Export PyTensor functions to Nodewise's graph files, and open them in its window.

    import nodewise
    nodewise.export(f, "model.nwg.json", cases=[(x, y)])
    nodewise.show(f)

Importing this package imports NumPy only; PyTensor is imported when something has to be rewritten or run.
"""

from nodewise.errors import ExportError
from nodewise.export import export
from nodewise.show import show

__all__ = ["ExportError", "export", "show"]
__version__ = "0.1.0"
