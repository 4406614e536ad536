"""Functions that PyTensor itself rewrites and computes, exported and verified by the program.

Where PyTensor cannot be imported it says so, and exits with 77: skipped.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import nodewise

try:
    import pytensor
    import pytensor.tensor as pt
    from pytensor import function, grad, shared
    from pytensor.ifelse import ifelse
except ImportError:
    print("skipped: no pytensor")
    sys.exit(77)

PROGRAM = os.environ["NODEWISE_PROGRAM"]
RANDOM = np.random.default_rng(7)


def log_density() -> tuple[Any, list]:
    """A normal model's log density and its gradient."""
    y, mu, log_sigma = pt.vector("y"), pt.scalar("mu"), pt.scalar("log_sigma")
    logp = (-0.5 * ((y - mu) / pt.exp(log_sigma)) ** 2 - log_sigma).sum() + pt.gammaln(pt.exp(mu))
    return function([y, mu, log_sigma], [logp, *grad(logp, [mu, log_sigma])]), [(RANDOM.normal(size=9), 0.3, -0.2)]


def training_step() -> tuple[Any, list]:
    """A float32 step of gradient descent: shared variables with updates."""
    weights = shared(RANDOM.normal(size=(4, 3)).astype("float32"), name="weights")
    bias = shared(np.zeros(3, "float32"), name="bias")
    x, target = pt.fmatrix("x"), pt.lvector("target")
    probability = pt.special.softmax(pt.tanh(x @ weights + bias), axis=1)
    loss = -pt.log(probability)[pt.arange(target.shape[0]), target].mean()
    updates = {p: p - np.float32(0.1) * g for p, g in zip((weights, bias), grad(loss, [weights, bias]))}
    step = function([x, target], loss, updates=updates, name="training step")
    return step, [(RANDOM.normal(size=(5, 4)).astype("float32"), RANDOM.integers(0, 3, 5))]


def recurrence() -> tuple[Any, list]:
    """A second-order recurrence with its gradient: Scan forwards and backwards."""
    noise, a = pt.vector("noise"), pt.scalar("a")
    start = {"initial": pt.zeros(2), "taps": [-1, -2]}
    states, _ = pytensor.scan(
        lambda e, x1, x2, a: a * x1 - 0.1 * x2 + e, sequences=[noise], outputs_info=[start], non_sequences=[a]
    )
    return function([noise, a], [states, grad((states**2).sum(), a)]), [(RANDOM.normal(size=12), 0.5)]


def branches() -> tuple[Any, list]:
    """IfElse, both ways."""
    flag, x = pt.iscalar("flag"), pt.matrix("x")
    chosen = ifelse(flag, x @ x, x.T)
    return function([flag, x], chosen), [(1, np.eye(3) + 1), (0, np.arange(9.0).reshape(3, 3))]


def draws() -> tuple[Any, list]:
    """Draws from a generator that is a shared variable and is updated."""
    rng = shared(np.random.default_rng(5), name="rng")
    first, normal = pt.random.normal(0, [1.0, 2.0, 3.0], size=(4, 3), rng=rng).owner.outputs
    second, counts = pt.random.poisson(pt.exp(normal), rng=first).owner.outputs
    return function([], [normal, counts], updates={rng: second}), [()]


def indexing() -> tuple[Any, list]:
    """Reading and writing with slices, arrays and masks."""
    x, i, mask = pt.tensor3("x"), pt.lvector("i"), pt.matrix("mask", dtype="bool")
    outputs = [
        x[i, 1:, i],
        x[:, i[:, None], i],
        x[::-1, -1, ::2],
        x[mask],
        pt.inc_subtensor(x[i, i], 1.5),
        x[..., None, 0],
    ]
    return function([x, i, mask], outputs), [(RANDOM.normal(size=(3, 4, 5)), np.array([0, -1, 2, 0]), np.eye(3, 4) > 0)]


def linear_algebra() -> tuple[Any, list]:
    """Factors, solutions and determinants of a matrix and of a batch."""
    a, b = pt.tensor3("a"), pt.vector("b")
    positive = a[0] @ a[0].T + 3 * pt.eye(a.shape[1])
    factor = pt.linalg.cholesky(positive)
    outputs = [factor, pt.linalg.solve(positive, b), pt.linalg.inv(a), pt.linalg.det(a)]
    return function([a, b], outputs), [(RANDOM.normal(size=(2, 4, 4)), RANDOM.normal(size=4))]


def an_op_from_a_graph() -> tuple[Any, list]:
    x, y = pt.matrices("x", "y")
    op = pytensor.compile.builders.OpFromGraph([x, y], [pt.exp(x).sum(0) * y, x - y])
    first, second = op(x, y)
    return function([x, y], op(first, second)), [(RANDOM.normal(size=(2, 3)), RANDOM.normal(size=(2, 3)))]


def dtypes() -> tuple[Any, list]:
    """Complex, half precision, and integers that wrap within a fused node."""
    z, x, n = pt.zvector("z"), pt.fmatrix("x"), pt.bvector("n")
    outputs = [pt.exp(z) * pt.conj(z), abs(z), x.astype("float16"), pt.sqrt(x).sum(0), n * n + n, n.sum()]
    arguments = (np.array([1 + 2j, -1j]), RANDOM.random((2, 3)).astype("float32"), np.array([127, -128, 100], "int8"))
    return function([z, x, n], outputs), [arguments]


def sparse_products() -> tuple[Any, list]:
    import pytensor.sparse
    import scipy.sparse

    x, w = pytensor.sparse.csr_matrix("x"), pt.matrix("w")
    loss = (pytensor.sparse.dot(x, w) ** 2).sum()
    matrix = scipy.sparse.random(6, 4, 0.5, format="csr", random_state=3)
    return function([x, w], [loss, grad(loss, w), x.T]), [(matrix, RANDOM.normal(size=(4, 2)))]


def a_failed_assertion() -> tuple[Any, list]:
    x = pt.vector("x")
    checked = pytensor.raise_op.Assert("x has to be positive")(pt.log(x), pt.all(x > 0))
    return function([x], checked), [(np.ones(2),), (-np.ones(2),)]


FUNCTIONS: list[Callable[[], tuple[Any, list]]] = [
    log_density, training_step, recurrence, branches, draws, indexing, linear_algebra, an_op_from_a_graph, dtypes,
    sparse_products, a_failed_assertion,
]  # fmt: skip


class WithPytensor(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def verified(self) -> str:
        command = [PROGRAM, "verify", "--cache", str(self.folder / "cache.db"), str(self.folder)]
        result = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_compiled_functions_verify(self) -> None:
        count = 0
        for make in FUNCTIONS:
            compiled, cases = make()
            nodewise.export(compiled, self.folder / make.__name__, cases)
            count += len(cases)
        self.assertIn(f"{count} cases: {count} passed, 0 failed, 0 unsupported", self.verified())

    def test_outputs_are_rewritten_and_origins_kept(self) -> None:
        x = pt.vector("x")
        path = nodewise.export((pt.exp(x) + 1) * 2, self.folder / "outputs", [np.arange(3.0)], name="outputs")
        (node,) = json.loads(path.read_text("utf-8"))["graph"]["nodes"]
        self.assertEqual(node["params"]["scalar_op"], "composite")
        self.assertRegex(node["origin"], r"with_pytensor.py:\d+$")
        self.verified()

    def test_graphs_rewritten_for_numba(self) -> None:
        """Inner graphs that work in place. Rewriting needs no Numba, and cases are run in Python."""
        x, rng = pt.tensor3("x"), shared(np.random.default_rng(5), name="rng")
        after, draw = pt.random.normal(x, rng=rng).owner.outputs
        factor = pt.linalg.cholesky(x @ x.transpose(0, 2, 1) + pt.eye(3))
        case = np.arange(18.0).reshape(2, 3, 3)
        nodewise.export([draw, factor], self.folder / "numba", [case], updates={rng: after}, mode="NUMBA")
        self.verified()

    def test_a_function_graph_is_written_as_it_is(self) -> None:
        x = pt.vector("x")
        fgraph = pytensor.graph.fg.FunctionGraph([x], [(pt.exp(x) + 1) * 2], clone=True)
        path = nodewise.export(fgraph, self.folder / "fgraph", [np.arange(3.0)])
        self.assertNotIn('"composite"', path.read_text("utf-8"))
        self.verified()

    def test_a_case_leaves_shared_variables_as_they_were(self) -> None:
        step, cases = training_step()
        before = [each.get_value() for each in step.get_shared()]
        nodewise.export(step, self.folder / "step", cases)
        after = [each.get_value() for each in step.get_shared()]
        self.assertTrue(all(np.array_equal(old, new) for old, new in zip(before, after)))

    def test_a_wrong_argument_is_named(self) -> None:
        compiled, _ = log_density()
        with self.assertRaisesRegex(nodewise.ExportError, r"case 0 gives .* for input 0 \(y\)"):
            nodewise.export(compiled, self.folder / "wrong", [(np.zeros((2, 2)), 0.0, 0.0)])

    def test_a_mode_or_inputs_that_do_not_fit_the_outputs(self) -> None:
        x, y = pt.vectors("x", "y")
        with self.assertRaisesRegex(nodewise.ExportError, "cannot be made a function.*NO_SUCH_MODE"):
            nodewise.export(x + y, self.folder / "wrong", mode="NO_SUCH_MODE")
        with self.assertRaisesRegex(nodewise.ExportError, "cannot be made a function.*MissingInput"):
            nodewise.export(x + y, self.folder / "wrong", inputs=[x])


if __name__ == "__main__":
    unittest.main()
