#include "ops/op_harness.h"

#include "numeric/element.h"
#include "numeric/sparse_matrix.h"
#include "ops/data_array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>

namespace nodewise::testing {

namespace {

/// One Array with all the memory that it refers to.
struct Slot {
  Array array;
  std::vector<int64_t> shape, strides;
  std::vector<std::byte> memory;
  RngState rng;
};

void setShapeStorage(Slot& slot, size_t rank) {
  slot.shape.assign(rank, 0);
  slot.strides.assign(rank, 0);
  slot.array.rank = static_cast<int32_t>(rank);
  slot.array.shape = slot.shape.data();
  slot.array.strides = slot.strides.data();
}

/// Calls visit(byte offset in C order of elements, index) for each index of a shape.
template <class Visit> void forEachIndex(const std::vector<int64_t>& shape, Visit visit) {
  const int64_t count = elementCount(shape);
  std::vector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    visit(i, index);
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
}

std::byte* elementAt(const Array& array, const std::vector<int64_t>& index) {
  std::byte* at = array.data;
  for (size_t axis = 0; axis < index.size(); ++axis) at += index[axis] * array.strides[axis];
  return at;
}

/// Lays a tensor out in memory as asked.
void placeTensor(Slot& slot, const Tensor& tensor, Layout layout) {
  const size_t rank = tensor.shape.size();
  const int64_t size = dtypeSize(tensor.dtype);
  setShapeStorage(slot, rank);
  slot.shape = tensor.shape;
  slot.array.shape = slot.shape.data();
  slot.array.dtype = tensor.dtype;
  int64_t extent = size, origin = 0;
  for (size_t step = 0; step < rank; ++step) {
    const size_t axis = layout == Layout::Fortran ? step : rank - 1 - step;
    const int64_t length = tensor.shape[axis];
    const int64_t stride = layout == Layout::Spread ? extent * 2 : extent;
    slot.strides[axis] = layout == Layout::Reversed ? -stride : stride;
    if (layout == Layout::Reversed) origin += stride * std::max<int64_t>(length - 1, 0);
    extent = stride * std::max<int64_t>(length, 1);
  }
  slot.memory.assign(static_cast<size_t>(extent), std::byte{0xA5});
  slot.array.data = slot.memory.data() + origin;
  forEachIndex(tensor.shape, [&](int64_t i, const std::vector<int64_t>& index) {
    std::memcpy(elementAt(slot.array, index), tensor.bytes.data() + i * size, static_cast<size_t>(size));
  });
}

void placeInput(Slot& slot, const Data& data, const Type& type, Layout layout) {
  slot.array.kind = type.kind;
  if (const Tensor* tensor = data.tensor()) return placeTensor(slot, *tensor, layout);
  if (const RngState* rng = std::get_if<RngState>(&data.v)) {
    slot.rng = *rng;
    slot.array.data = reinterpret_cast<std::byte*>(&slot.rng);
    return;
  }
  slot.array.object = std::make_shared<const Data>(data);
}

Data readArray(const Array& array) {
  if (array.kind == Kind::Rng) return Data{*array.as<RngState>()};
  if (array.kind != Kind::Tensor && array.kind != Kind::Scalar)
    return array.object ? *array.object : Data{OpaqueData{"nothing"}};
  const int64_t size = dtypeSize(array.dtype);
  Tensor tensor{array.dtype, std::vector<int64_t>(array.shape, array.shape + array.rank), {}};
  tensor.bytes.resize(static_cast<size_t>(array.size() * size));
  forEachIndex(tensor.shape, [&](int64_t i, const std::vector<int64_t>& index) {
    std::memcpy(tensor.bytes.data() + i * size, elementAt(array, index), static_cast<size_t>(size));
  });
  return Data{std::move(tensor)};
}

/// Owned C-contiguous memory for the shape that the array has.
void giveMemory(Slot& slot) {
  if (slot.array.kind == Kind::Rng) {
    slot.array.data = reinterpret_cast<std::byte*>(&slot.rng);
    return;
  }
  if (slot.array.kind != Kind::Tensor && slot.array.kind != Kind::Scalar) return;
  int64_t extent = dtypeSize(slot.array.dtype);
  for (size_t axis = slot.shape.size(); axis-- > 0;) {
    slot.strides[axis] = extent;
    extent *= slot.shape[axis];
  }
  slot.memory.assign(static_cast<size_t>(std::max<int64_t>(extent, 1)), std::byte{0x5A});
  slot.array.data = slot.memory.data();
}

/// The VM's part in a call.
struct Call {
  std::deque<Slot> inputs, outputs;
  std::vector<Array*> in, out;
  Context context;

  static std::byte* allocate(void* owner, Array* out, const int64_t* shape, int rank) {
    Call& call = *static_cast<Call*>(owner);
    for (Slot& slot : call.outputs) {
      if (&slot.array != out) continue;
      std::copy_n(shape, rank, slot.shape.data());
      giveMemory(slot);
    }
    return out->data;
  }
};

void provideOutputs(Call& call, const Lowered& lowered) {
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    Slot& slot = call.outputs[k];
    const auto shared = std::find_if(lowered.inPlace.begin(), lowered.inPlace.end(),
                                     [k](const auto& pair) { return pair.first == static_cast<int>(k); });
    if (shared == lowered.inPlace.end()) {
      giveMemory(slot);
      continue;
    }
    const Array& input = *call.in[static_cast<size_t>(shared->second)];
    slot.array.data = input.data;
    slot.array.object = input.object;
    std::copy_n(input.shape, input.rank, slot.shape.data());
    std::copy_n(input.strides, input.rank, slot.strides.data());
  }
}

int32_t runLowered(Call& call, const Lowered& lowered) {
  if (lowered.shape) {
    if (const int32_t code = lowered.shape(call.in.data(), call.out.data(), call.context)) return code;
  }
  if (lowered.kind == NodeKind::View) return 0;
  if (lowered.mayAlias && call.out[0]->data) return 0;
  if (!lowered.allocatesOutputs) provideOutputs(call, lowered);
  return lowered.run(call.in.data(), call.out.data(), call.context);
}

bool liesIn(const Slot& slot, const std::byte* at) {
  if (slot.array.kind == Kind::Rng) return at == reinterpret_cast<const std::byte*>(&slot.rng);
  return at && at >= slot.memory.data() && at < slot.memory.data() + slot.memory.size();
}

} // namespace

std::string OpOutcome::errorText() const {
  if (!error) return {};
  return error->type.empty() ? error->text() : error->type + ": " + error->what;
}

OpOutcome callOp(const OpCall& call) {
  Graph graph;
  Node node;
  node.op = call.op;
  node.params = call.params.is_null() ? nlohmann::json::object() : call.params;
  node.inner = call.inner;
  node.destroys = call.destroys;
  node.views = call.views;
  std::vector<Type> types = call.inputTypes;
  for (size_t k = types.size(); k < call.inputs.size(); ++k) types.push_back(typeOf(call.inputs[k]));
  for (const Type& type : types) {
    node.in.push_back(static_cast<ValueId>(graph.values.size()));
    graph.inputs.push_back(node.in.back());
    graph.values.push_back({type, {}, nullptr, false});
  }
  for (const Type& type : call.outputTypes) {
    node.out.push_back(static_cast<ValueId>(graph.values.size()));
    graph.outputs.push_back(node.out.back());
    graph.values.push_back({type, {}, nullptr, false});
  }
  graph.nodes.push_back(node);

  OpOutcome outcome;
  Result<Lowered> lowered = lowerNode(NodeView{graph, graph.nodes[0], "$.graph.nodes[0]"});
  if (!lowered) {
    outcome.error = lowered.error();
    return outcome;
  }
  outcome.lowered = *lowered;
  if (lowered->kind != NodeKind::View && lowered->kind != NodeKind::Prebuilt) {
    outcome.error =
        Error{fmt::format("is {}, {}", nodeKindName(lowered->kind), lowered->reason), call.op, {}, {}};
    return outcome;
  }

  Call state;
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    placeInput(state.inputs.emplace_back(), call.inputs[k], types[k], call.layout);
    state.in.push_back(&state.inputs.back().array);
  }
  for (const Type& type : call.outputTypes) {
    Slot& slot = state.outputs.emplace_back();
    slot.array.kind = type.kind;
    slot.array.dtype = type.dtype;
    setShapeStorage(slot, type.shape.size());
    state.out.push_back(&slot.array);
  }
  state.context.owner = &state;
  state.context.outputs = state.out.data();
  state.context.allocateFn = &Call::allocate;

  const int32_t code = runLowered(state, *lowered);
  for (const Slot& slot : state.inputs) outcome.inputsAfter.push_back(readArray(slot.array));
  if (code != 0) {
    outcome.error = Error{state.context.errorMessage, {}, {}, state.context.errorType};
    return outcome;
  }
  for (const Array* array : state.out) {
    outcome.outputs.push_back(readArray(*array));
    outcome.aliases.push_back(std::any_of(state.inputs.begin(), state.inputs.end(),
                                          [&](const Slot& slot) { return liesIn(slot, array->data); }));
  }
  return outcome;
}

std::string mismatch(OpCall call, const std::vector<Data>& expected, double tolerance) {
  for (const Layout layout : kLayouts) {
    call.layout = layout;
    const OpOutcome outcome = callOp(call);
    const std::string prefix = fmt::format("layout {}: ", static_cast<int>(layout));
    if (outcome.error) return prefix + outcome.errorText();
    if (outcome.outputs.size() != expected.size()) return prefix + "number of outputs";
    for (size_t k = 0; k < expected.size(); ++k) {
      const std::string text = difference(outcome.outputs[k], expected[k], tolerance);
      if (!text.empty()) return fmt::format("{}output {}: {}", prefix, k, text);
    }
    for (size_t k = 0; k < call.inputs.size(); ++k) {
      const bool mayChange = std::any_of(call.destroys.begin(), call.destroys.end(), [k](const auto& pair) {
        return pair.second == static_cast<int>(k);
      });
      if (mayChange || !call.inputs[k].tensor()) continue;
      const std::string text = difference(outcome.inputsAfter[k], call.inputs[k]);
      if (!text.empty()) return fmt::format("{}input {} was changed: {}", prefix, k, text);
    }
  }
  return {};
}

std::string describe(const Data& data) {
  const Tensor* tensor = data.tensor();
  if (!tensor) return fmt::format("data of kind {}", data.v.index());
  std::string text = fmt::format("{}[{}]", dtypeName(tensor->dtype), fmt::join(tensor->shape, ","));
  const int64_t shown = std::min<int64_t>(elementCount(tensor->shape), 24);
  for (int64_t i = 0; i < shown; ++i) {
    const std::byte* at = tensor->bytes.data() + i * dtypeSize(tensor->dtype);
    text += withType(tensor->dtype, [at]<class T>(std::type_identity<T>) {
      const auto value = convertTo<std::complex<double>>(load<T>(at));
      return isComplexType<T> ? fmt::format(" {}{:+}i", value.real(), value.imag())
                              : fmt::format(" {}", value.real());
    });
  }
  return text;
}

namespace {

Data denseOf(const SparseData& sparse) {
  SparseData narrow;
  asInt32(sparse, narrow);
  Tensor dense{sparse.data.dtype, {sparse.shape[0], sparse.shape[1]}, {}};
  dense.bytes.resize(static_cast<size_t>(elementCount(dense.shape) * dtypeSize(dense.dtype)));
  addToDense(narrow, dense.dtype, dense.bytes.data());
  return Data{std::move(dense)};
}

/// Sparse matrices are compared as dense ones, lists element by element.
std::string objectDifference(const Data& actual, const Data& expected, double tolerance) {
  if (const auto* sparse = std::get_if<SparseData>(&actual.v)) {
    const auto& wanted = std::get<SparseData>(expected.v);
    if (sparse->csc != wanted.csc) return "csr and csc";
    return difference(denseOf(*sparse), denseOf(wanted), tolerance);
  }
  const auto* list = std::get_if<ListData>(&actual.v);
  if (!list) return sameData(actual, expected) ? "" : "objects differ";
  const auto& wanted = std::get<ListData>(expected.v).items;
  if (list->items.size() != wanted.size())
    return fmt::format("{} items, expected {}", list->items.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const std::string text = difference(list->items[i], wanted[i], tolerance);
    if (!text.empty()) return fmt::format("item {}: {}", i, text);
  }
  return {};
}

} // namespace

std::string difference(const Data& actual, const Data& expected, double tolerance) {
  if (actual.v.index() != expected.v.index()) return "values of different kinds";
  const Tensor* a = actual.tensor();
  const Tensor* b = expected.tensor();
  if (!a || !b) return objectDifference(actual, expected, tolerance);
  const auto text = [&] {
    return fmt::format("found {}, expected {}", describe(actual), describe(expected));
  };
  if (a->dtype != b->dtype || a->shape != b->shape) return text();
  if (tolerance == 0) return a->bytes == b->bytes ? std::string() : text();
  const int64_t size = dtypeSize(a->dtype);
  for (int64_t i = 0; i < elementCount(a->shape); ++i) {
    const bool near = withType(a->dtype, [&]<class T>(std::type_identity<T>) {
      const auto x = convertTo<std::complex<double>>(load<T>(a->bytes.data() + i * size));
      const auto y = convertTo<std::complex<double>>(load<T>(b->bytes.data() + i * size));
      const auto close = [tolerance](double p, double q) {
        return p == q || (std::isnan(p) && std::isnan(q)) ||
               std::fabs(p - q) <= tolerance * (1 + std::fabs(q));
      };
      return close(x.real(), y.real()) && close(x.imag(), y.imag());
    });
    if (!near) return fmt::format("element {}: {}", i, text());
  }
  return {};
}

Type withoutLengths(Type type, bool onesToo) {
  for (int64_t& length : type.shape)
    if (length != 1 || onesToo) length = kUnknownLength;
  return type;
}

Type typeOf(const Data& data) {
  constexpr Kind kKinds[] = {Kind::Tensor, Kind::Rng,    Kind::Slice, Kind::None,
                             Kind::List,   Kind::Sparse, Kind::Opaque};
  if (const Tensor* tensor = data.tensor()) return tensorType(tensor->dtype, tensor->shape);
  Type type;
  type.kind = kKinds[data.v.index()];
  if (type.kind == Kind::Rng) type.text = "PCG64";
  if (const SparseData* sparse = std::get_if<SparseData>(&data.v)) {
    type.text = sparse->csc ? "csc" : "csr";
    type.dtype = sparse->data.dtype;
    type.shape = {sparse->shape[0], sparse->shape[1]};
  }
  if (const ListData* list = std::get_if<ListData>(&data.v); list && !list->items.empty())
    type.elem = std::make_shared<const Type>(typeOf(list->items.front()));
  return type;
}

Data rampOf(DType dtype, std::vector<int64_t> shape, double first, double step) {
  const int64_t count = elementCount(shape), size = dtypeSize(dtype);
  Tensor tensor{dtype, std::move(shape), std::vector<std::byte>(static_cast<size_t>(count * size))};
  for (int64_t i = 0; i < count; ++i) {
    const double value = first + static_cast<double>(i) * step;
    withType(dtype, [&]<class T>(std::type_identity<T>) {
      if constexpr (isComplexType<T>)
        store(tensor.bytes.data() + i * size, convertTo<T>(std::complex<double>(value, -value)));
      else if constexpr (std::is_unsigned_v<T>)
        store(tensor.bytes.data() + i * size, convertTo<T>(static_cast<int64_t>(value)));
      else
        store(tensor.bytes.data() + i * size, convertTo<T>(value));
    });
  }
  return Data{std::move(tensor)};
}

Data convertedTo(const Data& data, DType dtype) {
  const Tensor& from = *data.tensor();
  const int64_t count = elementCount(from.shape), size = dtypeSize(dtype);
  Tensor to{dtype, from.shape, std::vector<std::byte>(static_cast<size_t>(count * size))};
  for (int64_t i = 0; i < count; ++i) {
    withType(from.dtype, [&]<class From>(std::type_identity<From>) {
      const From value = load<From>(from.bytes.data() + i * dtypeSize(from.dtype));
      withType(dtype, [&]<class To>(std::type_identity<To>) {
        store(to.bytes.data() + i * size, convertTo<To>(value));
      });
    });
  }
  return Data{std::move(to)};
}

} // namespace nodewise::testing
