#include "session/values.h"

#include "base/half.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

namespace nodewise {

namespace {

template <class T> T elementAt(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// An element as a number to compare and sum.
using Reader = double (*)(const std::byte*);
template <class T> double readNumber(const std::byte* at) { return static_cast<double>(elementAt<T>(at)); }
template <class T> double readComplex(const std::byte* at) {
  const auto value = elementAt<std::complex<T>>(at);
  if (std::isnan(value.real()) || std::isnan(value.imag())) return std::nan("");
  return std::abs(value);
}
double readHalf(const std::byte* at) { return static_cast<double>(halfToFloat(elementAt<Half>(at))); }

Reader readerOf(DType dtype) {
  switch (dtype) {
  case DType::Bool:
  case DType::UInt8:
    return readNumber<uint8_t>;
  case DType::Int8:
    return readNumber<int8_t>;
  case DType::Int16:
    return readNumber<int16_t>;
  case DType::Int32:
    return readNumber<int32_t>;
  case DType::Int64:
    return readNumber<int64_t>;
  case DType::UInt16:
    return readNumber<uint16_t>;
  case DType::UInt32:
    return readNumber<uint32_t>;
  case DType::UInt64:
    return readNumber<uint64_t>;
  case DType::Float16:
    return readHalf;
  case DType::Float32:
    return readNumber<float>;
  case DType::Float64:
    return readNumber<double>;
  case DType::Complex64:
    return readComplex<float>;
  case DType::Complex128:
    return readComplex<double>;
  }
  return nullptr;
}

struct Sum {
  ValueStats& stats;
  BadElements bad;
  double total = 0;
  int64_t finite = 0;

  void add(double value) {
    if (std::isnan(value)) {
      ++bad.nans;
    } else if (std::isinf(value)) {
      ++bad.infs;
    } else {
      const bool first = stats.finite + finite == 0;
      stats.min = first ? value : std::min(stats.min, value);
      stats.max = first ? value : std::max(stats.max, value);
      total += value;
      ++finite;
    }
  }
};

/// Every element, by strides, the last axis innermost.
void walk(const Array& array, Reader read, Sum& sum) {
  if (array.size() == 0 || !array.data) return;
  const auto rank = static_cast<size_t>(array.rank);
  const int64_t inner = rank > 0 ? array.shape[rank - 1] : 1;
  const int64_t step = rank > 0 ? array.strides[rank - 1] : 0;
  std::vector<int64_t> at(rank, 0);
  for (;;) {
    const std::byte* row = array.data;
    for (size_t axis = 0; axis + 1 < rank; ++axis) row += at[axis] * array.strides[axis];
    for (int64_t k = 0; k < inner; ++k) sum.add(read(row + k * step));
    size_t axis = rank > 0 ? rank - 1 : 0;
    while (axis > 0 && ++at[axis - 1] == array.shape[axis - 1]) at[--axis] = 0;
    if (axis == 0) return;
  }
}

} // namespace

BadElements addValues(ValueStats& stats, const Array& array) {
  const bool tensor = array.kind == Kind::Tensor || array.kind == Kind::Scalar;
  stats.numeric = tensor;
  stats.dtype = std::string(tensor ? dtypeName(array.dtype) : kindName(array.kind));
  if (!tensor) return {};
  stats.shape.assign(array.shape, array.shape + array.rank);
  const Reader read = readerOf(array.dtype);
  if (!read) return {};
  Sum sum{stats, {}, 0, 0};
  walk(array, read, sum);
  stats.elements += array.size();
  stats.nans += sum.bad.nans;
  stats.infs += sum.bad.infs;
  if (sum.finite > 0) {
    const auto before = static_cast<double>(stats.finite);
    stats.finite += sum.finite;
    stats.mean = (stats.mean * before + sum.total) / static_cast<double>(stats.finite);
  }
  return sum.bad;
}

const NodeValues* ValueReport::find(NodeIndex node) const {
  const auto at = std::ranges::find(nodes, node, &NodeValues::node);
  return at == nodes.end() ? nullptr : &*at;
}

NodeValues& ValueCollector::of(NodeIndex node) {
  const auto [at, isNew] = m_place.try_emplace(node, m_report.nodes.size());
  if (isNew) {
    m_report.nodes.emplace_back();
    m_report.nodes.back().node = node;
  }
  return m_report.nodes[at->second];
}

void ValueCollector::before(NodeIndex node, std::span<Array* const> in) {
  NodeValues& values = of(node);
  values.in.resize(in.size());
  ++values.calls;
  BadElements bad;
  for (size_t k = 0; k < in.size(); ++k) {
    const BadElements one = addValues(values.in[k], *in[k]);
    bad.nans += one.nans;
    bad.infs += one.infs;
  }
  m_inputs.push_back(bad);
}

void ValueCollector::after(NodeIndex node, std::span<Array* const> out) {
  NodeValues& values = of(node);
  values.out.resize(out.size());
  const BadElements before = m_inputs.back();
  m_inputs.pop_back();
  BadElements bad;
  for (size_t k = 0; k < out.size(); ++k) {
    const BadElements one = addValues(values.out[k], *out[k]);
    bad.nans += one.nans;
    bad.infs += one.infs;
  }
  if (bad.nans > 0 && before.nans == 0) {
    values.makesNan = true;
    if (!m_report.firstNan) m_report.firstNan = node;
  }
  if (bad.infs > 0 && before.infs == 0) {
    values.makesInf = true;
    if (!m_report.firstInf) m_report.firstInf = node;
  }
}

ValueReport ValueCollector::take() { return std::move(m_report); }

} // namespace nodewise
