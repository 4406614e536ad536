#include "ops/op_harness.h"

#include <QtTest>

#include <cmath>
#include <complex>
#include <numbers>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

using Complex = std::complex<double>;

const DType kAllFloats[] = {DType::Float16, DType::Float32, DType::Float64};

std::vector<double> numbers(int64_t n) {
  std::vector<double> x;
  for (int64_t i = 0; i < n; ++i) x.push_back(static_cast<double>((i * 37 + i * i * 11) % 19 - 9) / 4);
  return x;
}

std::vector<double> doublesOf(const Data& data) {
  const Data wide = convertedTo(data, DType::Float64);
  const auto* first = wide.tensor()->as<double>();
  return {first, first + elementCount(wide.tensor()->shape)};
}

std::vector<Complex> complexOf(const Data& data) {
  const auto* first = data.tensor()->as<Complex>();
  return {first, first + elementCount(data.tensor()->shape)};
}

Data complexTensor(std::vector<int64_t> shape, const std::vector<Complex>& elements) {
  Tensor tensor{DType::Complex128, std::move(shape),
                std::vector<std::byte>(elements.size() * sizeof(Complex))};
  std::memcpy(tensor.bytes.data(), elements.data(), tensor.bytes.size());
  return Data{tensor};
}

/// The transform by its definition.
std::vector<Complex> slowTransform(const std::vector<Complex>& x, double sign = -1) {
  const auto n = static_cast<int64_t>(x.size());
  std::vector<Complex> y(x.size());
  for (int64_t k = 0; k < n; ++k)
    for (int64_t j = 0; j < n; ++j)
      y[static_cast<size_t>(k)] +=
          x[static_cast<size_t>(j)] *
          std::polar(1.0,
                     sign * 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
  return y;
}

/// All sums of a full convolution by definition; row-major matrices.
std::vector<double> slowFull(const std::vector<double>& a, int64_t rows, int64_t columns,
                             const std::vector<double>& b, int64_t bRows, int64_t bColumns) {
  const int64_t width = columns + bColumns - 1;
  std::vector<double> sums(static_cast<size_t>((rows + bRows - 1) * width));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t k = 0; k < bRows; ++k)
        for (int64_t l = 0; l < bColumns; ++l)
          sums[static_cast<size_t>((i + k) * width + j + l)] +=
              a[static_cast<size_t>(i * columns + j)] * b[static_cast<size_t>(k * bColumns + l)];
  return sums;
}

OpCall convolve1d(const Data& a, const Data& b, bool full) {
  OpCall call{"Convolve1d",
              {},
              {a, b, scalarOf(full)},
              {tensorType(promote(a.tensor()->dtype, b.tensor()->dtype), {kUnknownLength})}};
  call.inputTypes = {typeOf(a), typeOf(b), scalarType(DType::Bool)};
  return call;
}

OpCall convolve2d(const Data& a, const Data& b, bool full, const char* method) {
  OpCall call{"Convolve2d",
              {{"method", method}},
              {a, b, scalarOf(full)},
              {tensorType(a.tensor()->dtype, {kUnknownLength, kUnknownLength})}};
  call.inputTypes = {typeOf(a), typeOf(b), scalarType(DType::Bool)};
  return call;
}

OpCall fourier(const Data& a, int64_t n, int64_t axis) {
  Type type = withoutLengths(typeOf(a), true);
  type.dtype = DType::Complex128;
  return {"Fourier", {}, {a, scalarOf(n), scalarOf<int8_t>(static_cast<int8_t>(axis))}, {type}};
}

OpCall rfft(const Data& a, const std::vector<int64_t>& lengths) {
  return {
      "RFFTOp",
      {},
      {a, vectorOf(lengths)},
      {tensorType(a.tensor()->dtype, std::vector<int64_t>(a.tensor()->shape.size() + 1, kUnknownLength))}};
}

OpCall irfft(const Data& a, const std::vector<int64_t>& lengths) {
  return {
      "IRFFTOp",
      {},
      {a, vectorOf(lengths)},
      {tensorType(a.tensor()->dtype, std::vector<int64_t>(a.tensor()->shape.size() - 1, kUnknownLength))}};
}

} // namespace

class TestSignal : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void convolvesVectors_data();
  void convolvesVectors();
  void convolutionWrapsIntegers();
  void convolutionOfBoolsIsLogical();
  void convolvesComplexNumbersWithoutConjugation();
  void convolutionConvertsToTheOutput();
  void convolvesMatrices_data();
  void convolvesMatrices();
  void largeConvolutionsByTransformsAgree();
  void convolutionByTransformsKeepsNotANumbersApart();
  void convolutionRefusesEmptyArrays();
  void validConvolutionRefusesMixedSizes();
  void convolutionRefusesUnknownMethods();

  void fourierIsTheDefinition_data();
  void fourierIsTheDefinition();
  void fourierConservesEnergy_data() { fourierIsTheDefinition_data(); }
  void fourierConservesEnergy();
  void fourierCutsAndPads();
  void fourierTakesEveryAxis();
  void fourierRefusesLengthsBelowOne();
  void fourierRefusesAnAxisOutside();

  void realTransformIsHalfOfTheComplexOne_data() { fourierIsTheDefinition_data(); }
  void realTransformIsHalfOfTheComplexOne();
  void realTransformsGoRound_data();
  void realTransformsGoRound();
  void realTransformOverTwoAxes();
  void realTransformsCutAndPad();
  void inverseIgnoresImpossibleImaginaryParts();
  void realTransformsTakeAllFloats();
  void realTransformRefusesTooManyLengths();

  void bartlettIsATriangle();
  void bartlettOfNothingIsEmpty();
};

void TestSignal::convolvesVectors_data() {
  QTest::addColumn<int>("n");
  QTest::addColumn<int>("m");
  for (const auto& [n, m] : {std::pair(1, 1), {5, 3}, {3, 5}, {4, 4}, {3000, 17}, {7, 2500}})
    QTest::addRow("%d with %d", n, m) << n << m;
}

void TestSignal::convolvesVectors() {
  QFETCH(int, n);
  QFETCH(int, m);
  const std::vector<double> a = numbers(n), b = numbers(m), full = slowFull(a, 1, n, b, 1, m);
  const int64_t skipped = std::min(n, m) - 1;
  const std::vector<double> valid(full.begin() + skipped, full.end() - skipped);
  for (const DType dtype : kAllFloats) {
    const double tolerance = dtype == DType::Float16 ? 1e-2 : 1e-5;
    const Data x = convertedTo(vectorOf(a), dtype), y = convertedTo(vectorOf(b), dtype);
    QCOMPARE(mismatch(convolve1d(x, y, true), {convertedTo(vectorOf(full), dtype)}, tolerance),
             std::string());
    QCOMPARE(mismatch(convolve1d(x, y, false), {convertedTo(vectorOf(valid), dtype)}, tolerance),
             std::string());
  }
}

void TestSignal::convolutionWrapsIntegers() {
  QCOMPARE(mismatch(convolve1d(vectorOf<int8_t>({100, 50, -3}), vectorOf<int8_t>({2, 3}), true),
                    {vectorOf<int8_t>(
                        {static_cast<int8_t>(200), static_cast<int8_t>(400), static_cast<int8_t>(144), -9})}),
           std::string());
  QCOMPARE(mismatch(convolve1d(vectorOf<uint16_t>({65535}), vectorOf<uint16_t>({65535}), true),
                    {vectorOf<uint16_t>({1})}),
           std::string());
}

void TestSignal::convolutionOfBoolsIsLogical() {
  QCOMPARE(mismatch(convolve1d(vectorOf<bool>({true, false, true}), vectorOf<bool>({true, true}), true),
                    {vectorOf<bool>({true, true, true, true})}),
           std::string());
  QCOMPARE(mismatch(convolve1d(vectorOf<bool>({true, false, false}), vectorOf<bool>({true}), true),
                    {vectorOf<bool>({true, false, false})}),
           std::string());
}

void TestSignal::convolvesComplexNumbersWithoutConjugation() {
  const Data a = complexTensor({2}, {{1, 2}, {0, -1}}), b = complexTensor({2}, {{3, 0}, {0, 1}});
  QCOMPARE(mismatch(convolve1d(a, b, true), {complexTensor({3}, {{3, 6}, {-2, -2}, {1, 0}})}, 1e-12),
           std::string());
}

void TestSignal::convolutionConvertsToTheOutput() {
  QCOMPARE(mismatch(convolve1d(vectorOf<int32_t>({1, 2}), vectorOf<double>({0.5}), true),
                    {vectorOf<double>({0.5, 1})}),
           std::string());
}

void TestSignal::convolvesMatrices_data() {
  QTest::addColumn<QString>("method");
  QTest::addColumn<int>("rows");
  QTest::addColumn<int>("columns");
  for (const char* method : {"direct", "fft", "auto"})
    for (const auto& [rows, columns] : {std::pair(6, 7), {2, 2}, {3, 2}, {1, 1}, {2, 9}, {1, 2}})
      QTest::addRow("%s %dx%d", method, rows, columns) << method << rows << columns;
}

void TestSignal::convolvesMatrices() {
  QFETCH(QString, method);
  QFETCH(int, rows);
  QFETCH(int, columns);
  const std::string name = method.toStdString();
  const int64_t bRows = 3, bColumns = 2;
  const std::vector<double> a = numbers(rows * columns), b = numbers(bRows * bColumns);
  const std::vector<double> full = slowFull(a, rows, columns, b, bRows, bColumns);
  const Data x = tensorOf<double>({rows, columns}, a), y = tensorOf<double>({bRows, bColumns}, b);
  const int64_t height = rows + bRows - 1, width = columns + bColumns - 1;
  QCOMPARE(mismatch(convolve2d(x, y, true, name.c_str()), {tensorOf<double>({height, width}, full)}, 1e-12),
           std::string());
  const bool fits = (rows >= bRows && columns >= bColumns) || (rows <= bRows && columns <= bColumns);
  if (!fits) {
    QVERIFY(callOp(convolve2d(x, y, false, name.c_str())).errorText().starts_with("ValueError: "));
    return;
  }
  const int64_t skipRows = std::min<int64_t>(rows, bRows) - 1,
                skipColumns = std::min<int64_t>(columns, bColumns) - 1;
  std::vector<double> valid;
  for (int64_t i = skipRows; i < height - skipRows; ++i)
    for (int64_t j = skipColumns; j < width - skipColumns; ++j)
      valid.push_back(full[static_cast<size_t>(i * width + j)]);
  QCOMPARE(mismatch(convolve2d(x, y, false, name.c_str()),
                    {tensorOf<double>({height - 2 * skipRows, width - 2 * skipColumns}, valid)}, 1e-12),
           std::string());
}

void TestSignal::largeConvolutionsByTransformsAgree() {
  const Data x = tensorOf<double>({150, 141}, numbers(150 * 141)),
             y = tensorOf<double>({90, 101}, numbers(90 * 101));
  for (const bool full : {true, false}) {
    const Data direct = callOp(convolve2d(x, y, full, "direct")).outputs.at(0);
    QCOMPARE(difference(callOp(convolve2d(x, y, full, "fft")).outputs.at(0), direct, 1e-9), std::string());
    QCOMPARE(difference(callOp(convolve2d(x, y, full, "auto")).outputs.at(0), direct, 1e-9), std::string());
  }
}

void TestSignal::convolutionByTransformsKeepsNotANumbersApart() {
  std::vector<double> a = numbers(150 * 141);
  a[0] = std::numeric_limits<double>::quiet_NaN();
  const Data x = tensorOf<double>({150, 141}, a), y = tensorOf<double>({90, 101}, numbers(90 * 101));
  const std::vector<double> sums = doublesOf(callOp(convolve2d(x, y, true, "auto")).outputs.at(0));
  QVERIFY(std::isnan(sums.front()));
  QVERIFY(!std::isnan(sums.back()));
}

void TestSignal::convolutionRefusesEmptyArrays() {
  for (const bool full : {true, false}) {
    QCOMPARE(callOp(convolve1d(vectorOf<double>({}), vectorOf<double>({1}), full)).errorText(),
             std::string("ValueError: an empty array cannot be convolved"));
    QCOMPARE(callOp(convolve1d(vectorOf<double>({1}), vectorOf<double>({}), full)).errorText(),
             std::string("ValueError: an empty array cannot be convolved"));
  }
}

void TestSignal::validConvolutionRefusesMixedSizes() {
  const Data wide = rampOf(DType::Float64, {2, 5}), high = rampOf(DType::Float64, {5, 2});
  QCOMPARE(
      callOp(convolve2d(wide, high, false, "auto")).errorText(),
      std::string(
          "ValueError: a valid convolution needs one matrix that is not smaller than the other in any axis"));
  QCOMPARE(callOp(convolve2d(wide, high, true, "auto")).errorText(), std::string());
}

void TestSignal::convolutionRefusesUnknownMethods() {
  const Data x = rampOf(DType::Float64, {2, 2});
  const std::string text = callOp(convolve2d(x, x, true, "magic")).errorText();
  QVERIFY2(text.starts_with("$.graph.nodes[0].params.method: expected one of"), text.c_str());
}

void TestSignal::fourierIsTheDefinition_data() {
  QTest::addColumn<int>("n");
  // Powers of two, mixed radices, small and large primes and their multiples.
  for (const int n : {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 30, 64, 61, 67, 97, 100, 134, 201, 268, 1009, 1024})
    QTest::addRow("%d", n) << n;
}

void TestSignal::fourierIsTheDefinition() {
  QFETCH(int, n);
  std::vector<Complex> x;
  const std::vector<double> re = numbers(n), im = numbers(2 * n);
  for (int i = 0; i < n; ++i) x.emplace_back(re[static_cast<size_t>(i)], im[static_cast<size_t>(i + n)]);
  QCOMPARE(mismatch(fourier(complexTensor({n}, x), n, 0), {complexTensor({n}, slowTransform(x))}, 1e-10),
           std::string());
}

void TestSignal::fourierConservesEnergy() {
  QFETCH(int, n);
  const std::vector<double> x = numbers(n);
  const std::vector<Complex> y = complexOf(callOp(fourier(vectorOf(x), n, 0)).outputs.at(0));
  double before = 0, after = 0;
  for (const double element : x) before += element * element;
  for (const Complex& element : y) after += std::norm(element);
  QVERIFY(std::abs(after / n - before) <= 1e-12 * (1 + before));
}

void TestSignal::fourierCutsAndPads() {
  QCOMPARE(mismatch(fourier(vectorOf<double>({1, 2, 3, 4}), 2, 0), {complexTensor({2}, {3, -1})}, 1e-15),
           std::string());
  QCOMPARE(mismatch(fourier(vectorOf<int32_t>({1, 2}), 4, 0), {complexTensor({4}, {3, {1, -2}, -1, {1, 2}})},
                    1e-15),
           std::string());
  QCOMPARE(mismatch(fourier(vectorOf<double>({}), 2, 0), {complexTensor({2}, {0, 0})}, 1e-15), std::string());
  QCOMPARE(mismatch(fourier(rampOf(DType::Float64, {0, 3}), 2, 1), {complexTensor({0, 2}, {})}, 1e-15),
           std::string());
}

void TestSignal::fourierTakesEveryAxis() {
  const Data x = tensorOf<double>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Complex root = std::polar(1.0, -2 * std::numbers::pi / 3);
  const std::vector<Complex> alongLast{
      6,  1.0 + 2.0 * root + 3.0 * root * root, 1.0 + 2.0 * root * root + 3.0 * root,
      15, 4.0 + 5.0 * root + 6.0 * root * root, 4.0 + 5.0 * root * root + 6.0 * root};
  QCOMPARE(mismatch(fourier(x, 2, 0), {complexTensor({2, 3}, {5, 7, 9, -3, -3, -3})}, 1e-14), std::string());
  QCOMPARE(mismatch(fourier(x, 3, 1), {complexTensor({2, 3}, alongLast)}, 1e-14), std::string());
  QCOMPARE(mismatch(fourier(x, 3, -1), {complexTensor({2, 3}, alongLast)}, 1e-14), std::string());
}

void TestSignal::fourierRefusesLengthsBelowOne() {
  const std::string text = callOp(fourier(vectorOf<double>({1}), 0, 0)).errorText();
  QVERIFY2(text.starts_with("ValueError: a transform of length 0"), text.c_str());
}

void TestSignal::fourierRefusesAnAxisOutside() {
  QCOMPARE(callOp(fourier(vectorOf<double>({1}), 1, 1)).errorText(),
           std::string("AxisError: axis 1 is out of bounds for an array of rank 1"));
}

void TestSignal::realTransformIsHalfOfTheComplexOne() {
  QFETCH(int, n);
  const std::vector<double> x = numbers(n);
  const std::vector<Complex> whole = slowTransform({x.begin(), x.end()});
  std::vector<double> half;
  for (int k = 0; k <= n / 2; ++k)
    half.insert(half.end(), {whole[static_cast<size_t>(k)].real(), whole[static_cast<size_t>(k)].imag()});
  QCOMPARE(
      mismatch(rfft(tensorOf<double>({1, n}, x), {n}), {tensorOf<double>({1, n / 2 + 1, 2}, half)}, 1e-10),
      std::string());
}

void TestSignal::realTransformsGoRound_data() {
  QTest::addColumn<QList<int>>("lengths");
  for (const QList<int>& lengths :
       {QList<int>{1}, {2}, {8}, {9}, {67}, {134}, {4, 6}, {5, 7}, {3, 4, 5}, {2, 71}, {71, 2}}) {
    QString name;
    for (const int n : lengths) name += QString::number(n) + ' ';
    QTest::newRow(qPrintable(name)) << lengths;
  }
}

void TestSignal::realTransformsGoRound() {
  QFETCH(QList<int>, lengths);
  const std::vector<int64_t> s(lengths.begin(), lengths.end());
  std::vector<int64_t> shape{3};
  shape.insert(shape.end(), s.begin(), s.end());
  const double count = static_cast<double>(elementCount(s));
  const std::vector<double> x = numbers(elementCount(shape));
  std::vector<double> scaled;
  for (const double element : x) scaled.push_back(element * count);
  const OpOutcome forward = callOp(rfft(tensorOf<double>(shape, x), s));
  QCOMPARE(forward.errorText(), std::string());
  QCOMPARE(mismatch(irfft(forward.outputs[0], s), {tensorOf<double>(shape, scaled)}, 1e-11), std::string());
}

void TestSignal::realTransformOverTwoAxes() {
  // [[1, 2], [3, 5]]: sums and differences.
  const Data x = tensorOf<double>({1, 2, 2}, {1, 2, 3, 5});
  QCOMPARE(mismatch(rfft(x, {2, 2}), {tensorOf<double>({1, 2, 2, 2}, {11, 0, -3, 0, -5, 0, 1, 0})}, 1e-14),
           std::string());
}

void TestSignal::realTransformsCutAndPad() {
  const Data x = tensorOf<double>({1, 4}, {1, 2, 3, 4});
  QCOMPARE(mismatch(rfft(x, {2}), {tensorOf<double>({1, 2, 2}, {3, 0, -1, 0})}, 1e-14), std::string());
  QCOMPARE(mismatch(rfft(tensorOf<double>({1, 2}, {1, 2}), {4}),
                    {tensorOf<double>({1, 3, 2}, {3, 0, 1, -2, -1, 0})}, 1e-14),
           std::string());
  // Of three complex numbers the inverse of length 2 reads two, that of length 6 pads one.
  const Data y = tensorOf<double>({1, 3, 2}, {3, 0, 1, 0, 9, 9});
  QCOMPARE(mismatch(irfft(y, {2}), {tensorOf<double>({1, 2}, {4, 2})}, 1e-14), std::string());
  const std::vector<Complex> padded{3, 1, {9, 9}, 0, {9, -9}, 1};
  std::vector<double> expected;
  for (const Complex& element : slowTransform(padded, 1)) expected.push_back(element.real());
  QCOMPARE(mismatch(irfft(y, {6}), {tensorOf<double>({1, 6}, expected)}, 1e-13), std::string());
}

void TestSignal::inverseIgnoresImpossibleImaginaryParts() {
  for (const int64_t n : {4, 6, 134}) {
    std::vector<double> clean = numbers(2 * (n / 2 + 1));
    std::vector<double> odd = clean;
    clean[1] = clean.back() = 0;
    odd[1] = odd.back() = 7;
    const Data expected = callOp(irfft(tensorOf<double>({1, n / 2 + 1, 2}, clean), {n})).outputs.at(0);
    QCOMPARE(mismatch(irfft(tensorOf<double>({1, n / 2 + 1, 2}, odd), {n}), {expected}, 1e-12),
             std::string());
  }
}

void TestSignal::realTransformsTakeAllFloats() {
  const Data x = tensorOf<double>({2, 4}, {1, 2, 3, 4, 0, 0, 1, 0});
  const Data wide = callOp(rfft(x, {4})).outputs.at(0);
  for (const DType dtype : kAllFloats) {
    QCOMPARE(mismatch(rfft(convertedTo(x, dtype), {4}), {convertedTo(wide, dtype)}, 1e-3), std::string());
    QCOMPARE(mismatch(irfft(convertedTo(wide, dtype), {4}),
                      {convertedTo(tensorOf<double>({2, 4}, {4, 8, 12, 16, 0, 0, 4, 0}), dtype)}, 1e-3),
             std::string());
  }
}

void TestSignal::realTransformRefusesTooManyLengths() {
  QCOMPARE(callOp(rfft(rampOf(DType::Float64, {2, 3}), {2, 3, 4})).errorText(),
           std::string("ValueError: 3 transform lengths for 2 axes"));
  QCOMPARE(callOp(rfft(rampOf(DType::Float64, {2, 3}), {})).errorText(),
           std::string("ValueError: 0 transform lengths for 2 axes"));
  QVERIFY(callOp(irfft(rampOf(DType::Float64, {2, 3, 3}), {3}))
              .errorText()
              .starts_with("ValueError: the last axis"));
}

void TestSignal::bartlettIsATriangle() {
  const auto call = [](int64_t n) {
    return OpCall{"Bartlett", {}, {scalarOf(n)}, {tensorType(DType::Float64, {kUnknownLength})}};
  };
  QCOMPARE(mismatch(call(5), {vectorOf<double>({0, 0.5, 1, 0.5, 0})}, 1e-15), std::string());
  QCOMPARE(mismatch(call(4), {vectorOf<double>({0, 2.0 / 3, 2.0 / 3, 0})}, 1e-15), std::string());
  QCOMPARE(mismatch(call(1), {vectorOf<double>({1})}), std::string());
}

void TestSignal::bartlettOfNothingIsEmpty() {
  for (const int8_t n : {int8_t{0}, int8_t{-3}})
    QCOMPARE(mismatch({"Bartlett", {}, {scalarOf(n)}, {tensorType(DType::Float64, {kUnknownLength})}},
                      {vectorOf<double>({})}),
             std::string());
}

QTEST_APPLESS_MAIN(TestSignal)
#include "tst_signal.moc"
