// Elementwise nodes on inputs that are not contiguous: the same numbers, to the bit, as on contiguous copies
// of them.
#include "runtime/machine.h"
#include "session/session.h"

#include "graph/reader.h"

#include <QtTest/QtTest>

#include <cstring>

using namespace nodewise;

namespace {

/// Where an input of a matrix of this shape lies: strides, in elements, and where its first element is.
struct Layout {
  const char* name;
  std::array<int64_t, 2> (*strides)(int64_t rows, int64_t columns);
  int64_t (*first)(int64_t rows, int64_t columns);
};

int64_t atStart(int64_t, int64_t) { return 0; }

constexpr Layout kLayouts[] = {
    {"contiguous",
     [](int64_t, int64_t c) {
       return std::array{c, int64_t{1}};
     },
     atStart},
    {"transposed",
     [](int64_t r, int64_t) {
       return std::array{int64_t{1}, r};
     },
     atStart},
    {"every second column",
     [](int64_t, int64_t c) {
       return std::array{2 * c, int64_t{2}};
     },
     atStart},
    {"backwards",
     [](int64_t, int64_t c) {
       return std::array{c, int64_t{-1}};
     },
     [](int64_t, int64_t c) { return c - 1; }},
    {"the same column",
     [](int64_t, int64_t) {
       return std::array{int64_t{1}, int64_t{0}};
     },
     atStart},
    {"the same row backwards",
     [](int64_t, int64_t) {
       return std::array{int64_t{0}, int64_t{-3}};
     },
     [](int64_t, int64_t c) { return 3 * (c - 1); }},
};

struct Input {
  std::vector<double> memory;
  std::array<int64_t, 2> shape, strides;
  Array array;
};

void place(Input& input, const Layout& layout, int64_t rows, int64_t columns, double seed) {
  input.memory.resize(static_cast<size_t>(rows * columns * 3 + 8));
  for (size_t i = 0; i < input.memory.size(); ++i)
    input.memory[i] = seed + 0.01 * static_cast<double>(i * 7919 % 301);
  input.shape = {rows, columns};
  input.strides = layout.strides(rows, columns);
  for (int64_t& stride : input.strides) stride *= static_cast<int64_t>(sizeof(double));
  const int64_t first = rows * columns > 0 ? layout.first(rows, columns) : 0;
  input.array.rank = 2;
  input.array.shape = input.shape.data();
  input.array.strides = input.strides.data();
  input.array.data = reinterpret_cast<std::byte*>(input.memory.data() + first);
}

/// The same elements, contiguous.
void compact(const Input& from, Input& to) {
  const int64_t rows = from.shape[0], columns = from.shape[1];
  to.memory.resize(static_cast<size_t>(rows * columns + 1));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      std::memcpy(&to.memory[static_cast<size_t>(i * columns + j)],
                  from.array.data + i * from.strides[0] + j * from.strides[1], sizeof(double));
  to.shape = from.shape;
  to.strides = {columns * static_cast<int64_t>(sizeof(double)), sizeof(double)};
  to.array = from.array;
  to.array.shape = to.shape.data();
  to.array.strides = to.strides.data();
  to.array.data = reinterpret_cast<std::byte*>(to.memory.data());
}

std::unique_ptr<Session> openSession(const char* scalarOp) {
  const std::string matrix = R"({"type":{"kind":"tensor","dtype":"float64","shape":[null,null]}})";
  Result<GraphFile> file = readGraphText(
      R"({"format":"nodewise-graph","version":1,"graph":{"values":[)" + matrix + "," + matrix + "," + matrix +
      R"(],"inputs":[0,1],"outputs":[2],"nodes":[{"op":"Elemwise","in":[0,1],"out":[2],"params":{"scalar_op":")" +
      scalarOp + R"("}}]}})");
  if (!file) return nullptr;
  SessionSettings settings;
  settings.useCache = false;
  Result<std::unique_ptr<Session>> session = Session::open(std::move(*file), settings);
  return session ? std::move(*session) : nullptr;
}

} // namespace

class TestPackedLoop : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void stridedInputsGiveTheBitsOfContiguousOnes_data() {
    QTest::addColumn<int>("x");
    QTest::addColumn<int>("y");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    constexpr std::pair<int, int> kShapes[] = {{1, 8},   {9, 7},    {8, 8},     {1, 2049}, {33, 65},
                                               {70, 64}, {3, 2500}, {2100, 10}, {0, 5},    {5, 0}};
    for (int x = 0; x < static_cast<int>(std::size(kLayouts)); ++x)
      for (int y : {0, 1, 5})
        for (auto [rows, columns] : kShapes)
          QTest::addRow("%s, %s, %d x %d", kLayouts[x].name, kLayouts[y].name, rows, columns)
              << x << y << rows << columns;
  }

  void stridedInputsGiveTheBitsOfContiguousOnes() {
    QFETCH(int, x);
    QFETCH(int, y);
    QFETCH(int, rows);
    QFETCH(int, columns);
    for (const char* op :
         {"pow", "add"}) { // a function, which differs in the last bit between loops, and none
      std::unique_ptr<Session>& session = m_sessions[op];
      if (!session) session = openSession(op);
      QVERIFY(session);
      Result<Machine*> machine = session->machine();
      QVERIFY2(machine, machine ? "" : machine.error().text().c_str());
      Input in[2], packed[2];
      place(in[0], kLayouts[x], rows, columns, 0.5);
      place(in[1], kLayouts[y], rows, columns, -1.5);
      for (size_t k = 0; k < 2; ++k) (*machine)->setInput(k, in[k].array);
      QVERIFY((*machine)->run());
      const size_t count = static_cast<size_t>(rows) * static_cast<size_t>(columns);
      const auto* out = reinterpret_cast<const double*>((*machine)->output(0).data);
      const std::vector<double> strided(out, out + count);
      for (size_t k = 0; k < 2; ++k) compact(in[k], packed[k]);
      for (size_t k = 0; k < 2; ++k) (*machine)->setInput(k, packed[k].array);
      QVERIFY((*machine)->run());
      out = reinterpret_cast<const double*>((*machine)->output(0).data);
      if (rows * columns >= 64 && columns >= 8)
        QVERIFY(std::equal(strided.begin(), strided.end(), out));
      else // too small to be copied: the loop over single elements has the scalar function
        for (size_t i = 0; i < count; ++i) QVERIFY(qAbs(strided[i] - out[i]) <= 1e-13 * qAbs(out[i]));
    }
  }

  void movedInputsOfTheSameLayoutAreReadAnew() {
    std::unique_ptr<Session> session = openSession("add");
    QVERIFY(session);
    Result<Machine*> machine = session->machine();
    QVERIFY(machine);
    Input one[2], other[2];
    for (size_t k = 0; k < 2; ++k) {
      place(one[k], kLayouts[1], 20, 30, 1);
      place(other[k], kLayouts[1], 20, 30, 5);
      (*machine)->setInput(k, one[k].array);
    }
    QVERIFY((*machine)->run());
    for (size_t k = 0; k < 2; ++k) (*machine)->moveInput(k, other[k].array.data);
    QVERIFY((*machine)->run());
    const auto* out = reinterpret_cast<const double*>((*machine)->output(0).data);
    for (size_t i = 0; i < 20; ++i)
      for (size_t j = 0; j < 30; ++j) QCOMPARE(out[i * 30 + j], 2 * other[0].memory[j * 20 + i]);
  }

private:
  std::map<std::string, std::unique_ptr<Session>> m_sessions;
};

QTEST_GUILESS_MAIN(TestPackedLoop)
#include "tst_packed_loop.moc"
