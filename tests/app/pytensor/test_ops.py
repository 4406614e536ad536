"""Ops, types and origins as the file writes them."""

import os
import unittest
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import stand_ins as s

from nodewise.errors import ExportError
from nodewise.graph import Context, write_graph
from nodewise.origin import origin_of
from nodewise.types import describe_type


def graph(inputs: list, *outputs: Any) -> dict:
    return write_graph(s.FunctionGraph(inputs, list(outputs)), Context())


def only_node(op: Any, inputs: list, *outputs: Any) -> dict:
    results = s.apply(op, inputs, *(outputs or [s.tensor()]))
    nodes = graph(
        [each for each in inputs if not isinstance(each, s.Constant)],
        *(results if isinstance(results, list) else [results])
    )["nodes"]
    return nodes[-1]


class Ops(unittest.TestCase):
    def test_plain_attributes_become_params(self) -> None:
        x = s.tensor(None, None)
        node = only_node(s.op("tensor.basic", "ExtractDiag", offset=np.int64(1), axis1=0, axis2=1, view=True), [x])
        self.assertEqual(node["params"], {"offset": 1, "axis1": 0, "axis2": 1, "view": True})
        self.assertNotIn("params", only_node(s.op("tensor.shape", "Shape"), [x]))

    def test_two_ops_of_one_name_are_told_apart_by_module(self) -> None:
        pair = [s.tensor(None, None), s.tensor(None, None)]
        self.assertEqual(only_node(s.op("tensor.math", "Dot"), pair)["op"], "Dot")
        self.assertEqual(only_node(s.op("sparse.math", "Dot"), pair)["op"], "SparseDot")
        self.assertEqual(only_node(s.op("sparse.math", "StructuredDot"), pair)["op"], "SparseStructuredDot")
        self.assertEqual(
            only_node(s.op("sparse.basic", "SparseFromDense", format="csr"), pair)["op"], "SparseFromDense"
        )

    def test_reductions_name_all_axes_and_an_accumulator_that_differs(self) -> None:
        x = s.tensor(None, None, dtype="float32")
        add = s.scalar("Add")
        node = only_node(
            s.op("tensor.math", "Sum", scalar_op=add, axis=None, acc_dtype="float64"), [x], s.tensor(dtype="float32")
        )
        self.assertEqual(node["params"], {"scalar_op": "add", "axis": [0, 1], "acc_dtype": "float64"})
        node = only_node(
            s.op("tensor.math", "Sum", scalar_op=add, axis=(1,), acc_dtype="float32"),
            [x],
            s.tensor(None, dtype="float32"),
        )
        self.assertEqual(node["params"], {"scalar_op": "add", "axis": [1]})

    def test_axes_are_never_negative(self) -> None:
        x = s.tensor(None, None, None)
        for op in (
            s.op("tensor.extra_ops", "CumOp", axis=-1, mode="add"),
            s.op("tensor.extra_ops", "Repeat", axis=-1),
            s.op("tensor.extra_ops", "Unique", axis=-1, return_index=False, return_inverse=False, return_counts=False),
        ):
            self.assertEqual(only_node(op, [x])["params"]["axis"], 2)
        self.assertEqual(only_node(s.op("tensor.math", "Argmax", axis=(-1, 0)), [x])["params"]["axis"], [0, 2])
        self.assertEqual(only_node(s.op("tensor.math", "Argmax", axis=None), [x])["params"], {"axis": None})
        any_ = s.op("tensor.math", "Any", scalar_op=s.scalar("OR"), axis=(-1,), acc_dtype=None)
        self.assertEqual(only_node(any_, [x])["params"], {"scalar_op": "or", "axis": [2]})

    def test_index_positions_follow_the_arrays(self) -> None:
        x, y, i, j = s.tensor(None, None), s.tensor(None), s.tensor(dtype="int64"), s.tensor(dtype="int64")
        new = (0, slice(None, 1, None))  # since version 3: counts
        old = (s.ScalarType("int64"), slice(None, s.ScalarType("int64"), None))  # before: types
        for idx_list in (new, old):
            node = only_node(s.op("tensor.subtensor", "Subtensor", idx_list=idx_list), [x, i, j])
            self.assertEqual(node["params"]["idx_list"], [1, [None, 2, None]])
            writes = s.op("tensor.subtensor", "IncSubtensor", idx_list=idx_list, set_instead_of_inc=True)
            node = only_node(writes, [x, y, i, j])
            self.assertEqual(node["params"], {"idx_list": [2, [None, 3, None]], "set_instead_of_inc": True})

    def test_an_axis_that_is_an_attribute_becomes_an_input(self) -> None:
        x, y, sizes, axis = s.tensor(None), s.tensor(None), s.tensor(2, dtype="int64"), s.constant(0, "int64")
        older = s.op("tensor.basic", "Join"), [axis, x, y]
        newer = s.op("tensor.basic", "Join", axis=0), [x, y]
        for join, inputs in (older, newer):
            written = graph([x, y], s.apply(join, inputs, s.tensor(None)))
            (node,) = written["nodes"]
            self.assertEqual(written["values"][node["in"][0]]["const"]["data"], [0])
            self.assertEqual(node["in"][1:], [0, 1])
        split = only_node(
            s.op("tensor.basic", "Split", len_splits=2, axis=0), [x, sizes], s.tensor(None), s.tensor(None)
        )
        self.assertEqual((split["params"], split["in"]), ({"len_splits": 2}, [0, 2, 1]))

    def test_slices_among_advanced_indices_of_older_versions_are_taken_apart(self) -> None:
        x, i, start = s.tensor(None, None, None), s.tensor(None, dtype="int64"), s.tensor(dtype="int64")
        fixed = s.Constant(s.SliceType(), data=slice(None, 3, None))
        none = s.Constant(s.NoneTypeT(), data=None)
        made = s.apply(s.op("tensor.type_other", "MakeSlice"), [start, none, none], s.Variable(s.SliceType()))
        result = s.apply(s.op("tensor.subtensor", "AdvancedSubtensor"), [x, fixed, i, made], s.tensor(None, None, None))
        written = graph([x, i, start], result)
        (node,) = written["nodes"]
        self.assertEqual(node["params"]["idx_list"], [[None, 1, None], 2, [3, None, None]])
        self.assertEqual([node["in"][0], *node["in"][2:]], [0, 1, 2])
        self.assertEqual(written["values"][node["in"][1]]["const"]["data"], [3])

    def test_a_newaxis_among_advanced_indices_of_older_versions(self) -> None:
        x, i = s.tensor(4, None), s.tensor(None, dtype="int64")
        none = s.Constant(s.NoneTypeT(), data=None)
        read = s.apply(s.op("tensor.subtensor", "AdvancedSubtensor"), [x, i, none, i], s.tensor(None, None))
        written = graph([x, i], read)
        expand, node = written["nodes"]
        self.assertEqual((expand["op"], expand["params"]), ("DimShuffle", {"new_order": [0, "x", 1]}))
        self.assertEqual(written["values"][expand["out"][0]]["type"]["shape"], [4, 1, None])
        self.assertEqual(node["params"]["idx_list"], [1, [None, None, None], 2])

    def test_a_form_that_the_format_lacks_does_not_pass_for_one_that_it_has(self) -> None:
        x, y, i = s.tensor(None), s.tensor(None), s.tensor(None, dtype="int64")
        none = s.Constant(s.NoneTypeT(), data=None)
        writes = s.op("tensor.subtensor", "AdvancedIncSubtensor", set_instead_of_inc=True)
        node = only_node(writes, [x, y, i, none])
        self.assertEqual(node["op"], "pytensor.tensor.subtensor.AdvancedIncSubtensor")
        self.assertIn("repr", node["params"])

    def test_permissions_to_overwrite_and_to_alias(self) -> None:
        gemv = s.op("tensor.blas", "Gemv", destroy_map={0: [0]})
        self.assertEqual(only_node(gemv, [s.tensor(None)])["destroys"], [[0, 0]])
        self.assertEqual(
            only_node(s.op("compile.ops", "ViewOp", view_map={0: [0]}), [s.tensor(None)])["views"], [[0, 0]]
        )

    def test_a_foreign_op_keeps_its_name_and_plain_properties(self) -> None:
        class Mine:
            __props__ = ("size", "callback")
            size, callback = (1, 2), print

            def __str__(self) -> str:
                return "Mine{0x7f0011223344}"

        self.assertEqual(
            only_node(Mine(), [s.tensor()]),
            {"op": "Mine", "params": {"size": [1, 2], "repr": "Mine{}"}, "in": [0], "out": [1]},
        )

    def test_a_foreign_op_does_not_pass_for_one_of_the_format(self) -> None:
        mine = type("Dot", (), {"__module__": "mine"})()
        self.assertEqual(only_node(mine, [s.tensor()])["op"], "mine.Dot")
        mine = type("exp", (s.ScalarOp,), {"__module__": "mine"})()
        node = only_node(s.op("tensor.elemwise", "Elemwise", scalar_op=mine), [s.tensor()])
        self.assertEqual(node["params"]["scalar_op"], "mine.exp")

    def test_a_foreign_distribution_is_not_a_draw_that_can_be_repeated(self) -> None:
        outputs = [s.Variable(s.RandomGeneratorType()), s.tensor()]
        mine = type("NormalRV", (s.RandomVariable,), {"__module__": "mine", "name": "normal", "signature": "()->()"})()
        self.assertEqual(only_node(mine, [s.tensor()], *outputs)["op"], "NormalRV")
        theirs = s.op("tensor.random.basic", "NormalRV", (s.RandomVariable,), name="normal", signature="(),()->()")
        node = only_node(theirs, [s.tensor()], s.Variable(s.RandomGeneratorType()), s.tensor())
        self.assertEqual(node["params"], {"dist": "normal", "signature": "(),()->()", "dtype": "float64"})

    def test_subclasses_that_hold_a_graph_are_exported_with_it(self) -> None:
        a = s.tensor()
        inner = s.FunctionGraph([a], [s.apply(s.elemwise("Exp"), [a], s.tensor())])
        mine = type(
            "Mine", (s.OpFromGraph,), {"__module__": "mine", "fgraph": inner, "__props__": ("axis",), "axis": (0,)}
        )()
        params = only_node(mine, [s.tensor()])["params"]
        self.assertEqual(
            (params["class"], params["axis"], params["graph"]["nodes"][0]["op"]), ("Mine", [0], "Elemwise")
        )

    def test_the_core_of_a_blockwise_has_no_batch_axes(self) -> None:
        core = s.op("tensor.linalg", "Cholesky", lower=True)
        blockwise = s.op("tensor.blockwise", "Blockwise", core_op=core, signature="(m,m)->(m,m)")
        node = only_node(blockwise, [s.tensor(2, None, 3, 3)], s.tensor(2, None, 3, 3))
        self.assertEqual([value["type"]["shape"] for value in node["params"]["core"]["values"]], [[3, 3], [3, 3]])
        self.assertEqual(
            node["params"]["core"]["nodes"], [{"op": "Cholesky", "params": {"lower": True}, "in": [0], "out": [1]}]
        )

    def test_a_variable_from_elsewhere_is_an_error_that_names_it(self) -> None:
        stray = s.tensor(name="stray")
        with self.assertRaisesRegex(ExportError, "stray.*neither an input"):
            graph([], s.apply(s.elemwise("Exp"), [stray], s.tensor()))


class Types(unittest.TestCase):
    def test_kinds(self) -> None:
        self.assertEqual(
            describe_type(s.TensorType("int8", (None, 1))), {"kind": "tensor", "dtype": "int8", "shape": [None, 1]}
        )
        self.assertEqual(describe_type(s.ScalarType("bool")), {"kind": "scalar", "dtype": "bool"})
        self.assertEqual(describe_type(s.SliceType()), {"kind": "slice"})

    def test_unknown_types_and_dtypes_are_opaque(self) -> None:
        self.assertEqual(describe_type(s.StrangeType()), {"kind": "opaque", "repr": "<Strange>"})
        self.assertEqual(describe_type(s.TensorType("object"))["kind"], "opaque")


class Origins(unittest.TestCase):
    @staticmethod
    def origin(*files: str) -> str | None:
        stack = [(file, 10 + at, "f", "text") for at, file in enumerate(files)]
        return origin_of(SimpleNamespace(outputs=[SimpleNamespace(tag=SimpleNamespace(trace=[stack]))]))

    def test_the_innermost_frame_of_the_user(self) -> None:
        here = os.path.join(os.getcwd(), "models", "radon.py")
        self.assertEqual(
            self.origin("/x/main.py", here, "/y/site-packages/pymc/math.py", os.__file__), "models/radon.py:11"
        )

    def test_files_elsewhere_are_named_without_their_folder(self) -> None:
        self.assertEqual(self.origin("/x/main.py"), "main.py:10")

    def test_cells_of_a_notebook_have_its_number(self) -> None:
        file = "/tmp/ipykernel_77/123.py"
        shell = SimpleNamespace(compile=SimpleNamespace(_filename_map={file: 5}))
        with patch.dict("sys.modules", {"IPython": SimpleNamespace(get_ipython=lambda: shell)}):
            self.assertEqual(self.origin(file), "In[5]:10")
        self.assertEqual(self.origin("/tmp/ipykernel_77/124.py"), "notebook:10")

    def test_no_origin_where_no_stack_was_kept(self) -> None:
        self.assertIsNone(self.origin("<stdin>"))
        self.assertIsNone(origin_of(SimpleNamespace(outputs=[SimpleNamespace()])))


if __name__ == "__main__":
    unittest.main()
