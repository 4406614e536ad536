#include "ops/sparse_matrices.h"

using namespace nodewise;
using namespace nodewise::testing;

class TestSparseProducts : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void products_data() { addSparseRows(); }
  void products();
  void productsWithVectors();
  void productsOfSparseMatrices_data() { addSparseRows(); }
  void productsOfSparseMatrices();
  void sampledProducts_data() { addSparseRows(); }
  void sampledProducts();
  void scaledProducts();
  void dotGradients_data() { addSparseRows(); }
  void dotGradients();
  void productsRefuseOtherLengths();
};

void TestSparseProducts::products() {
  FETCH_ROW;
  const Dense a = in(pattern(4, 5, 22), d), b = in(pattern(5, 3, 23), d), c = in(pattern(3, 4, 24), d);
  QCOMPARE(mismatch({"SparseDot", {}, {given(a), tensorOf(b, d)}, {matrixType(d)}},
                    {tensorOf(product(a, b), d)}, tolerance),
           std::string());
  QCOMPARE(mismatch({"SparseDot", {}, {tensorOf(c, d), given(a)}, {matrixType(d)}},
                    {tensorOf(product(c, a), d)}, tolerance),
           std::string());
  QCOMPARE(mismatch({"SparseDot", {}, {given(a), given(b)}, {matrixType(d)}}, {tensorOf(product(a, b), d)},
                    tolerance),
           std::string());
  QCOMPARE(mismatch({"SparseStructuredDot", {}, {given(a), tensorOf(b, d)}, {matrixType(d)}},
                    {tensorOf(product(a, b), d)}, tolerance),
           std::string());
}

void TestSparseProducts::productsWithVectors() {
  const Dense a = pattern(4, 5, 25);
  const std::vector<Complex> right{1, 2, 3, 4, 5}, left{1, -1, 2, 0};
  std::vector<Complex> ax(4), xa(5);
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 5; ++j) {
      ax[static_cast<size_t>(i)] += a.at(i, j) * right[static_cast<size_t>(j)];
      xa[static_cast<size_t>(j)] += left[static_cast<size_t>(i)] * a.at(i, j);
    }
  constexpr DType d = DType::Float64;
  for (const bool csc : {false, true}) {
    const Data s{sparseOf(a, csc, d)};
    QCOMPARE(mismatch({"SparseDot", {}, {s, vectorOf(right, d)}, {vectorType(d)}}, {vectorOf(ax, d)}),
             std::string());
    QCOMPARE(mismatch({"SparseDot", {}, {vectorOf(left, d), s}, {vectorType(d)}}, {vectorOf(xa, d)}),
             std::string());
  }
}

void TestSparseProducts::productsOfSparseMatrices() {
  FETCH_ROW;
  const Dense a = in(pattern(4, 5, 26), d), b = in(pattern(5, 3, 27), d);
  for (const char* op : {"SparseTrueDot", "SparseStructuredDot"}) {
    QCOMPARE(
        mismatch({op, {}, {given(a), given(b)}, {sparseType(csc, d)}}, {expected(product(a, b))}, tolerance),
        std::string());
    QCOMPARE(mismatch({op, {}, {given(a), Data{sparseOf(b, !csc, d)}}, {sparseType(csc, d)}},
                      {expected(product(a, b))}, tolerance),
             std::string());
  }
  QCOMPARE(mismatch({"SparseTrueDot", {}, {given(a), tensorOf(b, d)}, {sparseType(csc, d)}},
                    {expected(product(a, b))}, tolerance),
           std::string());
}

void TestSparseProducts::sampledProducts() {
  FETCH_ROW;
  const Dense x = in(pattern(4, 3, 28), d), y = in(pattern(5, 3, 29), d), s = in(pattern(4, 5, 30), d);
  const Dense dots = in(product(x, transposed(y)), d);
  QCOMPARE(
      mismatch({"SparseSamplingDot", {}, {tensorOf(x, d), tensorOf(y, d), given(s)}, {sparseType(csc, d)}},
               {expected(combined(s, dots, [](Complex p, Complex q) { return p * q; }))}, tolerance),
      std::string());
}

void TestSparseProducts::scaledProducts() {
  constexpr DType d = DType::Float64;
  const Dense x = pattern(4, 5, 31), y = pattern(5, 3, 32), z = pattern(4, 3, 33);
  const Dense sum = combined(product(x, y), z, [](Complex p, Complex q) { return 2.5 * p + q; });
  const std::vector<Type> out{matrixType(d)};
  const Data alpha = scalarOf(2.5), xs{sparseOf(x, true, d)}, ys{sparseOf(y, false, d)};
  QCOMPARE(mismatch({"SparseUsmm", {}, {alpha, xs, tensorOf(y, d), tensorOf(z, d)}, out}, {tensorOf(sum, d)},
                    1e-12),
           std::string());
  QCOMPARE(mismatch({"SparseUsmm", {}, {alpha, tensorOf(x, d), ys, tensorOf(z, d)}, out}, {tensorOf(sum, d)},
                    1e-12),
           std::string());
  QCOMPARE(mismatch({"SparseUsmm", {}, {alpha, xs, ys, tensorOf(z, d)}, out}, {tensorOf(sum, d)}, 1e-12),
           std::string());
}

void TestSparseProducts::dotGradients() {
  FETCH_ROW;
  const Dense g = in(pattern(3, 4, 34), d), b = in(pattern(2, 4, 35), d);
  // Stored places (i, j): csc columns j = 0: i = 2, 0; j = 1: i = 1. csr rows i = 0: j = 1, 0; i = 1: none; i
  // = 2: j = 1.
  const std::vector<int32_t> indices = csc ? std::vector<int32_t>{2, 0, 1} : std::vector<int32_t>{1, 0, 1};
  const std::vector<int32_t> indptr = csc ? std::vector<int32_t>{0, 2, 3} : std::vector<int32_t>{0, 2, 2, 3};
  const std::vector<std::pair<int, int>> places =
      csc ? std::vector<std::pair<int, int>>{{2, 0}, {0, 0}, {1, 1}}
          : std::vector<std::pair<int, int>>{{0, 1}, {0, 0}, {2, 1}};
  std::vector<Complex> dots;
  for (const auto& [i, j] : places) {
    Complex dot = 0;
    for (int64_t k = 0; k < 4; ++k) dot += g.at(i, k) * b.at(j, k);
    dots.push_back(dot);
  }
  const std::string op = csc ? "SparseStructuredDotGradCSC" : "SparseStructuredDotGradCSR";
  const Data at = vectorOf<int32_t>(indices), starts = vectorOf<int32_t>(indptr);
  for (const Data& left : {given(b), tensorOf(b, d)})
    for (const Data& right : {given(g), tensorOf(g, d)})
      QCOMPARE(mismatch({op, {}, {at, starts, left, right}, {vectorType(d)}}, {vectorOf(dots, d)}, tolerance),
               std::string());
  const std::string text =
      callOp({op, {}, {vectorOf<int32_t>({9, 0, 0}), starts, given(b), given(g)}, {vectorType(d)}})
          .errorText();
  QVERIFY2(text.starts_with("IndexError: row 9 is outside"), text.c_str());
}

void TestSparseProducts::productsRefuseOtherLengths() {
  const Data a{sparseOf(pattern(3, 2, 1), false, DType::Float64)};
  const std::string text = "ValueError: a matrix of 2 columns times one of 3 rows";
  QCOMPARE(callOp({"SparseDot", {}, {a, a}, {matrixType(DType::Float64)}}).errorText(), text);
  QCOMPARE(
      callOp({"SparseDot", {}, {a, rampOf(DType::Float64, {3})}, {vectorType(DType::Float64)}}).errorText(),
      text);
  QCOMPARE(callOp({"SparseTrueDot", {}, {a, a}, {sparseType(false, DType::Float64)}}).errorText(), text);
  QCOMPARE(
      callOp({"SparseStructuredDot", {}, {a, rampOf(DType::Float64, {3, 1})}, {matrixType(DType::Float64)}})
          .errorText(),
      text);
}

QTEST_APPLESS_MAIN(TestSparseProducts)
#include "tst_sparse_products.moc"
