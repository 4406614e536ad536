#include "ops/sparse_matrices.h"

using namespace nodewise;
using namespace nodewise::testing;

class TestSparseForms : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void denseAndBack_data() { addSparseRows(); }
  void denseAndBack();
  void fromDenseStoresNoZeros();
  void partsAndBack_data() { addSparseRows(); }
  void partsAndBack();
  void badPartsAreRefused_data();
  void badPartsAreRefused();
  void csmGradientPicksStoredPlaces();
  void rowsAtPlaces();
  void shapesAndLengths();
  void transposes_data() { addSparseRows(); }
  void transposes();
  void casts_data() { addSparseRows(); }
  void casts();
  void remove0KeepsOthers();
  void sortKeepsRepeatedPlaces();
  void stacks_data() { addSparseRows(); }
  void stacks();
  void stackRefusesOtherLengths();
  void blockDiagonalMixesSparseAndDense();
  void slices_data();
  void slices();
  void elements_data() { addSparseRows(); }
  void elements();
  void rows_data() { addSparseRows(); }
  void rows();
  void indicesOutsideAreRefused();
  void gradientsOfIndexing_data() { addSparseRows(); }
  void gradientsOfIndexing();
  void emptyMatrices_data();
  void emptyMatrices();
  void otherObjectsAreRefused();
  void wrongTypesAreRefused();
};

void TestSparseForms::denseAndBack() {
  FETCH_ROW;
  const Dense m = pattern(4, 5, 1);
  QCOMPARE(mismatch({"SparseDenseFromSparse", {}, {given(m)}, {matrixType(d)}}, {tensorOf(m, d)}),
           std::string());
  QCOMPARE(
      mismatch({"SparseFromDense", {{"format", csc ? "csc" : "csr"}}, {tensorOf(m, d)}, {sparseType(csc, d)}},
               {expected(m)}),
      std::string());
}

void TestSparseForms::fromDenseStoresNoZeros() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const OpOutcome outcome = callOp({"SparseFromDense",
                                    {{"format", "csr"}},
                                    {tensorOf<double>({2, 2}, {0, -0.0, nan, 1})},
                                    {sparseType(false, DType::Float64)}});
  const auto& sparse = std::get<SparseData>(outcome.outputs.at(0).v);
  QCOMPARE(sparse.data.shape, std::vector<int64_t>{2});
  QCOMPARE(sparse.indices.dtype, DType::Int32);
}

void TestSparseForms::partsAndBack() {
  FETCH_ROW;
  const Dense m = pattern(4, 5, 2);
  const Type ints = vectorType(DType::Int32);
  const OpOutcome parts = callOp({"SparseCSMProperties", {}, {given(m)}, {vectorType(d), ints, ints, ints}});
  QCOMPARE(parts.errorText(), std::string());
  QCOMPARE(difference(parts.outputs[3], vectorOf<int32_t>({4, 5})), std::string());
  QCOMPARE(mismatch({"SparseCSM", {{"format", csc ? "csc" : "csr"}}, parts.outputs, {sparseType(csc, d)}},
                    {expected(m)}),
           std::string());
}

void TestSparseForms::badPartsAreRefused_data() {
  QTest::addColumn<QList<int>>("indices");
  QTest::addColumn<QList<int>>("indptr");
  QTest::addColumn<QList<int>>("shape");
  QTest::newRow("index outside") << QList<int>{0, 3} << QList<int>{0, 1, 2} << QList<int>{2, 3};
  QTest::newRow("index negative") << QList<int>{0, -1} << QList<int>{0, 1, 2} << QList<int>{2, 3};
  QTest::newRow("indptr too short") << QList<int>{0, 1} << QList<int>{0, 2} << QList<int>{2, 3};
  QTest::newRow("indptr descends") << QList<int>{0, 1} << QList<int>{0, 2, 1} << QList<int>{2, 3};
  QTest::newRow("indptr beyond the data") << QList<int>{0, 1} << QList<int>{0, 1, 3} << QList<int>{2, 3};
  QTest::newRow("indptr does not start with 0")
      << QList<int>{0, 1} << QList<int>{1, 1, 2} << QList<int>{2, 3};
  QTest::newRow("more indices than data") << QList<int>{0, 1, 2} << QList<int>{0, 1, 2} << QList<int>{2, 3};
  QTest::newRow("three lengths") << QList<int>{0, 1} << QList<int>{0, 1, 2} << QList<int>{2, 3, 1};
  QTest::newRow("negative length") << QList<int>{0, 1} << QList<int>{0, 1, 2} << QList<int>{2, -3};
}

void TestSparseForms::badPartsAreRefused() {
  QFETCH(QList<int>, indices);
  QFETCH(QList<int>, indptr);
  QFETCH(QList<int>, shape);
  const auto ints = [](const QList<int>& list) { return vectorOf<int32_t>({list.begin(), list.end()}); };
  const std::string text = callOp({"SparseCSM",
                                   {{"format", "csr"}},
                                   {vectorOf<double>({1, 2}), ints(indices), ints(indptr), ints(shape)},
                                   {sparseType(false, DType::Float64)}})
                               .errorText();
  QVERIFY2(text.starts_with("ValueError: "), text.c_str());
}

void TestSparseForms::csmGradientPicksStoredPlaces() {
  // x stores (0, 2), (0, 0), (1, 1); g stores (0, 0) twice and (1, 2).
  const std::vector<Data> inputs{vectorOf<double>({1, 1, 1}),  vectorOf<int32_t>({2, 0, 1}),
                                 vectorOf<int32_t>({0, 2, 3}), vectorOf<int32_t>({2, 3}),
                                 vectorOf<double>({5, 6, 7}),  vectorOf<int32_t>({0, 0, 2}),
                                 vectorOf<int32_t>({0, 2, 3}), vectorOf<int32_t>({2, 3})};
  QCOMPARE(
      mismatch({"SparseCSMGrad", {}, inputs, {vectorType(DType::Float64)}}, {vectorOf<double>({0, 11, 0})}),
      std::string());
}

void TestSparseForms::rowsAtPlaces() {
  const OpCall call{
      "SparseConstructSparseFromList",
      {},
      {vectorOf<int64_t>({4, 2}), tensorOf<double>({3, 2}, {1, 2, 3, 4, 5, 6}), vectorOf<int64_t>({2, 0, 2})},
      {sparseType(true, DType::Float64)}};
  Dense m(4, 2);
  m.elements = {3, 4, 0, 0, 6, 8, 0, 0};
  QCOMPARE(mismatch(call, {Data{sparseOf(m, true, DType::Float64)}}), std::string());
  OpCall bad = call;
  bad.inputs[2] = vectorOf<int64_t>({2, 0, 4});
  QVERIFY(callOp(bad).errorText().starts_with("ValueError: indices have to be 0 to 3, found"));
  bad.inputs[2] = vectorOf<int64_t>({2, 0});
  QCOMPARE(callOp(bad).errorText(), std::string("AssertionError: 2 places for 3 rows"));
}

void TestSparseForms::shapesAndLengths() {
  for (const bool csc : {false, true}) {
    const Data m{sparseOf(pattern(4, 5, 3), csc, DType::Float64)};
    QCOMPARE(mismatch({"Shape", {}, {m}, {tensorType(DType::Int64, {2})}}, {vectorOf<int64_t>({4, 5})}),
             std::string());
    QCOMPARE(mismatch({"Shape_i", {{"i", 1}}, {m}, {tensorType(DType::Int64, {})}}, {scalarOf<int64_t>(5)}),
             std::string());
    QCOMPARE(callOp({"Shape_i", {{"i", 2}}, {m}, {tensorType(DType::Int64, {})}}).errorText(),
             std::string("$.graph.nodes[0].params.i: expected 0 or 1, found 2"));
  }
}

void TestSparseForms::transposes() {
  FETCH_ROW;
  const Dense m = pattern(4, 5, 3);
  QCOMPARE(mismatch({"SparseTranspose", {}, {given(m)}, {sparseType(!csc, d)}},
                    {Data{sparseOf(transposed(m), !csc, d)}}),
           std::string());
}

void TestSparseForms::casts() {
  FETCH_ROW;
  const Dense m = in(pattern(4, 5, 4), d);
  for (const DType to : kSparseDTypes) {
    // Negative floats have no unsigned counterpart.
    if (isUnsigned(to) && (isFloat(d) || isComplex(d))) continue;
    QCOMPARE(
        mismatch(
            {"SparseCast", {{"out_type", std::string(dtypeName(to))}}, {given(m)}, {sparseType(csc, to)}},
            {Data{sparseOf(m, csc, to)}}),
        std::string());
  }
}

void TestSparseForms::remove0KeepsOthers() {
  const Dense m = pattern(4, 5, 5);
  const SparseData tidy = sparseOf(m, false, DType::Float64);
  const OpOutcome outcome =
      callOp({"SparseRemove0", {}, {Data{untidy(tidy)}}, {sparseType(false, DType::Float64)}});
  const auto& result = std::get<SparseData>(outcome.outputs.at(0).v);
  QCOMPARE(difference(outcome.outputs[0], Data{tidy}), std::string());
  QCOMPARE(result.data.shape, tidy.data.shape);
}

void TestSparseForms::sortKeepsRepeatedPlaces() {
  const Dense m = pattern(4, 5, 6);
  const SparseData wild = untidy(sparseOf(m, true, DType::Int16));
  const OpOutcome outcome =
      callOp({"SparseEnsureSortedIndices", {}, {Data{wild}}, {sparseType(true, DType::Int16)}});
  const auto& result = std::get<SparseData>(outcome.outputs.at(0).v);
  QCOMPARE(result.data.shape, wild.data.shape);
  const SparseView view = viewOf(result);
  for (int64_t c = 0; c < view.major; ++c)
    for (int32_t k = view.start[c] + 1; k < view.start[c + 1]; ++k)
      QVERIFY(view.index[k - 1] <= view.index[k]);
  QCOMPARE(difference(outcome.outputs[0], Data{wild}), std::string());
}

void TestSparseForms::stacks() {
  FETCH_ROW;
  const Dense a = in(pattern(3, 4, 1), d), b = in(pattern(3, 2, 2), d), c = in(pattern(2, 4, 3), d);
  Dense beside(3, 6), below(5, 4);
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t j = 0; j < 4; ++j) beside.at(i, j) = below.at(i, j) = a.at(i, j);
    for (int64_t j = 0; j < 2; ++j) beside.at(i, 4 + j) = b.at(i, j);
  }
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 4; ++j) below.at(3 + i, j) = c.at(i, j);
  // The output has a format and a dtype of its own.
  for (const bool outCsc : {false, true}) {
    const nlohmann::json params{{"format", outCsc ? "csc" : "csr"}, {"dtype", "int32"}};
    const auto wanted = [&](const Dense& m) { return Data{sparseOf(m, outCsc, DType::Int32)}; };
    QCOMPARE(mismatch({"SparseHStack", params, {given(a), given(b)}, {sparseType(outCsc, DType::Int32)}},
                      {wanted(beside)}),
             std::string());
    QCOMPARE(mismatch({"SparseVStack", params, {given(a), given(c)}, {sparseType(outCsc, DType::Int32)}},
                      {wanted(below)}),
             std::string());
  }
}

void TestSparseForms::stackRefusesOtherLengths() {
  const Data a{sparseOf(pattern(3, 4, 1), false, DType::Float64)},
      b{sparseOf(pattern(2, 4, 1), false, DType::Float64)};
  QCOMPARE(callOp({"SparseHStack", {}, {a, b}, {sparseType(false, DType::Float64)}}).errorText(),
           std::string("ValueError: block 1 of shape (2, 4) does not fit beside 3 rows"));
}

void TestSparseForms::blockDiagonalMixesSparseAndDense() {
  const Dense a = pattern(2, 3, 1), b = pattern(1, 2, 7);
  Dense m(3, 5);
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 3; ++j) m.at(i, j) = a.at(i, j);
  for (int64_t j = 0; j < 2; ++j) m.at(2, 3 + j) = b.at(0, j);
  for (const bool csc : {false, true})
    QCOMPARE(mismatch({"SparseBlockDiagonal",
                       {{"n_inputs", 2}, {"format", csc ? "csc" : "csr"}},
                       {Data{sparseOf(a, true, DType::Float64)}, tensorOf(b, DType::Float64)},
                       {sparseType(csc, DType::Float64)}},
                      {Data{sparseOf(m, csc, DType::Float64)}}),
             std::string());
}

void TestSparseForms::slices_data() {
  QTest::addColumn<QList<int>>("rows");
  QTest::addColumn<QList<int>>("columns");
  constexpr int n = INT_MAX;
  QTest::newRow("all") << QList<int>{n, n, n} << QList<int>{n, n, n};
  QTest::newRow("inside") << QList<int>{1, 3, n} << QList<int>{2, 5, 1};
  QTest::newRow("steps") << QList<int>{n, n, 2} << QList<int>{1, n, 3};
  QTest::newRow("backwards") << QList<int>{n, n, -1} << QList<int>{-2, n, -2};
  QTest::newRow("beyond") << QList<int>{-99, 99, n} << QList<int>{99, -99, -1};
  QTest::newRow("nothing") << QList<int>{3, 1, n} << QList<int>{n, n, n};
}

void TestSparseForms::slices() {
  QFETCH(QList<int>, rows);
  QFETCH(QList<int>, columns);
  const Dense m = pattern(5, 6, 8);
  const auto places = [](const QList<int>& slice, int n) {
    std::vector<int64_t> taken;
    const int step = slice[2] == INT_MAX ? 1 : slice[2];
    const auto place = [n, step](int given, int absent) {
      if (given == INT_MAX) return absent;
      return qBound(step > 0 ? 0 : -1, given < 0 ? given + n : given, step > 0 ? n : n - 1);
    };
    const int stop = place(slice[1], step > 0 ? n : -1);
    for (int i = place(slice[0], step > 0 ? 0 : n - 1); step > 0 ? i < stop : i > stop; i += step)
      taken.push_back(i);
    return taken;
  };
  const std::vector<int64_t> r = places(rows, 5), c = places(columns, 6);
  Dense taken(static_cast<int64_t>(r.size()), static_cast<int64_t>(c.size()));
  for (int64_t i = 0; i < taken.rows; ++i)
    for (int64_t j = 0; j < taken.columns; ++j)
      taken.at(i, j) = m.at(r[static_cast<size_t>(i)], c[static_cast<size_t>(j)]);
  for (const bool csc : {false, true}) {
    OpCall call{"SparseGetItem2d",
                {},
                {Data{untidy(sparseOf(m, csc, DType::Float32))}},
                {sparseType(csc, DType::Float32)}};
    for (const int part : rows + columns)
      call.inputs.push_back(part == INT_MAX ? none() : scalarOf<int8_t>(static_cast<int8_t>(part)));
    QCOMPARE(mismatch(call, {Data{sparseOf(taken, csc, DType::Float32)}}), std::string());
    call.inputs[3] = scalarOf<int8_t>(0);
    QCOMPARE(callOp(call).errorText(), std::string("ValueError: a slice's step cannot be 0"));
  }
}

void TestSparseForms::elements() {
  FETCH_ROW;
  const Dense m = pattern(4, 5, 9);
  for (const auto& [i, j] : {std::pair(0, 0), {3, 4}, {-1, -5}, {2, 1}})
    QCOMPARE(mismatch({"SparseGetItemScalar",
                       {},
                       {given(m), scalarOf<int32_t>(i), scalarOf<int64_t>(j)},
                       {tensorType(d, {})}},
                      {[&] {
                        Data one = vectorOf({m.at((i + 4) % 4, (j + 5) % 5)}, d);
                        std::get<Tensor>(one.v).shape.clear();
                        return one;
                      }()}),
             std::string());
  QCOMPARE(mismatch({"SparseGetItem2Lists",
                     {},
                     {given(m), vectorOf<int64_t>({1, -1, 1}), vectorOf<int8_t>({0, 2, 0})},
                     {vectorType(d)}},
                    {vectorOf({m.at(1, 0), m.at(3, 2), m.at(1, 0)}, d)}),
           std::string());
}

void TestSparseForms::rows() {
  FETCH_ROW;
  const Dense m = pattern(4, 5, 10);
  Dense taken(3, 5);
  for (int64_t j = 0; j < 5; ++j) {
    taken.at(0, j) = taken.at(2, j) = m.at(3, j);
    taken.at(1, j) = m.at(0, j);
  }
  QCOMPARE(
      mismatch({"SparseGetItemList", {}, {given(m), vectorOf<int32_t>({3, 0, -1})}, {sparseType(csc, d)}},
               {expected(taken)}),
      std::string());
}

void TestSparseForms::indicesOutsideAreRefused() {
  const Data m{sparseOf(pattern(4, 5, 1), false, DType::Float64)},
      g{sparseOf(pattern(1, 5, 1), false, DType::Float64)};
  const Data four = vectorOf<int64_t>({4}), zero = vectorOf<int64_t>({0}), five = scalarOf<int64_t>(5),
             first = scalarOf<int64_t>(0);
  const Type matrix = sparseType(false, DType::Float64), vector = vectorType(DType::Float64),
             scalar = tensorType(DType::Float64, {});
  const std::string row = "IndexError: row 4 is outside a matrix of 4 rows",
                    column = "IndexError: column 5 is outside a matrix of 5 columns";
  QCOMPARE(callOp({"SparseGetItemList", {}, {m, four}, {matrix}}).errorText(), row);
  QCOMPARE(callOp({"SparseGetItem2Lists", {}, {m, four, zero}, {vector}}).errorText(), row);
  QCOMPARE(callOp({"SparseGetItemScalar", {}, {m, first, five}, {scalar}}).errorText(), column);
  QCOMPARE(callOp({"SparseGetItemListGrad", {}, {m, four, g}, {matrix}}).errorText(), row);
  QCOMPARE(
      callOp({"SparseGetItem2ListsGrad", {}, {m, four, zero, vectorOf<double>({1})}, {matrix}}).errorText(),
      row);
}

void TestSparseForms::gradientsOfIndexing() {
  FETCH_ROW;
  const Dense shape = pattern(4, 5, 11), g = pattern(3, 5, 12);
  Dense put(4, 5);
  for (int64_t j = 0; j < 5; ++j) {
    put.at(1, j) = g.at(2, j); // The later of two equal rows stays.
    put.at(3, j) = g.at(1, j);
  }
  QCOMPARE(mismatch({"SparseGetItemListGrad",
                     {},
                     {given(shape), vectorOf<int32_t>({1, 3, 1}), given(g)},
                     {sparseType(csc, d)}},
                    {expected(put)}),
           std::string());
  Dense places(4, 5);
  places.at(0, 1) = 7;
  places.at(3, 4) = 5;
  QCOMPARE(mismatch({"SparseGetItem2ListsGrad",
                     {},
                     {given(shape), vectorOf<int32_t>({0, 3, 0}), vectorOf<int32_t>({1, -1, 1}),
                      vectorOf({3, 5, 7}, d)},
                     {sparseType(csc, d)}},
                    {expected(places)}),
           std::string());
}

void TestSparseForms::emptyMatrices_data() {
  QTest::addColumn<int>("rows");
  QTest::addColumn<int>("columns");
  for (const auto& [rows, columns] : {std::pair(0, 0), {0, 3}, {3, 0}, {2, 3}})
    QTest::addRow("%dx%d", rows, columns) << rows << columns;
}

void TestSparseForms::emptyMatrices() {
  QFETCH(int, rows);
  QFETCH(int, columns);
  constexpr DType d = DType::Float32;
  const Dense m(rows, columns);
  for (const bool csc : {false, true}) {
    const Data s{sparseOf(m, csc, d)};
    const Type same = sparseType(csc, d);
    QCOMPARE(mismatch({"SparseAddSS", {}, {s, s}, {same}}, {s}), std::string());
    QCOMPARE(mismatch({"SparseSparseMultiply", {}, {s, s}, {same}}, {s}), std::string());
    QCOMPARE(mismatch({"SparseDenseFromSparse", {}, {s}, {matrixType(d)}}, {tensorOf(m, d)}), std::string());
    QCOMPARE(mismatch({"SparseFromDense", {{"format", csc ? "csc" : "csr"}}, {tensorOf(m, d)}, {same}}, {s}),
             std::string());
    QCOMPARE(mismatch({"SparseRemove0", {}, {s}, {same}}, {s}), std::string());
    QCOMPARE(mismatch({"SparseGetItemList", {}, {s, vectorOf<int64_t>({})}, {same}},
                      {Data{sparseOf(Dense(0, columns), csc, d)}}),
             std::string());
    QCOMPARE(mismatch({"SparseSpSum", {{"axis", nullptr}}, {s}, {tensorType(d, {})}}, {scalarOf<float>(0)}),
             std::string());
    QCOMPARE(
        mismatch({"SparseHStack", {{"format", csc ? "csc" : "csr"}, {"dtype", "float32"}}, {s, s}, {same}},
                 {Data{sparseOf(Dense(rows, 2 * columns), csc, d)}}),
        std::string());
    const Data t{sparseOf(transposed(m), csc, d)};
    QCOMPARE(mismatch({"SparseTrueDot", {}, {s, t}, {same}}, {Data{sparseOf(Dense(rows, rows), csc, d)}}),
             std::string());
    Dense ones(rows, columns);
    for (Complex& element : ones.elements) element = 1;
    QCOMPARE(mismatch({"SparseEqualSS", {}, {s, s}, {sparseType(csc, DType::UInt8)}},
                      {Data{sparseOf(ones, csc, DType::UInt8)}}),
             std::string());
  }
}

void TestSparseForms::otherObjectsAreRefused() {
  OpCall call{"SparseDenseFromSparse", {}, {Data{OpaqueData{"<matrix>"}}}, {matrixType(DType::Float64)}};
  call.inputTypes = {sparseType(false, DType::Float64)};
  QCOMPARE(callOp(call).errorText(),
           std::string("TypeError: a sparse matrix was expected, but the value is something else"));
}

void TestSparseForms::wrongTypesAreRefused() {
  const Data a{sparseOf(pattern(3, 2, 1), false, DType::Float64)}, dense = rampOf(DType::Float64, {3, 2});
  const std::string tensor =
      callOp({"SparseDenseFromSparse", {}, {dense}, {matrixType(DType::Float64)}}).errorText();
  QVERIFY2(tensor.starts_with("$.graph.nodes[0]: input 0 has to be a sparse matrix"), tensor.c_str());
  const std::string format =
      callOp({"SparseAddSS", {}, {a, a}, {sparseType(true, DType::Float64)}}).errorText();
  QCOMPARE(format, std::string("$.graph.nodes[0]: output 0 has to be csr, as input 0 is, but is csc"));
  const std::string param =
      callOp({"SparseFromDense", {{"format", "coo"}}, {dense}, {sparseType(true, DType::Float64)}})
          .errorText();
  QVERIFY2(param.starts_with("$.graph.nodes[0].params.format: expected one of"), param.c_str());
  const std::string axis =
      callOp({"SparseSpSum", {{"axis", 2}}, {a}, {vectorType(DType::Float64)}}).errorText();
  QCOMPARE(axis, std::string("$.graph.nodes[0].params.axis: expected null, 0 or 1, found 2"));
  const std::string bothDense =
      callOp({"SparseDot", {}, {dense, dense}, {matrixType(DType::Float64)}}).errorText();
  QCOMPARE(bothDense, std::string("$.graph.nodes[0]: input 0 or 1 has to be a sparse matrix"));
}

QTEST_APPLESS_MAIN(TestSparseForms)
#include "tst_sparse_forms.moc"
