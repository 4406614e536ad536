"""Rows of linear algebra whose attributes changed between PyTensor's versions."""

from typing import TYPE_CHECKING, Any

from nodewise.form import Form

if TYPE_CHECKING:
    from nodewise.graph import GraphWriter

# SciPy's long names of a matrix's structure, and the short ones that the file has.
_STRUCTURES = {"general": "gen", "symmetric": "sym", "hermitian": "her", "positive definite": "pos"}


def _cholesky(op: Any, node: Any, writer: "GraphWriter") -> Form:
    # Older versions raise where a matrix is not positive definite; the file's op gives not-a-number.
    raises = {"on_error": "raise"} if getattr(op, "on_error", "nan") == "raise" else {}
    return Form("Cholesky", {"lower": bool(op.lower), **raises})


def _solve(op: Any, node: Any, writer: "GraphWriter") -> Form:
    assume_a = _STRUCTURES.get(op.assume_a, op.assume_a)
    return Form("Solve", {"assume_a": assume_a, "lower": bool(op.lower), "b_ndim": int(op.b_ndim)})


def _solve_triangular(op: Any, node: Any, writer: "GraphWriter") -> Form | None:
    if getattr(op, "trans", 0) not in (0, "N"):
        return None
    return Form(
        "SolveTriangular",
        {"unit_diagonal": bool(op.unit_diagonal), "lower": bool(op.lower), "b_ndim": int(op.b_ndim)},
    )


def _eigh(op: Any, node: Any, writer: "GraphWriter") -> Form:
    if hasattr(op, "UPLO"):  # before version 3: NumPy's eigh, which is LAPACK's syevd
        return Form("Eigh", {"lower": op.UPLO == "L", "driver": "evd"})
    return Form("Eigh", {"lower": bool(op.lower), **({} if op.driver is None else {"driver": op.driver})})


ROWS = {
    ("tensor", "Cholesky"): _cholesky,
    ("tensor", "Solve"): _solve,
    ("tensor", "SolveTriangular"): _solve_triangular,
    ("tensor", "Eigh"): _eigh,
}
