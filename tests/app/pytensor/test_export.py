"""`export` and `show`: files that the program itself reads and runs, and the errors that users meet."""

import json
import os
import stat
import subprocess
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import stand_ins as s

import nodewise
from nodewise.errors import ExportError
from nodewise.show import find_program

PROGRAM = os.environ.get("NODEWISE_PROGRAM")


def sum_of_exp() -> s.Function:
    """f(x) = sum(exp(x)), and a shared count that goes up by one."""
    x, count = s.tensor(None, name="x"), s.tensor(dtype="int64", name="count")
    powers = s.apply(s.elemwise("Exp"), [x], s.tensor(None))
    total = s.apply(s.op("tensor.math", "Sum", scalar_op=s.scalar("Add"), axis=None), [powers], s.tensor())
    more = s.apply(s.elemwise("Add"), [count, s.constant(1, "int64")], s.tensor(dtype="int64"))
    return s.Function(
        [x, count], [total, more], lambda x, count: [np.exp(x).sum(), count + 1], {count: np.array(41)}, {1: 1}
    )


def older_indexing() -> s.Function:
    """x[i, 1:] as versions before 3 have it, and its last column as a Subtensor of types."""
    x, i = s.tensor(None, None, name="x"), s.tensor(None, dtype="int64", name="i")
    rest = s.Constant(s.SliceType(), data=slice(1, None, None))
    taken = s.apply(s.op("tensor.subtensor", "AdvancedSubtensor"), [x, i, rest], s.tensor(None, None))
    last = s.op("tensor.subtensor", "Subtensor", idx_list=(slice(None), s.ScalarType("int64")))
    minus_one = s.Constant(s.ScalarType("int64"), data=-1)
    outputs = [taken, s.apply(last, [taken, minus_one], s.tensor(None))]
    new = s.Constant(s.NoneTypeT(), data=None)
    rank_4 = s.tensor(1, None, 1, None)
    outputs.append(s.apply(s.op("tensor.subtensor", "AdvancedSubtensor"), [x, new, i, new], rank_4))
    return s.Function([x, i], outputs, lambda x, i: [x[i, 1:], x[i, -1], x[None, i, None]])


def older_softmax() -> s.Function:
    """Softmax, its gradient and LogSoftmax along an axis, and Tri, as ops of their own."""
    x, g, n = s.tensor(None, None, name="x"), s.tensor(None, None, name="g"), s.tensor(dtype="int64", name="n")
    outputs = [
        s.apply(s.op("tensor.special", "Softmax", axis=0), [x], s.tensor(None, None)),
        s.apply(s.op("tensor.special", "LogSoftmax", axis=None), [x], s.tensor(None, None)),
    ]
    outputs.append(s.apply(s.op("tensor.special", "SoftmaxGrad", axis=-1), [g, x], s.tensor(None, None)))
    k = s.constant(1, "int8")
    outputs.append(
        s.apply(s.op("tensor.basic", "Tri", dtype="float32"), [n, n, k], s.tensor(None, None, dtype="float32"))
    )

    def compute(x: Any, g: Any, n: Any) -> list:
        powers = np.exp(x)
        grad = g * x - (g * x).sum(1, keepdims=True) * x
        return [powers / powers.sum(0), x - np.log(powers.sum()), grad, np.tri(n, n, 1, dtype="float32")]

    return s.Function([x, g, n], outputs, compute)


def flattened() -> s.Function:
    """cumsum and repeat without an axis, which older versions flatten for."""
    x = s.tensor(None, None, dtype="int32", name="x")
    outputs = [
        s.apply(s.op("tensor.extra_ops", "CumOp", axis=None, mode="add"), [x], s.tensor(None, dtype="int32")),
        s.apply(
            s.op("tensor.extra_ops", "Repeat", axis=None), [x, s.constant([2], "int64")], s.tensor(None, dtype="int32")
        ),
    ]
    return s.Function([x], outputs, lambda x: [np.cumsum(x, dtype="int32"), np.repeat(x, 2)])


def nested() -> s.Function:
    """A fused elementwise node, an OpFromGraph around it, a Blockwise, and a Scan that sums."""
    x = s.tensor(None, 2, 2, name="x")
    a, b = s.Variable(s.ScalarType("float64")), s.Variable(s.ScalarType("float64"))
    product = s.apply(s.scalar("Mul"), [a, a], s.Variable(s.ScalarType("float64")))
    half = s.Constant(s.ScalarType("float64"), data=0.5)
    body = s.apply(s.scalar("Add"), [product, half], b)
    fused = s.op("tensor.elemwise", "Elemwise", scalar_op=s.scalar("Composite", fgraph=s.FunctionGraph([a], [body])))
    y = s.tensor(None, 2, 2)
    inner = s.FunctionGraph([y], [s.apply(fused, [y], s.tensor(None, 2, 2))])
    outer = s.op("compile.builders", "OpFromGraph", (s.OpFromGraph,), fgraph=inner)
    whole = s.apply(outer, [x], s.tensor(None, 2, 2))
    core = s.op("tensor.linalg.summary", "Det")
    dets = s.apply(s.op("tensor.blockwise", "Blockwise", core_op=core, signature="(m,m)->()"), [whole], s.tensor(None))
    return s.Function([x], [whole, dets, _scanned_sum(dets)], _nested_results)


def _scanned_sum(sequence: s.Variable) -> s.Variable:
    item, state = s.tensor(), s.tensor()
    step = s.apply(s.elemwise("Add"), [state, item], s.tensor())
    info = SimpleNamespace(
        n_seqs=1, mit_mot_in_slices=(), mit_mot_out_slices=(), mit_sot_in_slices=(), sit_sot_in_slices=((-1,),),
        n_nit_sot=0, n_untraced_sit_sot=0, n_non_seqs=0, as_while=False,
    )  # fmt: skip
    scan = s.op("scan.op", "Scan", info=info, fgraph=s.FunctionGraph([item, state], [step]))
    steps = s.apply(s.op("tensor.shape", "Shape_i", i=0), [sequence], s.tensor(dtype="int64"))
    return s.apply(scan, [steps, sequence, s.constant(np.zeros(4))], s.tensor(None))


def _nested_results(x: np.ndarray) -> list:
    whole = x * x + 0.5
    dets = np.linalg.det(whole)
    return [whole, dets, np.concatenate([[0.0], np.cumsum(dets)])]


def draws() -> s.Function:
    """Three normal numbers, and the generator afterwards."""
    rng = s.Variable(s.RandomGeneratorType(), "rng")
    normal = s.op("tensor.random.basic", "NormalRV", (s.RandomVariable,), name="normal", signature="(),()->()")
    inputs = [rng, s.constant([3], "int64"), s.constant(0.0), s.constant(1.0)]
    after, drawn = s.apply(normal, inputs, s.Variable(s.RandomGeneratorType()), s.tensor(3))

    def compute(rng: np.random.Generator) -> list:
        drawn = rng.normal(0.0, 1.0, 3)
        return [drawn, rng]

    return s.Function([rng], [drawn, after], compute, {rng: np.random.default_rng(1)}, {1: 0})


class Files(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def exported(self, function: Any, cases: Any = (), **options: Any) -> dict:
        return json.loads(nodewise.export(function, self.folder / "f", cases, **options).read_text("utf-8"))

    def test_names_shared_variables_and_updates(self) -> None:
        document = self.exported(sum_of_exp())
        graph = document["graph"]
        self.assertEqual((document["format"], document["version"], document["name"]), ("nodewise-graph", 1, "stand-in"))
        self.assertEqual([graph["values"][at].get("name") for at in graph["inputs"]], ["x", "count"])
        self.assertEqual([graph["values"][at].get("shared") for at in graph["inputs"]], [None, True])
        self.assertEqual(graph["updates"], [[1, 1]])
        self.assertNotIn("cases", document)

    def test_a_case_leaves_shared_variables_as_they_were(self) -> None:
        function = sum_of_exp()
        (case,) = self.exported(function, [(np.zeros(3),)])["cases"]
        self.assertEqual([each["data"] for each in case["inputs"]], [[0.0] * 3, [41]])
        self.assertEqual([each["data"] for each in case["outputs"]], [[3.0], [42]])
        self.assertEqual(function.input_storage[1].storage[0], 41)

    def test_arguments_by_position_by_name_and_alone(self) -> None:
        x = np.ones(2)
        cases = self.exported(sum_of_exp(), [(x,), {"x": x}, x])["cases"]
        self.assertEqual(cases[0], cases[1])
        self.assertEqual(cases[0], cases[2])

    def test_a_call_that_raises_is_recorded(self) -> None:
        x = s.tensor(None)

        def fail(x: Any) -> list:
            raise AssertionError("not positive\nApply node that caused the error: ...")

        function = s.Function([x], [s.apply(s.elemwise("Exp"), [x], s.tensor(None))], fail)
        (case,) = self.exported(function, [(np.zeros(1),)])["cases"]
        self.assertEqual(case["raises"], {"type": "AssertionError", "message": "not positive"})
        self.assertNotIn("outputs", case)

    def test_a_generator_is_recorded_as_it_was_before_the_draw(self) -> None:
        function = draws()
        (case,) = self.exported(function, [()])["cases"]
        state = np.random.default_rng(1).bit_generator.state["state"]["state"]
        self.assertEqual(case["inputs"][0]["rng"]["state"], str(state))
        self.assertNotEqual(case["outputs"][1]["rng"]["state"], str(state))
        self.assertTrue(case["random"])
        self.assertEqual(function.input_storage[0].storage[0].bit_generator.state["state"]["state"], state)

    def test_the_same_function_gives_the_same_file(self) -> None:
        texts = {nodewise.export(nested(), self.folder / "f", [np.eye(2)[None]]).read_bytes() for _ in range(2)}
        self.assertEqual(len(texts), 1)

    def test_the_suffix_is_added_and_a_file_is_replaced(self) -> None:
        path = nodewise.export(sum_of_exp(), self.folder / "model")
        self.assertEqual(path.name, "model.nwg.json")
        self.assertEqual(nodewise.export(sum_of_exp(), path), path)
        self.assertEqual(os.listdir(self.folder), ["model.nwg.json"])
        self.assertTrue(path.stat().st_mode & stat.S_IRUSR)

    @unittest.skipUnless(PROGRAM, "NODEWISE_PROGRAM does not name the program")
    def test_the_program_computes_the_recorded_results(self) -> None:
        x = np.random.default_rng(2).normal(size=(3, 4))
        functions = {
            "sum": (sum_of_exp(), [(np.linspace(-1, 1, 20),), (np.zeros(0),)]),
            "indexing": (older_indexing(), [(x, np.array([2, -1, 0]))]),
            "softmax": (older_softmax(), [(x, x + 1, 3)]),
            "flattened": (flattened(), [(np.arange(6, dtype="int32").reshape(2, 3),)]),
            "nested": (nested(), [(x.reshape(3, 2, 2),)]),
            "draws": (draws(), [()]),
        }
        for name, (function, cases) in functions.items():
            nodewise.export(function, self.folder / name, cases)
        result = subprocess.run(
            [PROGRAM, "verify", "--cache", str(self.folder / "cache.db"), str(self.folder)],
            capture_output=True,
            text=True,
        )
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("7 cases: 7 passed, 0 failed", result.stdout)


class Errors(unittest.TestCase):
    def fails(self, pattern: str, *arguments: Any, **options: Any) -> None:
        with self.assertRaisesRegex(ExportError, pattern):
            nodewise.export(*arguments, **options)

    def test_something_else_than_a_function(self) -> None:
        self.fails("A int cannot be exported.*compiled function", 3, "f")
        self.fails("no output", [], "f")

    def test_options_for_outputs_with_a_compiled_function(self) -> None:
        self.fails("this Function is one. Leave them out", sum_of_exp(), "f", mode="FAST_RUN")

    def test_a_path_that_cannot_be_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.fails("is a folder.*model.nwg.json", sum_of_exp(), folder)
            self.fails("cannot be written: No such file.*Choose a folder", sum_of_exp(), Path(folder) / "no" / "f")
            os.symlink("/proc", Path(folder) / "read only")
            self.fails("cannot be written", sum_of_exp(), Path(folder) / "read only" / "f")
        self.fails("path has to be a file's name, not a NoneType", sum_of_exp(), None)

    def test_cases_that_do_not_fit(self) -> None:
        function = sum_of_exp()
        self.fails("list of calls, not a dict", function, "f", {"x": np.zeros(1)})
        self.fails("case 0 has 2 arguments; the function takes 1", function, "f", [(1, 2)])
        self.fails("case 1 has no value for input 0 .x.", function, "f", [(np.zeros(1),), ()])
        self.fails("gives y, which is no input.*inputs are: x", function, "f", [{"y": 1}])
        self.fails("complex128 ndarray of shape .1,. for input 0 .x.*float64", function, "f", [(np.ones(1) * 1j,)])

    def test_a_shared_value_that_cannot_be_copied(self) -> None:
        x, thing = s.tensor(name="x"), s.Variable(s.StrangeType(), "log file")
        with tempfile.TemporaryFile() as file:
            function = s.Function(
                [x, thing], [s.apply(s.elemwise("Exp"), [x], s.tensor())], lambda x, _: [x], {thing: file}
            )
            self.fails("input log file cannot be copied .TypeError.*without cases", function, "f", [1.0])

    def test_a_function_of_pymc_holds_that_of_pytensor(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.assertTrue(nodewise.export(SimpleNamespace(f=sum_of_exp()), Path(folder) / "f").exists())

    def test_outputs_without_pytensor(self) -> None:
        if find_spec("pytensor") is None:
            self.fails("PyTensor cannot be imported", s.tensor(), "f")

    def test_no_program_to_show_with(self) -> None:
        with self.assertRaisesRegex(ExportError, "/no/such is not a program"):
            nodewise.show(sum_of_exp(), program="/no/such")

    def test_a_window_that_does_not_open(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "nodewise"
            program.write_text("#!/bin/sh\necho no display >&2\nexit 3\n")
            program.chmod(0o755)
            self.assertEqual(find_program(program), str(program))
            with self.assertRaisesRegex(ExportError, "exit code 3: no display"):
                nodewise.show(sum_of_exp(), program=program, path=Path(folder) / "f")


if __name__ == "__main__":
    unittest.main()
