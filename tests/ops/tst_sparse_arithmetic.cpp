#include "ops/sparse_matrices.h"

using namespace nodewise;
using namespace nodewise::testing;

class TestSparseArithmetic : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void sumsAndProductsByElement_data() { addSparseRows(); }
  void sumsAndProductsByElement();
  void withDenseByElement_data() { addSparseRows(); }
  void withDenseByElement();
  void withVectors_data() { addSparseRows(); }
  void withVectors();
  void reductions_data() { addSparseRows(); }
  void reductions();
  void addDenseBroadcastsLengthOne();
  void differentShapesAreRefused();
  void diagonalNeedsASquare();
  void comparisons_data();
  void comparisons();
  void comparisonsInTheCommonDType();
  void comparisonsOfNotANumber();
};

void TestSparseArithmetic::sumsAndProductsByElement() {
  FETCH_ROW;
  const Dense a = in(pattern(4, 5, 13), d), b = in(pattern(4, 5, 14), d);
  // Bools: or, and.
  const Dense sum = combined(a, b, [](Complex x, Complex y) { return x + y; }),
              times = combined(a, b, [](Complex x, Complex y) { return x * y; });
  QCOMPARE(
      mismatch({"SparseAddSS", {}, {given(a), given(b)}, {sparseType(csc, d)}}, {expected(sum)}, tolerance),
      std::string());
  QCOMPARE(mismatch({"SparseAddSS", {}, {given(a), Data{sparseOf(b, !csc, d)}}, {sparseType(csc, d)}},
                    {expected(sum)}, tolerance),
           std::string());
  QCOMPARE(mismatch({"SparseSparseMultiply", {}, {given(a), given(b)}, {sparseType(csc, d)}},
                    {expected(times)}, tolerance),
           std::string());
  QCOMPARE(mismatch({"SparseAddSSData", {}, {given(a), given(a)}, {sparseType(csc, d)}},
                    {expected(combined(a, a, [](Complex x, Complex y) { return x + y; }))}, tolerance),
           std::string());
}

void TestSparseArithmetic::withDenseByElement() {
  FETCH_ROW;
  const Dense a = in(pattern(4, 5, 15), d), b = in(pattern(4, 5, 16), d);
  QCOMPARE(mismatch({"SparseAddSD", {}, {given(a), tensorOf(b, d)}, {matrixType(d)}},
                    {tensorOf(combined(a, b, [](Complex x, Complex y) { return x + y; }), d)}, tolerance),
           std::string());
  QCOMPARE(mismatch({"SparseDenseMultiply", {}, {given(a), tensorOf(b, d)}, {sparseType(csc, d)}},
                    {expected(combined(a, b, [](Complex x, Complex y) { return x * y; }))}, tolerance),
           std::string());
  Data three = vectorOf({3}, d);
  std::get<Tensor>(three.v).shape.clear();
  QCOMPARE(mismatch({"SparseDenseMultiply", {}, {given(a), three}, {sparseType(csc, d)}},
                    {expected(combined(a, a, [](Complex x, Complex) { return x * 3.0; }))}, tolerance),
           std::string());
}

void TestSparseArithmetic::withVectors() {
  FETCH_ROW;
  const Dense a = in(pattern(4, 5, 17), d);
  const std::vector<Complex> row{1, 2, 0, 3, 1}, column{2, 1, 0, 3};
  const bool logical = d == DType::Bool;
  Dense scaled = a, added = a, byRow = a;
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 5; ++j) {
      scaled.at(i, j) *= row[static_cast<size_t>(j)];
      byRow.at(i, j) *= column[static_cast<size_t>(i)];
      if (a.at(i, j) != 0.0 && !logical) added.at(i, j) += row[static_cast<size_t>(j)];
    }
  QCOMPARE(mismatch({"SparseDenseVectorMultiply", {}, {given(a), vectorOf(row, d)}, {sparseType(csc, d)}},
                    {expected(scaled)}, tolerance),
           std::string());
  QCOMPARE(mismatch({"SparseStructuredAddSV", {}, {given(a), vectorOf(row, d)}, {sparseType(csc, d)}},
                    {expected(added)}, tolerance),
           std::string());
  const OpCall columns{"SparseColScaleCSC", {}, {given(a), vectorOf(row, d)}, {sparseType(csc, d)}};
  const OpCall rows{"SparseRowScaleCSC", {}, {given(a), vectorOf(column, d)}, {sparseType(csc, d)}};
  if (csc) {
    QCOMPARE(mismatch(columns, {expected(scaled)}, tolerance), std::string());
    QCOMPARE(mismatch(rows, {expected(byRow)}, tolerance), std::string());
  } else {
    QCOMPARE(callOp(columns).errorText(), std::string("$.graph.nodes[0]: input 0 has to be csc, but is csr"));
    QCOMPARE(callOp(rows).errorText(), std::string("$.graph.nodes[0]: input 0 has to be csc, but is csr"));
  }
}

void TestSparseArithmetic::reductions() {
  FETCH_ROW;
  const Dense a = in(pattern(5, 5, 18), d);
  std::vector<Complex> ofColumns(5), ofRows(5), diagonal;
  Complex all = 0;
  for (int64_t i = 0; i < 5; ++i) {
    diagonal.push_back(a.at(i, i));
    for (int64_t j = 0; j < 5; ++j) {
      ofColumns[static_cast<size_t>(j)] += a.at(i, j);
      ofRows[static_cast<size_t>(i)] += a.at(i, j);
      all += a.at(i, j);
    }
  }
  Data total = vectorOf({all}, d);
  std::get<Tensor>(total.v).shape.clear();
  QCOMPARE(
      mismatch({"SparseSpSum", {{"axis", nullptr}}, {given(a)}, {tensorType(d, {})}}, {total}, tolerance),
      std::string());
  QCOMPARE(mismatch({"SparseSpSum", {{"axis", 0}}, {given(a)}, {vectorType(d)}}, {vectorOf(ofColumns, d)},
                    tolerance),
           std::string());
  QCOMPARE(
      mismatch({"SparseSpSum", {{"axis", 1}}, {given(a)}, {vectorType(d)}}, {vectorOf(ofRows, d)}, tolerance),
      std::string());
  QCOMPARE(mismatch({"SparseDiag", {}, {given(a)}, {vectorType(d)}}, {vectorOf(diagonal, d)}, tolerance),
           std::string());
}

void TestSparseArithmetic::addDenseBroadcastsLengthOne() {
  const Dense a = pattern(3, 2, 19);
  Dense sum = a;
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 2; ++j) sum.at(i, j) += static_cast<double>(j + 1);
  QCOMPARE(mismatch({"SparseAddSD",
                     {},
                     {Data{sparseOf(a, false, DType::Float64)}, tensorOf<double>({1, 2}, {1, 2})},
                     {matrixType(DType::Float64)}},
                    {tensorOf(sum, DType::Float64)}),
           std::string());
}

void TestSparseArithmetic::differentShapesAreRefused() {
  const Data a{sparseOf(pattern(3, 2, 1), false, DType::Float64)},
      b{sparseOf(pattern(2, 3, 1), false, DType::Float64)};
  const Data dense = rampOf(DType::Float64, {2, 3}), vector = rampOf(DType::Float64, {3});
  const Type matrix = sparseType(false, DType::Float64);
  const std::string differ = "shapes (3, 2) and (2, 3) differ";
  for (const char* op : {"SparseAddSS", "SparseAddSSData", "SparseSparseMultiply"})
    QCOMPARE(callOp({op, {}, {a, b}, {matrix}}).errorText(), "AssertionError: " + differ);
  QCOMPARE(callOp({"SparseLessThanSS", {}, {a, b}, {sparseType(false, DType::UInt8)}}).errorText(),
           "AssertionError: " + differ);
  QCOMPARE(callOp({"SparseLessThanSD", {}, {a, dense}, {matrixType(DType::UInt8)}}).errorText(),
           "AssertionError: " + differ);
  QCOMPARE(callOp({"SparseDenseMultiply", {}, {a, dense}, {matrix}}).errorText(),
           "AssertionError: " + differ);
  QCOMPARE(callOp({"SparseAddSD", {}, {a, dense}, {matrixType(DType::Float64)}}).errorText(),
           "ValueError: " + differ);
  for (const char* op : {"SparseDenseVectorMultiply", "SparseStructuredAddSV"})
    QCOMPARE(callOp({op, {}, {a, vector}, {matrix}}).errorText(),
             std::string("AssertionError: a vector of 3 elements where 2 are needed"));
}

void TestSparseArithmetic::diagonalNeedsASquare() {
  const Data a{sparseOf(pattern(3, 2, 1), false, DType::Float64)};
  QCOMPARE(callOp({"SparseDiag", {}, {a}, {vectorType(DType::Float64)}}).errorText(),
           std::string("ValueError: the diagonal of a matrix of shape (3, 2), which is not square"));
}

void TestSparseArithmetic::comparisons_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<bool>("less");
  QTest::addColumn<bool>("equal");
  QTest::addColumn<bool>("greater");
  QTest::newRow("Equal") << "Equal" << false << true << false;
  QTest::newRow("NotEqual") << "NotEqual" << true << false << true;
  QTest::newRow("LessThan") << "LessThan" << true << false << false;
  QTest::newRow("LessEqual") << "LessEqual" << true << true << false;
  QTest::newRow("GreaterThan") << "GreaterThan" << false << false << true;
  QTest::newRow("GreaterEqual") << "GreaterEqual" << false << true << true;
}

void TestSparseArithmetic::comparisons() {
  QFETCH(QString, name);
  QFETCH(bool, less);
  QFETCH(bool, equal);
  QFETCH(bool, greater);
  const std::string op = "Sparse" + name.toStdString();
  for (const DType d : kSparseDTypes)
    for (const bool csc : {false, true}) {
      const Dense a = in(pattern(4, 5, 20), d), b = in(pattern(4, 5, 21), d);
      const Dense truth = combined(a, b, [=](Complex x, Complex y) {
        const bool smaller = x.real() < y.real() || (x.real() == y.real() && x.imag() < y.imag());
        return x == y ? equal : smaller ? less : greater;
      });
      const Data left{untidy(sparseOf(a, csc, d))}, right{sparseOf(b, csc, d)};
      QCOMPARE(mismatch({op + "SS", {}, {left, right}, {sparseType(csc, DType::UInt8)}},
                        {Data{sparseOf(truth, csc, DType::UInt8)}}),
               std::string());
      QCOMPARE(mismatch({op + "SD", {}, {left, tensorOf(b, d)}, {matrixType(DType::UInt8)}},
                        {tensorOf(truth, DType::UInt8)}),
               std::string());
    }
}

void TestSparseArithmetic::comparisonsInTheCommonDType() {
  // -1 is below 2^64 - 1, and 2^53 + 1 is 2^53 as a double.
  const Tensor data = *vectorOf<int64_t>({-1, (int64_t{1} << 53) + 1}).tensor();
  const Data a{SparseData{
      false, {1, 2}, data, *vectorOf<int32_t>({0, 1}).tensor(), *vectorOf<int32_t>({0, 2}).tensor()}};
  const Data b = tensorOf<uint64_t>({1, 2}, {UINT64_MAX, uint64_t{1} << 53});
  QCOMPARE(mismatch({"SparseLessThanSD", {}, {a, b}, {matrixType(DType::UInt8)}},
                    {tensorOf<uint8_t>({1, 2}, {1, 0})}),
           std::string());
  QCOMPARE(mismatch({"SparseEqualSD", {}, {a, b}, {matrixType(DType::UInt8)}},
                    {tensorOf<uint8_t>({1, 2}, {0, 1})}),
           std::string());
}

void TestSparseArithmetic::comparisonsOfNotANumber() {
  Dense a(1, 2);
  a.elements = {std::numeric_limits<double>::quiet_NaN(), 1};
  const Data x{sparseOf(a, false, DType::Float64)}, zero = tensorOf<double>({1, 2}, {0, 0});
  for (const char* op : {"SparseLessEqualSD", "SparseGreaterThanSD", "SparseEqualSD"})
    QCOMPARE(callOp({op, {}, {x, zero}, {matrixType(DType::UInt8)}}).outputs.at(0).tensor()->as<uint8_t>()[0],
             uint8_t{0});
  QCOMPARE(callOp({"SparseNotEqualSD", {}, {x, zero}, {matrixType(DType::UInt8)}})
               .outputs.at(0)
               .tensor()
               ->as<uint8_t>()[0],
           uint8_t{1});
}

QTEST_APPLESS_MAIN(TestSparseArithmetic)
#include "tst_sparse_arithmetic.moc"
