// RandomVariable and DefaultGeneratorMakerOp: streams recorded from NumPy, and what NumPy refuses.
#include "numeric/random/bit_generator.h"
#include "numeric/random/samplers.h"
#include "numeric/random/seed_sequence.h"
#include "ops/op_harness.h"
#include "random_streams.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace nodewise;
using namespace nodewise::testing;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

RngState generator(uint32_t seed = kStreamSeed) { return defaultGenerator(std::vector<uint32_t>{seed}); }

Type rngType() {
  Type type;
  type.kind = Kind::Rng;
  type.text = "PCG64";
  return type;
}

Type unknownShape(DType dtype, int rank) {
  return tensorType(dtype, std::vector<int64_t>(static_cast<size_t>(rank), kUnknownLength));
}

/// A draw of rank `rank`; without `size` the batch shape is the parameters'.
OpCall drawCall(const char* dist, std::vector<Data> parameters, std::vector<int64_t> size, DType dtype,
                int rank, nlohmann::json params = nlohmann::json::object()) {
  params["dist"] = dist;
  OpCall call{"RandomVariable", params, {Data{generator()}}, {rngType(), unknownShape(dtype, rank)}};
  call.inputs.push_back(size.empty() ? Data{NoneData{}} : vectorOf(size));
  for (Data& p : parameters) call.inputs.push_back(std::move(p));
  return call;
}

template <class T> std::vector<T> elements(const Data& data) {
  const Tensor* tensor = data.tensor();
  if (!tensor || tensor->dtype != dtypeOf<T>()) return {};
  return {tensor->as<T>(), tensor->as<T>() + elementCount(tensor->shape)};
}

/// The next number in [0, 1) of the generator that a call gave.
double numberAfter(const OpOutcome& outcome) {
  RngState rng = std::get<RngState>(outcome.outputs[0].v);
  return nextDouble(rng);
}

/// A call in every layout: its draw, and the number that comes after it.
#define COMPARE_DRAW(call, expected, after)                                                                  \
  do {                                                                                                       \
    for (const Layout layout : kLayouts) {                                                                   \
      OpCall nwCall = call;                                                                                  \
      nwCall.layout = layout;                                                                                \
      const OpOutcome nwOutcome = callOp(nwCall);                                                            \
      QCOMPARE(nwOutcome.errorText(), std::string());                                                        \
      QCOMPARE(difference(nwOutcome.outputs[1], expected, 1e-13), std::string());                            \
      QCOMPARE(numberAfter(nwOutcome), after);                                                               \
    }                                                                                                        \
  } while (false)

std::vector<Data> parametersOf(const RandomStream& stream) {
  std::vector<Data> parameters;
  for (size_t k = 0; stream.kinds[k] != 0; ++k) {
    const double* p = stream.parameters[k];
    if (stream.kinds[k] == 'i')
      parameters.push_back(
          tensorOf<int64_t>({1, 2}, {static_cast<int64_t>(p[0]), static_cast<int64_t>(p[1])}));
    else
      parameters.push_back(tensorOf<double>({1, 2}, {p[0], p[1]}));
  }
  return parameters;
}

} // namespace

class TestRandom : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase();
  void everyDistributionHasAStream();
  void drawsRepeatNumpysStream_data();
  void drawsRepeatNumpysStream();
  void drawsAreConvertedToTheOutputsDtype();
  void withoutASizeTheParametersGiveTheShape();
  void theGeneratorIsCopiedUnlessItMayBeDestroyed();
  void vectorDrawsRepeatNumpysStream();
  void multivariateNormalTakesItsFactorFromTheMethod_data();
  void multivariateNormalTakesItsFactorFromTheMethod();
  void selectionsRepeatNumpysStream();
  void scipyDrawsNothingWhereAllScalesAre0();
  void numpyRefusesInvalidParameters_data();
  void numpyRefusesInvalidParameters();
  void invalidVectorsAreRefused();
  void shapesThatDoNotFitAreRefused();
  void malformedNodesAreErrorsOfTheFile();
  void defaultGeneratorMakerSeedsLikeNumpy();
};

void TestRandom::initTestCase() {
  if (!numpySamplers()) QFAIL("built without NumPy's sampler library: install python3-numpy and build again");
}

void TestRandom::everyDistributionHasAStream() {
  for (const Distribution& distribution : numpySamplers()->distributions) {
    bool found = false;
    for (const RandomStream& stream : kRandomStreams) found = found || distribution.name == stream.dist;
    QVERIFY2(found, distribution.name.data());
  }
}

void TestRandom::drawsRepeatNumpysStream_data() {
  QTest::addColumn<int>("row");
  for (int k = 0; k < static_cast<int>(std::size(kRandomStreams)); ++k)
    QTest::newRow(kRandomStreams[k].dist) << k;
}

void TestRandom::drawsRepeatNumpysStream() {
  QFETCH(int, row);
  const RandomStream& stream = kRandomStreams[row];
  const OpCall call = drawCall(stream.dist, parametersOf(stream), {3, 2}, DType::Float64, 2);
  const Data expected = tensorOf<double>({3, 2}, {std::begin(stream.draws), std::end(stream.draws)});
  COMPARE_DRAW(call, expected, stream.after);
}

void TestRandom::drawsAreConvertedToTheOutputsDtype() {
  const std::vector<Data> rate{tensorOf<float>({1}, {2.5f})};
  const OpOutcome wide = callOp(drawCall("poisson", rate, {5}, DType::Int64, 1));
  const OpOutcome narrow = callOp(drawCall("poisson", rate, {5}, DType::Int8, 1));
  QCOMPARE(narrow.errorText(), std::string());
  QCOMPARE(difference(narrow.outputs[1], convertedTo(wide.outputs[1], DType::Int8)), std::string());
  QCOMPARE(numberAfter(narrow), numberAfter(wide));
}

void TestRandom::withoutASizeTheParametersGiveTheShape() {
  const std::vector<Data> parameters{tensorOf<double>({2, 1}, {0, 10}), tensorOf<double>({1, 3}, {1, 2, 3})};
  const OpOutcome outcome = callOp(drawCall("normal", parameters, {}, DType::Float64, 2));
  QCOMPARE(outcome.errorText(), std::string());
  QCOMPARE(outcome.outputs[1].tensor()->shape, (std::vector<int64_t>{2, 3}));
  const OpOutcome sized = callOp(drawCall("normal", parameters, {2, 3}, DType::Float64, 2));
  QCOMPARE(difference(outcome.outputs[1], sized.outputs[1]), std::string());
  const OpOutcome empty = callOp(drawCall("normal", parameters, {0, 2, 3}, DType::Float64, 3));
  QCOMPARE(empty.outputs[1].tensor()->shape, (std::vector<int64_t>{0, 2, 3}));
  QVERIFY(std::get<RngState>(empty.outputs[0].v).state == generator().state);
}

void TestRandom::theGeneratorIsCopiedUnlessItMayBeDestroyed() {
  OpCall call = drawCall("uniform", {scalarOf(0.0), scalarOf(1.0)}, {}, DType::Float64, 0);
  OpOutcome outcome = callOp(call);
  QVERIFY(outcome.lowered.inPlace.empty());
  QVERIFY(std::get<RngState>(outcome.inputsAfter[0].v).state == generator().state);
  QVERIFY(std::get<RngState>(outcome.outputs[0].v).state != generator().state);
  const UInt128 advanced = std::get<RngState>(outcome.outputs[0].v).state;
  call.destroys = {{0, 0}};
  outcome = callOp(call);
  QVERIFY(std::get<RngState>(outcome.inputsAfter[0].v).state == advanced);
  // A draw that fails on its way leaves it as it was.
  call =
      drawCall("choice_without_replacement", {vectorOf<int64_t>({20, 20, 3}), tensorOf<int64_t>({1, 1}, {5})},
               {}, DType::Int64, 2, {{"signature", "(),(1)->(s0)"}});
  call.destroys = {{0, 0}};
  outcome = callOp(call);
  QCOMPARE(outcome.error ? outcome.error->type : std::string(), std::string("ValueError"));
  QVERIFY(std::get<RngState>(outcome.inputsAfter[0].v).state == generator().state);
}

void TestRandom::vectorDrawsRepeatNumpysStream() {
  COMPARE_DRAW(drawCall("categorical", {tensorOf<double>({1, 3}, {.2, .5, .3})}, {6}, DType::Int64, 1),
               vectorOf<int64_t>({1, 2, 2, 0, 2, 2}), 0.7128846002653388);
  COMPARE_DRAW(drawCall("dirichlet", {tensorOf<double>({1, 3}, {.5, 2, 3})}, {2}, DType::Float64, 2),
               tensorOf<double>({2, 3}, {0.030594786598551773, 0.46525712580991135, 0.5041480875915368,
                                         0.22182248784448477, 0.6761815815285069, 0.1019959306270084}),
               0.15934695020686107);
  COMPARE_DRAW(drawCall("dirichlet", {tensorOf<double>({1, 3}, {.05, .02, .03})}, {2}, DType::Float64, 2),
               tensorOf<double>({2, 3}, {7.169109620315572e-09, 0.9999999928308904, 0.0, 0.19240381088925887,
                                         3.0707014049816486e-06, 0.8075931184093362}),
               0.7579185882941497);
  const std::vector<Data> counts{vectorOf<int64_t>({20, 1000}),
                                 tensorOf<double>({2, 3}, {.2, .5, .3, .1, .1, .8})};
  COMPARE_DRAW(drawCall("multinomial", counts, {}, DType::Int64, 2),
               tensorOf<int64_t>({2, 3}, {3, 9, 8, 106, 103, 791}), 0.9991759280632234);
}

void TestRandom::multivariateNormalTakesItsFactorFromTheMethod_data() {
  QTest::addColumn<QList<double>>("draws");
  QTest::newRow("cholesky") << QList<double>{0.24470531691609532, -1.2931096301837797, 0.6302665789100015,
                                             -1.2088151364368966};
  QTest::newRow("svd") << QList<double>{1.77103126654956, -0.7880802233653803, 1.4012362052364606,
                                        -0.9537173749448921};
  QTest::newRow("eigh") << QList<double>{0.9710298395512925, -0.4972532940258545, 1.081680278910671,
                                         -0.7141871262595956};
}

void TestRandom::multivariateNormalTakesItsFactorFromTheMethod() {
  QFETCH(QList<double>, draws);
  const std::vector<Data> parameters{tensorOf<double>({1, 2}, {1, -1}),
                                     tensorOf<double>({1, 2, 2}, {2, .5, .5, 1})};
  const OpCall call = drawCall("multivariate_normal", parameters, {2}, DType::Float64, 2,
                               {{"method", QTest::currentDataTag()}, {"signature", "(n),(n,n)->(n)"}});
  COMPARE_DRAW(call, tensorOf<double>({2, 2}, {draws.begin(), draws.end()}), 0.8361852453988946);
}

void TestRandom::selectionsRepeatNumpysStream() {
  COMPARE_DRAW(
      drawCall("permutation", {scalarOf<int64_t>(7)}, {}, DType::Int64, 1, {{"signature", "()->(x)"}}),
      vectorOf<int64_t>({4, 3, 1, 5, 6, 0, 2}), 0.14545064239392003);
  COMPARE_DRAW(drawCall("permutation", {rampOf(DType::Int64, {4, 2})}, {}, DType::Int64, 2,
                        {{"signature", "(x0,x1)->(x0,x1)"}}),
               tensorOf<int64_t>({4, 2}, {2, 3, 6, 7, 0, 1, 4, 5}), 0.7813374928055897);
  COMPARE_DRAW(drawCall("choice_without_replacement", {scalarOf<int64_t>(20), vectorOf<int64_t>({5})}, {},
                        DType::Int64, 1, {{"signature", "(),(1)->(s0)"}}),
               vectorOf<int64_t>({19, 4, 13, 5, 14}), 0.8983623233710558);
  COMPARE_DRAW(drawCall("choice_without_replacement",
                        {vectorOf<double>({10, 20, 30, 40, 50}), vectorOf<double>({.1, .2, .3, .2, .2}),
                         vectorOf<int64_t>({2, 2})},
                        {}, DType::Float64, 2, {{"signature", "(a0),(a0),(2)->(s0,s1)"}}),
               tensorOf<double>({2, 2}, {20, 40, 50, 30}), 0.8752406911979159);
  COMPARE_DRAW(drawCall("choice_without_replacement", {rampOf(DType::Int64, {5, 2}), vectorOf<int64_t>({3})},
                        {}, DType::Int64, 2, {{"signature", "(a0,a1),(1)->(s0,a1)"}}),
               tensorOf<int64_t>({3, 2}, {4, 5, 2, 3, 8, 9}), 0.14545064239392003);
  // A large sample of a large population is drawn by another algorithm.
  const OpOutcome tail =
      callOp(drawCall("choice_without_replacement", {scalarOf<int64_t>(20000), vectorOf<int64_t>({500})}, {},
                      DType::Int64, 1, {{"signature", "(),(1)->(s0)"}}));
  std::vector<int64_t> chosen = elements<int64_t>(tail.outputs[1]);
  QCOMPARE(std::vector<int64_t>(chosen.begin(), chosen.begin() + 6),
           (std::vector<int64_t>{18152, 513, 15517, 3448, 15005, 6123}));
  QCOMPARE(numberAfter(tail), 0.6077403705824835);
}

void TestRandom::scipyDrawsNothingWhereAllScalesAre0() {
  for (const char* dist : {"halfnormal", "gumbel", "cauchy", "halfcauchy"}) {
    const OpOutcome outcome =
        callOp(drawCall(dist, {vectorOf<double>({1, 2}), vectorOf<double>({0, 0})}, {}, DType::Float64, 1));
    QCOMPARE(difference(outcome.outputs[1], vectorOf<double>({1, 2})), std::string());
    QVERIFY(std::get<RngState>(outcome.outputs[0].v).state == generator().state);
  }
}

void TestRandom::numpyRefusesInvalidParameters_data() {
  QTest::addColumn<QList<double>>("parameters");
  QTest::addColumn<QString>("type");
  const auto row = [](const char* dist, QList<double> parameters, const char* type = "ValueError") {
    QTest::addRow("%s", dist) << parameters << QString(type);
  };
  row("normal", {0, -1}), row("normal", {0, -0.0}), row("normal", {0, kNaN}, "");
  row("uniform", {1, 0}), row("uniform", {0, kInf}, "OverflowError"), row("uniform", {1, 1}, "");
  row("lognormal", {0, -1}), row("gamma", {-1, 1}), row("gamma", {0, 1}, ""), row("beta", {0, 1});
  row("beta", {kNaN, 1}, ""), row("exponential", {-1}), row("weibull", {-1}), row("logistic", {0, -1});
  row("laplace", {0, -1}), row("triangular", {0, 0, 0}), row("triangular", {2, 1, 3}),
      row("triangular", {0, 4, 3});
  row("vonmises", {0, -1}), row("wald", {0, 1}), row("wald", {1, 0}), row("poisson", {-1}),
      row("poisson", {kNaN});
  row("poisson", {1e19}), row("geometric", {0}), row("geometric", {1.5}), row("geometric", {1}, "");
  row("hypergeometric", {1, 2, 4}), row("hypergeometric", {-1, 2, 1}), row("hypergeometric", {1e9, 2, 1});
  row("hypergeometric", {5, 5, 0}, ""), row("binomial", {-1, .5}), row("binomial", {5, 1.5}),
      row("binomial", {5, kNaN});
  row("integers", {0, 0}), row("integers", {5, 2}), row("bernoulli", {1.5}),
      row("negative_binomial", {0, .5});
  row("negative_binomial", {1.5, 0}), row("negative_binomial", {1e300, .5}), row("beta_binomial", {5, 0, 1});
  row("halfnormal", {0, -1}), row("halfnormal", {0, kNaN}), row("t", {0, 0, 1}), row("gengamma", {2, 0, 1});
  row("gengamma", {-2, -1, 1}, ""), row("pareto", {0, 1}), row("truncexpon", {-1, 0, 1}),
      row("gumbel", {0, -1});
}

void TestRandom::numpyRefusesInvalidParameters() {
  QFETCH(QList<double>, parameters);
  QFETCH(QString, type);
  std::vector<Data> data;
  for (const double p : parameters) data.push_back(scalarOf(p));
  const OpOutcome outcome = callOp(drawCall(QTest::currentDataTag(), data, {}, DType::Float64, 0));
  QCOMPARE(outcome.error ? QString::fromStdString(outcome.error->type) : QString(), type);
  // A draw of no elements is refused too, but for integers.
  const OpOutcome none = callOp(drawCall(QTest::currentDataTag(), data, {0}, DType::Float64, 1));
  QCOMPARE(none.error ? QString::fromStdString(none.error->type) : QString(),
           QByteArray(QTest::currentDataTag()) == "integers" ? QString() : type);
}

void TestRandom::invalidVectorsAreRefused() {
  const auto errorType = [](const OpCall& call) {
    const OpOutcome outcome = callOp(call);
    return outcome.error ? outcome.error->type : std::string();
  };
  const std::string valueError = "ValueError";
  QCOMPARE(errorType(drawCall("dirichlet", {vectorOf<double>({-1, 1})}, {}, DType::Float64, 1)), valueError);
  const auto multinomial = [&](int64_t n, std::vector<double> p) {
    return errorType(drawCall("multinomial", {scalarOf(n), vectorOf(p)}, {}, DType::Int64, 1));
  };
  QCOMPARE(multinomial(-1, {.5, .5}), valueError);
  QCOMPARE(multinomial(5, {.5, .6, .2}), valueError);
  QCOMPARE(multinomial(5, {.5, kNaN}), valueError);
  QCOMPARE(multinomial(5, {}), valueError);
  const Data indefinite = tensorOf<double>({2, 2}, {1, 2, 2, 1});
  QCOMPARE(errorType(drawCall("multivariate_normal", {vectorOf<double>({0, 0}), indefinite}, {},
                              DType::Float64, 1)),
           std::string("LinAlgError"));
  QCOMPARE(errorType(drawCall("multivariate_normal", {vectorOf<double>({0, 0, 0}), indefinite}, {},
                              DType::Float64, 1)),
           valueError);
  const auto choice = [&](int64_t count, std::vector<double> p) {
    return errorType(drawCall("choice_without_replacement",
                              {scalarOf<int64_t>(3), vectorOf(p), vectorOf<int64_t>({count})}, {},
                              DType::Int64, 1, {{"signature", "(),(a),(1)->(s0)"}}));
  };
  QCOMPARE(choice(2, {.5, .25, .25}), std::string());
  QCOMPARE(choice(5, {.5, .25, .25}), valueError);
  QCOMPARE(choice(2, {.5, .5}), valueError);
  QCOMPARE(choice(2, {.5, .5, .5}), valueError);
  QCOMPARE(choice(2, {1, 0, 0}), valueError);
  QCOMPARE(choice(2, {1.5, -.5, 0}), valueError);
  QCOMPARE(choice(2, {kNaN, .5, .5}), valueError);
  QCOMPARE(choice(-1, {.5, .25, .25}), valueError);
}

void TestRandom::shapesThatDoNotFitAreRefused() {
  const Data two = vectorOf<double>({0, 0}), three = vectorOf<double>({1, 1, 1});
  QCOMPARE(callOp(drawCall("normal", {two, three}, {}, DType::Float64, 1)).error->type,
           std::string("ValueError"));
  QCOMPARE(callOp(drawCall("normal", {two, two}, {3}, DType::Float64, 1)).error->type,
           std::string("ValueError"));
  QCOMPARE(callOp(drawCall("normal", {two, two}, {-2}, DType::Float64, 1)).error->type,
           std::string("ValueError"));
  QCOMPARE(callOp(drawCall("normal", {two, two}, {1, 2}, DType::Float64, 1)).error->type,
           std::string("ValueError"));
}

void TestRandom::malformedNodesAreErrorsOfTheFile() {
  const Data zero = scalarOf(0.0), one = scalarOf(1.0);
  const auto textOf = [](const OpCall& call) { return QString::fromStdString(callOp(call).errorText()); };
  QVERIFY(textOf(drawCall("normal", {zero}, {}, DType::Float64, 0)).contains("has 1 parameters"));
  QVERIFY(textOf(drawCall("normal", {zero, one}, {}, DType::Float64, 0, {{"signature", "(),()"}}))
              .contains("signature"));
  QVERIFY(textOf(drawCall("normal", {zero, one}, {}, DType::Float64, 0, {{"signature", "(n),()->()"}}))
              .contains("signature"));
  QVERIFY(textOf(drawCall("dirichlet", {zero}, {}, DType::Float64, 1)).contains("input 2"));
  OpCall call = drawCall("normal", {zero, one}, {}, DType::Float64, 0);
  call.outputTypes[0] = tensorType(DType::Float64, {});
  QVERIFY(textOf(call).contains("output 0 must be a generator"));
  const OpOutcome unknown = callOp(drawCall("zipf", {one}, {}, DType::Int64, 0));
  QVERIFY(unknown.lowered.kind == NodeKind::Unsupported);
  QCOMPARE(unknown.lowered.reason, std::string("unknown distribution zipf"));
}

void TestRandom::defaultGeneratorMakerSeedsLikeNumpy() {
  const auto stateOf = [](Data seed) {
    const OpOutcome outcome = callOp({"DefaultGeneratorMakerOp", {}, {std::move(seed)}, {rngType()}});
    return outcome.outputs.empty() ? UInt128{0} : std::get<RngState>(outcome.outputs[0].v).state;
  };
  QVERIFY(stateOf(scalarOf<int64_t>(42)) == generator(42).state);
  QVERIFY(stateOf(scalarOf<uint8_t>(42)) == generator(42).state);
  QVERIFY(stateOf(vectorOf<int64_t>({1, 2, 3, 4, 5, 6})) ==
          defaultGenerator(std::vector<uint32_t>{1, 2, 3, 4, 5, 6}).state);
  const UInt128 large = (UInt128{0x99db67438a6dd17d} << 64) | 0x3adac7af57b8d1ca;
  QVERIFY(stateOf(vectorOf<uint64_t>({uint64_t{1} << 63, 0, 7})) == large);
  QVERIFY(stateOf(Data{NoneData{}}) != stateOf(Data{NoneData{}}));
  const OpOutcome negative = callOp({"DefaultGeneratorMakerOp", {}, {scalarOf<int64_t>(-1)}, {rngType()}});
  QCOMPARE(negative.errorText(), std::string("ValueError: expected non-negative integer"));
  QVERIFY(callOp({"DefaultGeneratorMakerOp", {}, {scalarOf(1.5)}, {rngType()}}).error.has_value());
}

QTEST_APPLESS_MAIN(TestRandom)
#include "tst_random.moc"
