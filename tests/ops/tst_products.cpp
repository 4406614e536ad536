#include "ops/dense.h"

#include <QtTest>

#include <limits>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

const std::vector<DType> kInexact{DType::Float16, DType::Float32, DType::Float64, DType::Complex64,
                                  DType::Complex128};

Data number(Complex value, DType dtype) {
  Dense one(1, 1);
  one(0, 0) = value;
  Data data = toData(one, dtype);
  std::get<Tensor>(data.v).shape.clear();
  return data;
}

Dense filled(int64_t rows, int64_t cols, Complex value) {
  Dense a(rows, cols);
  std::fill(a.elements.begin(), a.elements.end(), value);
  return a;
}

/// Sizes m, k, n of a product.
struct Sizes {
  int64_t m, k, n;
};
constexpr Sizes kProducts[] = {{0, 3, 2}, {3, 0, 2}, {2, 3, 0}, {1, 1, 1}, {1, 5, 1},
                               {1, 5, 7}, {7, 5, 1}, {2, 3, 4}, {8, 9, 7}, {33, 9, 8}};

void addSizeRows(const std::vector<DType>& dtypes) {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<int>("size");
  for (const DType dtype : dtypes)
    for (size_t i = 0; i < std::size(kProducts); ++i) {
      const auto [m, k, n] = kProducts[i];
      QTest::addRow("%s %dx%dx%d", std::string(dtypeName(dtype)).c_str(), static_cast<int>(m),
                    static_cast<int>(k), static_cast<int>(n))
          << static_cast<int>(dtype) << static_cast<int>(i);
    }
}

std::vector<DType> allDTypes() {
  std::vector<DType> dtypes;
  for (const DTypeRow& row : dtypeTable()) dtypes.push_back(row.dtype);
  return dtypes;
}

} // namespace

class TestProducts : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void dotIsTheSumOfProducts_data() { addSizeRows(allDTypes()); }
  void dotIsTheSumOfProducts();
  void dotConvertsItsInputs();
  void dotOfIntegersWraps();
  void dotOfHalvesSumsInFloat();
  void dot22ScalarScales_data() { addSizeRows(kInexact); }
  void dot22ScalarScales();
  void batchedDotMultipliesEachPair_data() { addSizeRows(allDTypes()); }
  void batchedDotMultipliesEachPair();
  void gemvAddsAScaledProduct_data() { addSizeRows(kInexact); }
  void gemvAddsAScaledProduct();
  void gemmAddsAScaledProduct_data() { addSizeRows(kInexact); }
  void gemmAddsAScaledProduct();
  void gemmBroadcastsZ_data();
  void gemmBroadcastsZ();
  void gerAddsAnOuterProduct_data() { addSizeRows(kInexact); }
  void gerAddsAnOuterProduct();
  void betaZeroDoesNotReadZ();
  void zeroTimesInfinityIsNotANumber_data();
  void zeroTimesInfinityIsNotANumber();
  void notANumberSpreads();
  void lengthsThatDoNotFitAreRefused_data();
  void lengthsThatDoNotFitAreRefused();
  void wrongNodesAreRefused_data();
  void wrongNodesAreRefused();
};

void TestProducts::dotIsTheSumOfProducts() {
  QFETCH(int, dtype);
  QFETCH(int, size);
  const auto [m, k, n] = kProducts[size];
  const auto d = static_cast<DType>(dtype);
  const Dense x = randomDense(m, k, d, 1), y = randomDense(k, n, d, 2);
  Dense product = x * y;
  if (d == DType::Bool)
    for (Complex& element : product.elements) element = element != 0.0;
  const OpCall call{"Dot", {}, {toData(x, d), toData(y, d)}, {matrixType(d)}};
  QCOMPARE(mismatch(call, {toData(product, d)}, toleranceOf(d)), std::string());
  if (!isIntegral(d)) {
    OpCall same = call;
    same.op = "Dot22";
    QCOMPARE(mismatch(same, {toData(product, d)}, toleranceOf(d)), std::string());
  }
}

void TestProducts::dotConvertsItsInputs() {
  const Dense x = denseOf({{1, 2}, {3, 4}}), y = denseOf({{5}, {6}}), product = denseOf({{17}, {39}});
  const OpCall call{
      "Dot", {}, {toData(x, DType::Int8), toData(y, DType::Float32)}, {matrixType(DType::Complex128)}};
  QCOMPARE(mismatch(call, {toData(product, DType::Complex128)}), std::string());
}

void TestProducts::dotOfIntegersWraps() {
  const OpCall call{"Dot",
                    {},
                    {tensorOf<uint16_t>({1, 2}, {65535, 65535}), tensorOf<uint16_t>({2, 1}, {65535, 65535})},
                    {matrixType(DType::UInt16)}};
  QCOMPARE(mismatch(call, {tensorOf<uint16_t>({1, 1}, {2})}), std::string());
}

void TestProducts::dotOfHalvesSumsInFloat() {
  // A sum of halves would stop growing at 2048.
  const OpCall call{"Dot",
                    {},
                    {rampOf(DType::Float16, {1, 4000}, 1, 0), rampOf(DType::Float16, {4000, 1}, 1, 0)},
                    {matrixType(DType::Float16)}};
  QCOMPARE(mismatch(call, {rampOf(DType::Float16, {1, 1}, 4000)}), std::string());
}

void TestProducts::dot22ScalarScales() {
  QFETCH(int, dtype);
  QFETCH(int, size);
  const auto [m, k, n] = kProducts[size];
  const auto d = static_cast<DType>(dtype);
  const Dense x = randomDense(m, k, d, 3), y = randomDense(k, n, d, 4);
  const OpCall call{"Dot22Scalar", {}, {toData(x, d), toData(y, d), number(-0.5, d)}, {matrixType(d)}};
  QCOMPARE(mismatch(call, {toData(Complex(-0.5) * (x * y), d)}, toleranceOf(d)), std::string());
}

void TestProducts::batchedDotMultipliesEachPair() {
  QFETCH(int, dtype);
  QFETCH(int, size);
  const auto [m, k, n] = kProducts[size];
  const auto d = static_cast<DType>(dtype);
  constexpr int64_t kBatch = 3;
  const auto stack = [d](const std::vector<Dense>& parts, int64_t rows, int64_t cols) {
    Tensor all{d, {static_cast<int64_t>(parts.size()), rows, cols}, {}};
    for (const Dense& part : parts) {
      const Data data = toData(part, d);
      all.bytes.insert(all.bytes.end(), data.tensor()->bytes.begin(), data.tensor()->bytes.end());
    }
    return Data{std::move(all)};
  };
  std::vector<Dense> xs, ys, products;
  for (unsigned i = 0; i < kBatch; ++i) {
    xs.push_back(randomDense(m, k, d, 10 + i));
    ys.push_back(randomDense(k, n, d, 20 + i));
    products.push_back(xs.back() * ys.back());
    if (d == DType::Bool)
      for (Complex& element : products.back().elements) element = element != 0.0;
  }
  const Type type = tensorType(d, {kUnknownLength, kUnknownLength, kUnknownLength});
  const OpCall call{"BatchedDot", {}, {stack(xs, m, k), stack(ys, k, n)}, {type}};
  QCOMPARE(mismatch(call, {stack(products, m, n)}, toleranceOf(d)), std::string());
}

void TestProducts::gemvAddsAScaledProduct() {
  QFETCH(int, dtype);
  QFETCH(int, size);
  const auto [m, k, unused] = kProducts[size];
  const auto d = static_cast<DType>(dtype);
  const Dense y = randomDense(m, 1, d, 5), a = randomDense(m, k, d, 6), x = randomDense(k, 1, d, 7);
  OpCall call{"Gemv",
              {},
              {toData(y, d, true), number(2, d), toData(a, d), toData(x, d, true), number(-0.5, d)},
              {vectorType(d)}};
  const Data expected = toData(Complex(-0.5) * y + Complex(2) * (a * x), d, true);
  QCOMPARE(mismatch(call, {expected}, toleranceOf(d)), std::string());
  call.destroys = {{0, 0}};
  QCOMPARE(mismatch(call, {expected}, toleranceOf(d)), std::string());
  if (m > 0) QVERIFY(callOp(call).aliases[0]);
}

void TestProducts::gemmAddsAScaledProduct() {
  QFETCH(int, dtype);
  QFETCH(int, size);
  const auto [m, k, n] = kProducts[size];
  const auto d = static_cast<DType>(dtype);
  const Dense z = randomDense(m, n, d, 5), x = randomDense(m, k, d, 6), y = randomDense(k, n, d, 7);
  OpCall call{
      "Gemm", {}, {toData(z, d), number(2, d), toData(x, d), toData(y, d), number(-0.5, d)}, {matrixType(d)}};
  const Data expected = toData(Complex(-0.5) * z + Complex(2) * (x * y), d);
  QCOMPARE(mismatch(call, {expected}, toleranceOf(d)), std::string());
  call.destroys = {{0, 0}};
  QCOMPARE(mismatch(call, {expected}, toleranceOf(d)), std::string());
}

void TestProducts::gemmBroadcastsZ_data() {
  QTest::addColumn<int>("rows");
  QTest::addColumn<int>("cols");
  QTest::newRow("a row") << 1 << 4;
  QTest::newRow("a column") << 3 << 1;
  QTest::newRow("one element") << 1 << 1;
}

void TestProducts::gemmBroadcastsZ() {
  QFETCH(int, rows);
  QFETCH(int, cols);
  const DType d = DType::Float64;
  const Dense z = randomDense(rows, cols, d, 1), x = randomDense(3, 2, d, 2), y = randomDense(2, 4, d, 3);
  Dense expected = Complex(2) * (x * y);
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 4; ++j) expected(i, j) += 3.0 * z(rows == 1 ? 0 : i, cols == 1 ? 0 : j);
  const OpCall call{
      "Gemm", {}, {toData(z, d), number(2, d), toData(x, d), toData(y, d), number(3, d)}, {matrixType(d)}};
  QCOMPARE(mismatch(call, {toData(expected, d)}, 1e-12), std::string());
}

void TestProducts::gerAddsAnOuterProduct() {
  QFETCH(int, dtype);
  QFETCH(int, size);
  const auto [m, unused, n] = kProducts[size];
  const auto d = static_cast<DType>(dtype);
  const Dense a = randomDense(m, n, d, 5), x = randomDense(m, 1, d, 6), y = randomDense(n, 1, d, 7);
  OpCall call{
      "Ger", {}, {toData(a, d), number(2, d), toData(x, d, true), toData(y, d, true)}, {matrixType(d)}};
  const Data expected = toData(a + Complex(2) * (x * transpose(y)), d);
  QCOMPARE(mismatch(call, {expected}, toleranceOf(d)), std::string());
  call.destroys = {{0, 0}};
  QCOMPARE(mismatch(call, {expected}, toleranceOf(d)), std::string());
}

void TestProducts::betaZeroDoesNotReadZ() {
  for (const DType d : kInexact) {
    const Dense x = randomDense(4, 3, d, 1), y = randomDense(3, 5, d, 2), v = randomDense(3, 1, d, 3);
    OpCall gemm{"Gemm",
                {},
                {toData(filled(4, 5, kNaN), d), number(1, d), toData(x, d), toData(y, d), number(0, d)},
                {matrixType(d)}};
    OpCall gemv{
        "Gemv",
        {},
        {toData(filled(4, 1, kNaN), d, true), number(1, d), toData(x, d), toData(v, d, true), number(0, d)},
        {vectorType(d)}};
    for (int i = 0; i < 2; ++i) {
      QCOMPARE(mismatch(gemm, {toData(x * y, d)}, toleranceOf(d)), std::string());
      QCOMPARE(mismatch(gemv, {toData(x * v, d, true)}, toleranceOf(d)), std::string());
      gemm.destroys = gemv.destroys = {{0, 0}};
    }
  }
}

void TestProducts::zeroTimesInfinityIsNotANumber_data() {
  QTest::addColumn<QString>("op");
  QTest::newRow("Gemm") << "Gemm";
  QTest::newRow("Dot22Scalar") << "Dot22Scalar";
}

void TestProducts::zeroTimesInfinityIsNotANumber() {
  QFETCH(QString, op);
  const DType d = DType::Float64;
  const Data x = toData(denseOf({{kInf, 1}, {1, 2}}), d),
             y = toData(identityDense(2) + denseOf({{1, 1}, {1, 1}}), d);
  const Data z = toData(denseOf({{1, 2}, {3, 4}}), d), zero = number(0, d);
  const bool isGemm = op == "Gemm";
  const OpCall call{op.toStdString(),
                    {},
                    isGemm ? std::vector{z, zero, x, y, number(1, d)} : std::vector{x, y, zero},
                    {matrixType(d)}};
  const Dense expected = isGemm ? denseOf({{kNaN, kNaN}, {3, 4}}) : denseOf({{kNaN, kNaN}, {0, 0}});
  QCOMPARE(mismatch(call, {toData(expected, d)}, 1e-15), std::string());
}

void TestProducts::notANumberSpreads() {
  for (const DType d : kInexact) {
    const Data x = toData(denseOf({{kNaN, 1}, {1, 2}}), d), y = toData(denseOf({{1, 0}, {0, 1}}), d);
    const Dense product = outputsOf({"Dot", {}, {x, y}, {matrixType(d)}})[0];
    QVERIFY(std::isnan(product(0, 0).real()) && std::isnan(product(0, 1).real()));
    QCOMPARE(product(1, 1), Complex(2));
  }
}

void TestProducts::lengthsThatDoNotFitAreRefused_data() {
  QTest::addColumn<QString>("op");
  QTest::addColumn<QList<QList<int>>>("shapes");
  QTest::addColumn<QString>("error");
  using Shapes = QList<QList<int>>;
  QTest::newRow("Dot") << "Dot" << Shapes{{2, 3}, {4, 5}}
                       << "ValueError: matrix product: shapes (2, 3) and (4, 5)";
  QTest::newRow("Dot22") << "Dot22" << Shapes{{2, 1}, {4, 5}}
                         << "ValueError: matrix product: shapes (2, 1) and (4, 5)";
  QTest::newRow("Dot22Scalar") << "Dot22Scalar" << Shapes{{2, 3}, {4, 5}, {}}
                               << "ValueError: matrix product: shapes (2, 3) and (4, 5)";
  QTest::newRow("BatchedDot axis 0")
      << "BatchedDot" << Shapes{{2, 3, 4}, {1, 4, 5}}
      << "TypeError: batched product: shapes (2, 3, 4) and (1, 4, 5) differ in axis 0";
  QTest::newRow("BatchedDot inner") << "BatchedDot" << Shapes{{2, 3, 4}, {2, 3, 5}}
                                    << "ValueError: batched product: shapes (2, 3, 4) and (2, 3, 5)";
  QTest::newRow("Gemv x") << "Gemv" << Shapes{{2}, {}, {2, 3}, {4}, {}}
                          << "ValueError: matrix times vector: shapes (2, 3) and (4)";
  QTest::newRow("Gemv y") << "Gemv" << Shapes{{1}, {}, {2, 3}, {3}, {}}
                          << "ValueError: matrix times vector added to a vector: shapes (2, 3) and (1)";
  QTest::newRow("Gemm inner") << "Gemm" << Shapes{{2, 4}, {}, {2, 3}, {5, 4}, {}}
                              << "ValueError: matrix product: shapes (2, 3) and (5, 4)";
  QTest::newRow("Gemm z") << "Gemm" << Shapes{{3, 4}, {}, {2, 3}, {3, 4}, {}}
                          << "ValueError: matrix product of shape (2, 4) added to a matrix of shape (3, 4)";
  QTest::newRow("Ger x") << "Ger" << Shapes{{2, 3}, {}, {3}, {3}}
                         << "ValueError: outer product added to a matrix: shapes (2, 3) and (3)";
  QTest::newRow("Ger y") << "Ger" << Shapes{{2, 3}, {}, {2}, {2}}
                         << "ValueError: outer product added to a matrix: shapes (2, 3) and (2)";
}

void TestProducts::lengthsThatDoNotFitAreRefused() {
  QFETCH(QString, op);
  QFETCH(QList<QList<int>>, shapes);
  QFETCH(QString, error);
  OpCall call{op.toStdString(), {}, {}, {}};
  for (const QList<int>& shape : shapes)
    call.inputs.push_back(rampOf(DType::Float64, std::vector<int64_t>(shape.begin(), shape.end()), 1));
  const bool vectorOut = op == "Gemv", batched = op == "BatchedDot";
  call.outputTypes = {tensorType(DType::Float64, std::vector<int64_t>(vectorOut ? 1 : batched ? 3 : 2, -1))};
  QCOMPARE(QString::fromStdString(callOp(call).errorText()), error);
}

void TestProducts::wrongNodesAreRefused_data() {
  QTest::addColumn<QString>("op");
  QTest::addColumn<QList<int>>("ranks");
  QTest::addColumn<QString>("dtype");
  QTest::addColumn<QString>("error");
  QTest::newRow("number of inputs") << "Dot" << QList{2} << "float64"
                                    << "$.graph.nodes[0]: Dot takes 2 inputs, found 1";
  QTest::newRow("rank") << "Dot" << QList{2, 1} << "float64"
                        << "$.graph.nodes[0]: input 1 has to be a tensor of rank 2, but is f64[2]";
  QTest::newRow("alpha") << "Gemm" << QList{2, 1, 2, 2, 0} << "float64"
                         << "$.graph.nodes[0]: input 1 has to be of rank 0, but is f64[2]";
  QTest::newRow("integers") << "Dot22" << QList{2, 2} << "int64"
                            << "$.graph.nodes[0]: output 0 of Dot22 has to be float or complex, but is int64";
}

void TestProducts::wrongNodesAreRefused() {
  QFETCH(QString, op);
  QFETCH(QList<int>, ranks);
  QFETCH(QString, dtype);
  QFETCH(QString, error);
  const DType d = *parseDType(dtype.toStdString());
  OpCall call{op.toStdString(), {}, {}, {matrixType(d)}};
  for (const int rank : ranks)
    call.inputs.push_back(rampOf(d, std::vector<int64_t>(static_cast<size_t>(rank), 2)));
  QCOMPARE(QString::fromStdString(callOp(call).errorText()), error);

  const OpCall complexToReal{"Dot",
                             {},
                             {rampOf(DType::Complex64, {2, 2}), rampOf(DType::Float32, {2, 2})},
                             {matrixType(DType::Float32)}};
  QCOMPARE(
      callOp(complexToReal).errorText(),
      std::string("$.graph.nodes[0]: input 0 is complex64, which output 0 of dtype float32 cannot hold"));
}

QTEST_APPLESS_MAIN(TestProducts)
#include "tst_products.moc"
