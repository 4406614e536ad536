#include "ops/dense.h"
#include "ops/factor_check.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

struct Problem {
  std::string name;
  OpCall call;
};

Data element(const Data& data, size_t at, double plus) {
  Data changed = data;
  Tensor& tensor = std::get<Tensor>(changed.v);
  withType(tensor.dtype, [&]<class T>(std::type_identity<T>) {
    std::byte* place = tensor.bytes.data() + at * sizeof(T);
    store<T>(place, convertTo<T>(convertTo<Complex>(load<T>(place)) + plus));
  });
  return changed;
}

std::vector<Type> typesOf(DType d, const std::string& form) {
  std::vector<Type> types;
  for (const char c : form)
    types.push_back(
        c == 'm'   ? matrixType(d)
        : c == 'v' ? vectorType(d)
        : c == 'r' ? vectorType(realPart(d))
        : c == 'c' ? vectorType(realPart(d) == DType::Float32 ? DType::Complex64 : DType::Complex128)
        : c == 'C' ? matrixType(realPart(d) == DType::Float32 ? DType::Complex64 : DType::Complex128)
                   : vectorType(DType::Int32));
  return types;
}

/// Calls of every op with factors, in all their modes. Output types: m(atrix), v(ector), r(eal vector),
/// c(omplex vector), C(omplex matrix), i(nteger vector).
std::vector<Problem> problems(DType d) {
  const Data tall = toData(randomDense(7, 4, d, 1), d), wide = toData(randomDense(4, 7, d, 2), d);
  const Data square = toData(randomDense(6, 6, d, 3), d), other = toData(dominantDense(6, d, 4), d);
  const Dense half = randomDense(6, 6, d, 5);
  const Data hermitian = toData(half + adjoint(half), d), positive = toData(positiveDense(6, d, 6), d);
  std::vector<Problem> all;
  const auto add = [&](const char* op, nlohmann::json params, std::vector<Data> inputs,
                       const std::string& form) {
    const std::string name = std::string(op) + params.dump() + std::to_string(all.size());
    all.push_back({name, {op, std::move(params), std::move(inputs), typesOf(d, form)}});
  };
  for (const Data& a : {tall, wide, square})
    for (const bool pivoting : {false, true}) {
      const std::string columns = pivoting ? "i" : "";
      add("QR", {{"mode", "full"}, {"pivoting", pivoting}}, {a}, "mm" + columns);
      add("QR", {{"mode", "economic"}, {"pivoting", pivoting}}, {a}, "mm" + columns);
      add("QR", {{"mode", "r"}, {"pivoting", pivoting}}, {a}, "m" + columns);
      add("QR", {{"mode", "raw"}, {"pivoting", pivoting}}, {a}, "mvm" + columns);
    }
  for (const Data& a : {tall, wide, square}) {
    add("SVD", {{"full_matrices", true}}, {a}, "mrm");
    add("SVD", {{"full_matrices", false}}, {a}, "mrm");
  }
  add("Eig", {}, {square}, "cC");
  for (const bool lower : {true, false}) {
    add("Eigh", {{"lower", lower}}, {hermitian}, "rm");
    add("Eigh", {{"lower", lower}}, {hermitian, positive}, "rm");
  }
  for (const char* sort : {"", "lhp", "rhp", "iuc", "ouc"}) {
    nlohmann::json params = nlohmann::json::object();
    if (*sort) params["sort"] = sort;
    add("Schur", params, {square}, "mm");
    add("QZ", params, {square, other}, "mmmm");
    params["return_eigenvalues"] = true;
    add("QZ", params, {square, other}, "mmcvmm");
  }
  return all;
}

std::string check(const OpCall& call, const std::vector<Data>& found, const std::vector<Data>& expected,
                  DType d) {
  Node node;
  node.op = call.op;
  node.params = call.params.is_null() ? nlohmann::json::object() : call.params;
  std::vector<const Tensor*> inputs, outputs, known;
  for (const Data& data : call.inputs) inputs.push_back(data.tensor());
  for (const Data& data : found) outputs.push_back(data.tensor());
  for (const Data& data : expected) known.push_back(data.tensor());
  return checkFactors({node, inputs, outputs, known}, dtypeSize(realPart(d)) == 4 ? 1e-5 : 1e-10);
}

Dense scaledColumn(Dense a, int64_t j, Complex factor) {
  for (int64_t i = 0; i < a.rows; ++i) a(i, j) *= factor;
  return a;
}

} // namespace

class TestFactorCheck : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void rightFactorsPass_data() { addLapackRows(); }
  void rightFactorsPass();
  void oneWrongElementFails_data() { addLapackRows(); }
  void oneWrongElementFails();
  void notANumberFails();
  void otherSignsPass();
  void recordedValuesAreCompared();
  void wrongOrderFails();
  void batchesAreCheckedOneByOne();
  void onlyChoicesAreFactors_data();
  void onlyChoicesAreFactors();
};

void TestFactorCheck::rightFactorsPass() {
  QFETCH(int, dtype);
  const auto d = static_cast<DType>(dtype);
  for (const Problem& problem : problems(d)) {
    const OpOutcome outcome = callOp(problem.call);
    QCOMPARE(outcome.errorText(), std::string());
    const std::string wrong = check(problem.call, outcome.outputs, outcome.outputs, d);
    QVERIFY2(wrong.empty(), (problem.name + ": " + wrong).c_str());
  }
}

void TestFactorCheck::oneWrongElementFails() {
  QFETCH(int, dtype);
  const auto d = static_cast<DType>(dtype);
  for (const Problem& problem : problems(d)) {
    const OpOutcome outcome = callOp(problem.call);
    QCOMPARE(outcome.errorText(), std::string());
    for (size_t k = 0; k < outcome.outputs.size(); ++k) {
      const int64_t count = elementCount(outcome.outputs[k].tensor()->shape);
      const bool integers = isIntegral(outcome.outputs[k].tensor()->dtype);
      for (int64_t at = 0; at < count; ++at) {
        std::vector<Data> found = outcome.outputs;
        found[k] = element(found[k], static_cast<size_t>(at), integers ? 1 : 0.01);
        const std::string place =
            problem.name + " output " + std::to_string(k) + " element " + std::to_string(at);
        QVERIFY2(!check(problem.call, found, outcome.outputs, d).empty(), place.c_str());
      }
    }
  }
}

void TestFactorCheck::notANumberFails() {
  const DType d = DType::Float64;
  for (const Problem& problem : problems(d)) {
    const OpOutcome outcome = callOp(problem.call);
    std::vector<Data> found = outcome.outputs;
    for (Data& data : found)
      if (!isIntegral(data.tensor()->dtype))
        data = element(data, 0, std::numeric_limits<double>::quiet_NaN());
    QVERIFY2(!check(problem.call, found, {}, d).empty(), problem.name.c_str());
  }
}

void TestFactorCheck::otherSignsPass() {
  const DType d = DType::Complex128;
  const Complex phase = std::polar(1.0, 0.7);
  const OpCall qr{"QR", {}, {toData(randomDense(5, 5, d, 1), d)}, {matrixType(d), matrixType(d)}};
  const OpOutcome factors = callOp(qr);
  const Data q = toData(scaledColumn(toDense(factors.outputs[0]), 2, phase), d);
  const Data r =
      toData(transpose(scaledColumn(transpose(toDense(factors.outputs[1])), 2, std::conj(phase))), d);
  QCOMPARE(check(qr, {q, r}, factors.outputs, d), std::string());
  QVERIFY(!check(qr, {q, factors.outputs[1]}, factors.outputs, d).empty());

  const OpCall svd{"SVD",
                   {},
                   {toData(randomDense(5, 5, d, 2), d)},
                   {matrixType(d), vectorType(DType::Float64), matrixType(d)}};
  const OpOutcome parts = callOp(svd);
  const Data u = toData(scaledColumn(toDense(parts.outputs[0]), 1, phase), d);
  const Data vh =
      toData(transpose(scaledColumn(transpose(toDense(parts.outputs[2])), 1, std::conj(phase))), d);
  QCOMPARE(check(svd, {u, parts.outputs[1], vh}, parts.outputs, d), std::string());
  QVERIFY(!check(svd, {u, parts.outputs[1], parts.outputs[2]}, parts.outputs, d).empty());
}

void TestFactorCheck::recordedValuesAreCompared() {
  const DType d = DType::Float64;
  const OpCall svd{
      "SVD", {}, {toData(randomDense(4, 4, d, 3), d)}, {matrixType(d), vectorType(d), matrixType(d)}};
  const OpOutcome parts = callOp(svd);
  QCOMPARE(check(svd, parts.outputs, parts.outputs, d), std::string());
  QVERIFY(
      !check(svd, parts.outputs, {parts.outputs[0], element(parts.outputs[1], 1, 0.01), parts.outputs[2]}, d)
           .empty());

  const OpCall eig{"Eig",
                   {},
                   {toData(randomDense(4, 4, d, 4), d)},
                   {vectorType(DType::Complex128), matrixType(DType::Complex128)}};
  const OpOutcome pairs = callOp(eig);
  QVERIFY(!check(eig, pairs.outputs, {element(pairs.outputs[0], 0, 0.01), pairs.outputs[1]}, d).empty());
}

void TestFactorCheck::wrongOrderFails() {
  const DType d = DType::Float64;
  const Data a = toData(denseOf({{-1, 0}, {0, 2}}), d), identity = toData(identityDense(2), d);
  const OpCall right{"Schur", {{"sort", "lhp"}}, {a}, {matrixType(d), matrixType(d)}};
  const OpCall wrong{"Schur", {{"sort", "rhp"}}, {a}, {matrixType(d), matrixType(d)}};
  QCOMPARE(check(right, {a, identity}, {}, d), std::string());
  QCOMPARE(check(wrong, {a, identity}, {}, d), std::string("eigenvalues are not sorted by rhp"));
  const OpCall eigh{"Eigh", {}, {a}, {vectorType(d), matrixType(d)}};
  QCOMPARE(check(eigh, {vectorOf<double>({2, -1}), toData(denseOf({{0, 1}, {1, 0}}), d)}, {}, d),
           std::string("eigenvalues do not ascend"));
}

void TestFactorCheck::batchesAreCheckedOneByOne() {
  const DType d = DType::Float64;
  const OpCall one{"QR", {}, {toData(randomDense(3, 3, d, 5), d)}, {matrixType(d), matrixType(d)}};
  const OpCall two{"QR", {}, {toData(randomDense(3, 3, d, 6), d)}, {matrixType(d), matrixType(d)}};
  const auto stacked = [](const Data& a, const Data& b) {
    Tensor all{a.tensor()->dtype, {2, 3, 3}, a.tensor()->bytes};
    all.bytes.insert(all.bytes.end(), b.tensor()->bytes.begin(), b.tensor()->bytes.end());
    return Data{all};
  };
  const OpOutcome first = callOp(one), second = callOp(two);
  OpCall both = one;
  both.inputs = {stacked(one.inputs[0], two.inputs[0])};
  std::vector<Data> found{stacked(first.outputs[0], second.outputs[0]),
                          stacked(first.outputs[1], second.outputs[1])};
  QCOMPARE(check(both, found, {}, d), std::string());
  found[1] = element(found[1], 9, 0.01);
  QVERIFY(check(both, found, {}, d).rfind("batch 1: A = Q R", 0) == 0);
  QCOMPARE(check(both, {first.outputs[0], first.outputs[1]}, {}, d),
           std::string("the batch axes of the outputs do not fit"));
}

void TestFactorCheck::onlyChoicesAreFactors_data() {
  QTest::addColumn<QString>("op");
  QTest::addColumn<int>("outputs");
  QTest::addColumn<int>("position");
  QTest::addColumn<bool>("factor");
  QTest::newRow("Q") << "QR" << 2 << 0 << true;
  QTest::newRow("R alone") << "QR" << 1 << 0 << true;
  QTest::newRow("U") << "SVD" << 3 << 0 << true;
  QTest::newRow("singular values") << "SVD" << 3 << 1 << false;
  QTest::newRow("singular values alone") << "SVD" << 1 << 0 << false;
  QTest::newRow("eigenvalues in any order") << "Eig" << 2 << 0 << true;
  QTest::newRow("ascending eigenvalues") << "Eigh" << 2 << 0 << false;
  QTest::newRow("eigenvectors") << "Eigh" << 2 << 1 << true;
  QTest::newRow("Schur form") << "Schur" << 2 << 0 << true;
  QTest::newRow("L") << "LU" << 3 << 1 << false;
  QTest::newRow("a Cholesky factor") << "Cholesky" << 1 << 0 << false;
}

void TestFactorCheck::onlyChoicesAreFactors() {
  QFETCH(QString, op);
  QFETCH(int, outputs);
  QFETCH(int, position);
  Node node;
  node.op = op.toStdString();
  node.out.resize(static_cast<size_t>(outputs));
  QTEST(isFactor(node, static_cast<size_t>(position)), "factor");
}

QTEST_APPLESS_MAIN(TestFactorCheck)
#include "tst_factor_check.moc"
