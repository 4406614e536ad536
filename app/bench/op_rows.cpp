// One row a family of ops and size, measured against the loop or library routine of op_baselines.h in the
// same run.
#include "measure.h"
#include "op_baselines.h"
#include "rows.h"

#include "graph/reader.h"
#include "runtime/machine.h"
#include "session/session.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <memory>

namespace nodewise::bench {

namespace {

// What an input holds and how it lies in memory. Varied: other contents at each call, for of a short vector
// that is sorted again and again a processor learns the outcome of every comparison.
enum class Content {
  Vector,
  Varied,
  EverySecond,
  Matrix,
  Row,
  Column,
  Transposed,
  Indices,
  SortedIndices,
  Zero
};

struct InputSpec {
  const char* dtype;
  Content content;
};

struct OpCase {
  const char* name;
  const char* node; ///< op and parameters, as in a graph file
  std::array<InputSpec, 3> in;
  const char* outType; ///< as in a graph file
  LoopFn loop;
  LoopFn large = nullptr;    ///< the faster loop where arrays do not fit the cache
  double atLeast = 0.95;     ///< of the loop's speed, from 1,000 elements
  int64_t most = 10'000'000; ///< elements; more would take too long
};

constexpr const char* kVector64 = R"({"kind":"tensor","dtype":"float64","shape":[null]})";
constexpr const char* kMatrix64 = R"({"kind":"tensor","dtype":"float64","shape":[null,null]})";
constexpr const char* kScalar64 = R"({"kind":"tensor","dtype":"float64","shape":[]})";
constexpr const char* kInt64 = R"({"kind":"tensor","dtype":"int64","shape":[]})";
constexpr InputSpec kNone{nullptr, Content::Vector}, kV{"float64", Content::Vector},
    kM{"float64", Content::Matrix};

constexpr OpCase kCases[] = {
    {"add",
     R"("op":"Elemwise","params":{"scalar_op":"add"})",
     {kV, kV, kNone},
     kVector64,
     addF64,
     addF64Streaming},
    {"add float32",
     R"("op":"Elemwise","params":{"scalar_op":"add"})",
     {InputSpec{"float32", Content::Vector}, InputSpec{"float32", Content::Vector}, kNone},
     R"({"kind":"tensor","dtype":"float32","shape":[null]})",
     addF32},
    {"add int64",
     R"("op":"Elemwise","params":{"scalar_op":"add"})",
     {InputSpec{"int64", Content::Vector}, InputSpec{"int64", Content::Vector}, kNone},
     R"({"kind":"tensor","dtype":"int64","shape":[null]})",
     addI64},
    {"x < y",
     R"("op":"Elemwise","params":{"scalar_op":"lt"})",
     {kV, kV, kNone},
     R"({"kind":"tensor","dtype":"bool","shape":[null]})",
     lessF64},
    {"exp",
     R"("op":"Elemwise","params":{"scalar_op":"exp"})",
     {kV, kNone, kNone},
     kVector64,
     expF64,
     nullptr,
     0.9},
    {"log",
     R"("op":"Elemwise","params":{"scalar_op":"log"})",
     {kV, kNone, kNone},
     kVector64,
     logF64,
     nullptr,
     0.9},
    {"tanh",
     R"("op":"Elemwise","params":{"scalar_op":"tanh"})",
     {kV, kNone, kNone},
     kVector64,
     tanhF64,
     nullptr,
     0.9},
    {"sigmoid",
     R"("op":"Elemwise","params":{"scalar_op":"sigmoid"})",
     {kV, kNone, kNone},
     kVector64,
     sigmoidF64,
     nullptr,
     0.9},
    {"x[::2] + y",
     R"("op":"Elemwise","params":{"scalar_op":"add"})",
     {InputSpec{"float64", Content::EverySecond}, kV, kNone},
     kVector64,
     everySecondF64},
    {"exp(x[::2])",
     R"("op":"Elemwise","params":{"scalar_op":"exp"})",
     {InputSpec{"float64", Content::EverySecond}, kNone, kNone},
     kVector64,
     expEverySecondF64},
    {"matrix + row",
     R"("op":"Elemwise","params":{"scalar_op":"add"})",
     {kM, InputSpec{"float64", Content::Row}, kNone},
     kMatrix64,
     addRowF64},
    {"matrix + column",
     R"("op":"Elemwise","params":{"scalar_op":"add"})",
     {kM, InputSpec{"float64", Content::Column}, kNone},
     kMatrix64,
     addColumnF64},
    {"transposed + matrix",
     R"("op":"Elemwise","params":{"scalar_op":"add"})",
     {InputSpec{"float64", Content::Transposed}, kM, kNone},
     kMatrix64,
     addTransposedF64},
    {"sum", R"("op":"Sum","params":{"axis":[0]})", {kV, kNone, kNone}, kScalar64, sumF64},
    {"sum float32",
     R"("op":"Sum","params":{"axis":[0],"acc_dtype":"float32"})",
     {InputSpec{"float32", Content::Vector}, kNone, kNone},
     R"({"kind":"tensor","dtype":"float32","shape":[]})",
     sumF32},
    {"max", R"("op":"Max","params":{"axis":[0]})", {kV, kNone, kNone}, kScalar64, maxF64},
    {"sum over the first axis",
     R"("op":"Sum","params":{"axis":[0]})",
     {kM, kNone, kNone},
     kVector64,
     sumRowsF64},
    {"sum over the last axis",
     R"("op":"Sum","params":{"axis":[1]})",
     {kM, kNone, kNone},
     kVector64,
     sumColumnsF64},
    {"cumulative sum",
     R"("op":"CumOp","params":{"axis":0,"mode":"add"})",
     {kV, kNone, kNone},
     kVector64,
     cumulativeSumF64},
    {"argmax", R"("op":"Argmax","params":{"axis":[0]})", {kV, kNone, kNone}, kInt64, argmaxF64},
    {"gather",
     R"("op":"AdvancedSubtensor1")",
     {kV, InputSpec{"int64", Content::Indices}, kNone},
     kVector64,
     gatherF64},
    {"scatter-add",
     R"("op":"AdvancedIncSubtensor1")",
     {kV, kV, InputSpec{"int64", Content::Indices}},
     kVector64,
     scatterF64},
    {"scatter-add, sorted",
     R"("op":"AdvancedIncSubtensor1")",
     {kV, kV, InputSpec{"int64", Content::SortedIndices}},
     kVector64,
     scatterF64},
    {"join", R"("op":"Join")", {InputSpec{"int64", Content::Zero}, kV, kV}, kVector64, joinF64},
    {"sort",
     R"("op":"SortOp","params":{"kind":"quicksort"})",
     {InputSpec{"float64", Content::Varied}, InputSpec{"int64", Content::Zero}, kNone},
     kVector64,
     sortF64,
     nullptr,
     0.95,
     100'000},
    {"matrix product", R"("op":"Dot")", {kM, kM, kNone}, kMatrix64, dgemm, nullptr, 0.95, 1'000'000},
    {"matrix times column",
     R"("op":"Dot")",
     {kM, InputSpec{"float64", Content::Column}, kNone},
     kMatrix64,
     dgemv},
};

bool isMatrix(Content c) { return c == Content::Matrix || c == Content::Transposed; }

std::string typeText(const OpCase& op, const InputSpec& in) {
  const bool inMatrix = isMatrix(op.in[0].content) && std::strcmp(op.outType, kMatrix64) == 0;
  const char* shape = isMatrix(in.content)                     ? "[null,null]"
                      : in.content == Content::Row && inMatrix ? "[1,null]"
                      : in.content == Content::Column          ? "[null,1]"
                      : in.content == Content::Zero            ? "[]"
                                                               : "[null]";
  return fmt::format(R"({{"kind":"tensor","dtype":"{}","shape":{}}})", in.dtype, shape);
}

Result<GraphFile> graphOf(const OpCase& op) {
  std::string values, inputs;
  int count = 0;
  for (const InputSpec& in : op.in) {
    if (!in.dtype) continue;
    values += fmt::format(R"({{"type":{}}},)", typeText(op, in));
    inputs += fmt::format("{}{}", count ? "," : "", count);
    ++count;
  }
  return readGraphText(fmt::format(
      R"({{"format":"nodewise-graph","version":1,"graph":{{"values":[{}{{"type":{}}}],"inputs":[{}],"outputs":[{}],)"
      R"("nodes":[{{{},"in":[{}],"out":[{}]}}]}}}})",
      values, op.outType, inputs, count, op.node, inputs, count));
}

/// One input: its bytes, and how the node sees them.
struct Bound {
  std::vector<std::byte> bytes;
  std::array<int64_t, 2> shape{}, strides{};
  Array array;
};

template <class T, class F> void fill(Bound& bound, int64_t count, F value) {
  bound.bytes.resize(static_cast<size_t>(count) * sizeof(T));
  auto* p = reinterpret_cast<T*>(bound.bytes.data());
  for (int64_t i = 0; i < count; ++i) p[i] = static_cast<T>(value(i));
}

/// How many vectors of n elements a varied input holds.
int64_t variants(const InputSpec& in, int64_t n) {
  return in.content == Content::Varied ? std::max<int64_t>(2, 1'000'000 / n) : 1;
}

/// Without a pattern: the finaliser of SplitMix64, as a number in [0, 1).
double scattered(int64_t i) {
  auto x = static_cast<uint64_t>(i) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

void bind(const OpCase& op, const InputSpec& in, int64_t n, int64_t m, Bound& bound) {
  const DType dtype = parseDType(in.dtype).value_or(DType::Float64);
  const int64_t size = dtypeSize(dtype);
  const int64_t elements = in.content == Content::EverySecond                            ? 2 * n
                           : in.content == Content::Row || in.content == Content::Column ? m
                           : in.content == Content::Zero                                 ? 1
                           : isMatrix(in.content)                                        ? m * m
                                                  : n * variants(in, n);
  if (in.content == Content::Indices)
    fill<int64_t>(bound, elements, [&](int64_t i) { return i * 7919 % n; });
  else if (in.content == Content::SortedIndices)
    fill<int64_t>(bound, elements, [](int64_t i) { return i / 10; });
  else if (in.content == Content::Varied)
    fill<double>(bound, elements, scattered);
  else if (dtype == DType::Float64)
    fill<double>(bound, elements,
                 [](int64_t i) { return 0.001 * static_cast<double>(i * 7919 % 9973) + 0.01; });
  else if (dtype == DType::Float32)
    fill<float>(bound, elements, [](int64_t i) { return 0.001F * static_cast<float>(i % 997); });
  else
    fill<int64_t>(bound, elements, [&](int64_t i) { return in.content == Content::Zero ? 0 : i % 997; });
  Array& a = bound.array;
  a.dtype = dtype;
  a.data = bound.bytes.data();
  a.shape = bound.shape.data();
  a.strides = bound.strides.data();
  a.rank = 1;
  bound.shape[0] = n;
  bound.strides[0] = in.content == Content::EverySecond ? 2 * size : size;
  if (in.content == Content::Zero) a.rank = 0;
  if (isMatrix(in.content)) {
    a.rank = 2;
    bound.shape = {m, m};
    bound.strides = in.content == Content::Matrix ? std::array{m * size, size} : std::array{size, m * size};
  }
  const bool inMatrix = std::strcmp(op.outType, kMatrix64) == 0;
  if (in.content == Content::Row) {
    a.rank = inMatrix ? 2 : 1;
    bound.shape = inMatrix ? std::array{int64_t{1}, m} : std::array{m, int64_t{0}};
    bound.strides = inMatrix ? std::array{m * size, size} : std::array{size, int64_t{0}};
  }
  if (in.content == Content::Column) {
    a.rank = 2;
    bound.shape = {m, 1};
    bound.strides = {size, size};
  }
}

Result<BenchRow> measure(const OpCase& op, int64_t n) {
  SessionSettings settings;
  settings.useCache = false;
  settings.threads = 1;
  NW_TRY(GraphFile graph, graphOf(op));
  NW_TRY(auto session, Session::open(std::move(graph), settings));
  NW_TRY(Machine * machine, session->machine());
  const bool matrices = isMatrix(op.in[0].content);
  const auto m = static_cast<int64_t>(std::sqrt(static_cast<double>(n)));
  if (matrices) n = m * m;
  std::array<Bound, 3> bound;
  LoopArgs args{{}, nullptr, n, m};
  for (size_t k = 0; k < op.in.size() && op.in[k].dtype; ++k) {
    bind(op, op.in[k], n, m, bound[k]);
    machine->setInput(k, bound[k].array);
    args.in[k] = bound[k].bytes.data();
  }
  std::vector<double> out(static_cast<size_t>(2 * n)); // joined vectors are the largest result
  args.out = out.data();
  if (!machine->run()) return machine->error();
  const bool large = n >= 1'000'000;
  const LoopFn loop = large && op.large ? op.large : op.loop;
  // Products and sorts take much longer an element.
  const int64_t work = op.most < 10'000'000 ? 40 * n : n;
  const int64_t calls = std::max<int64_t>(1, std::min<int64_t>(20'000, 2'000'000 / work));
  const int64_t sets = variants(op.in[0], n);
  int64_t set = 0;
  const auto next = [&] {
    if (sets == 1) return;
    Bound& first = bound[0];
    first.array.data = first.bytes.data() + set * n * dtypeSize(first.array.dtype);
    machine->setInput(0, first.array);
    args.in[0] = first.array.data;
    set = (set + 1) % sets;
  };
  const Pair times = inTurn(
      large ? 5 : 11, calls,
      [&] {
        next();
        (void)machine->run();
      },
      [&] {
        next();
        loop(args);
      });
  BenchRow row{fmt::format("{}, {} elements", op.name, n),
               times.b / times.a,
               "of the loop's speed",
               {},
               {},
               fmt::format("call {:.4g} µs, loop {:.4g} µs", times.a / 1e3, times.b / 1e3)};
  if (n >= 100'000) row.atLeast = op.atLeast;
  return row;
}

} // namespace

Result<std::vector<BenchRow>> opRows(std::string_view only) {
  std::vector<BenchRow> rows;
  for (const OpCase& op : kCases) {
    if (std::string_view(op.name).find(only) == std::string_view::npos) continue;
    for (const int64_t n : {int64_t{10}, int64_t{1000}, int64_t{100'000}, int64_t{10'000'000}}) {
      if (n > op.most) continue;
      Result<BenchRow> row = measure(op, n);
      if (!row) return within(op.name, row.error());
      rows.push_back(std::move(*row));
    }
  }
  return rows;
}

} // namespace nodewise::bench
