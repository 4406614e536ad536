"""Values as the file encodes them."""

import base64
import unittest
from types import SimpleNamespace

import numpy as np

from nodewise.data import encode


class Data(unittest.TestCase):
    def test_numbers_that_json_has_no_word_for(self) -> None:
        self.assertEqual(encode(np.array([np.nan, np.inf, -np.inf, -0.0]))["data"], ["nan", "inf", "-inf", -0.0])
        self.assertEqual(encode(np.array([1 + 2j, complex("nan")]))["data"], [[1.0, 2.0], ["nan", 0.0]])

    def test_integers_keep_all_digits(self) -> None:
        self.assertEqual(encode(np.array([2**64 - 1], "uint64"))["data"], [18446744073709551615])

    def test_float32_has_the_digits_of_the_equal_double(self) -> None:
        self.assertEqual(np.float32(encode(np.float32(0.1))["data"][0]), np.float32(0.1))
        self.assertEqual(encode(np.float32(0.1)), {"dtype": "float32", "shape": [], "data": [0.10000000149011612]})

    def test_python_numbers_take_the_dtype_of_the_type(self) -> None:
        self.assertEqual(encode(1, "int8"), {"dtype": "int8", "shape": [], "data": [1]})
        self.assertEqual(encode(True)["dtype"], "bool")

    def test_more_than_16_elements_are_base64_in_c_order_little_endian(self) -> None:
        array = np.asfortranarray(np.arange(18.0).reshape(3, 6)).astype(">f8")
        encoded = encode(array)
        self.assertEqual((encoded["dtype"], encoded["shape"]), ("float64", [3, 6]))
        self.assertEqual(np.frombuffer(base64.b64decode(encoded["b64"]), "<f8").tolist(), list(range(18)))
        self.assertIn("data", encode(np.arange(16)))

    def test_a_generator_has_its_full_state(self) -> None:
        generator = np.random.default_rng(3)
        generator.integers(5, dtype="int32")  # leaves half a word
        state = generator.bit_generator.state
        written = encode(generator)["rng"]
        self.assertEqual(int(written["state"]), state["state"]["state"])
        self.assertEqual((written["has_uint32"], written["uinteger"]), (1, state["uinteger"]))

    def test_other_generators_are_opaque(self) -> None:
        self.assertEqual(encode(np.random.Generator(np.random.MT19937(1))), {"opaque": "a MT19937 generator"})

    def test_slices_none_and_lists(self) -> None:
        self.assertEqual(encode(slice(np.int64(1), None, -1)), {"slice": [1, None, -1]})
        self.assertEqual(encode(None), {"none": True})
        self.assertEqual(encode([1.0], "float32")["list"][0]["dtype"], "float32")

    def test_a_sparse_matrix_has_its_three_arrays(self) -> None:
        matrix = SimpleNamespace(
            format="csr",
            shape=(1, 2),
            data=np.array([5.0]),
            indices=np.array([1], "int32"),
            indptr=np.array([0, 1], "int32"),
        )
        written = encode(matrix)["sparse"]
        self.assertEqual((written["format"], written["shape"], written["indices"]["data"]), ("csr", [1, 2], [1]))

    def test_anything_else_is_text_without_addresses(self) -> None:
        self.assertEqual(encode(np.array(["a"]))["opaque"], "['a']")
        self.assertNotIn("0x", encode(object())["opaque"])
        self.assertIn("opaque", encode(np.longdouble(1)))


if __name__ == "__main__":
    unittest.main()
