#include "ops/data_array.h"

#include "numeric/element.h"
#include "numeric/sparse_matrix.h"
#include "ops/contiguous_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace nodewise {

namespace {

bool sameElements(DType dtype, const std::byte* a, const std::byte* b, int64_t n) {
  return withType(dtype, [&]<class T>(std::type_identity<T>) {
    const auto same = [](const T& x, const T& y) {
      const auto p = convertTo<std::conditional_t<std::is_same_v<T, Half>, float, T>>(x);
      const auto q = convertTo<std::conditional_t<std::is_same_v<T, Half>, float, T>>(y);
      if constexpr (std::is_same_v<T, Bool8>)
        return (p.byte != 0) == (q.byte != 0);
      else if constexpr (std::is_integral_v<T>)
        return p == q;
      else
        return p == q || (p != p && q != q);
    };
    return std::equal(reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(a) + n,
                      reinterpret_cast<const T*>(b), same);
  });
}

bool same(const Tensor& a, const Tensor& b) {
  return a.dtype == b.dtype && a.shape == b.shape &&
         sameElements(a.dtype, a.bytes.data(), b.bytes.data(), elementCount(a.shape));
}

bool same(const RngState& a, const RngState& b) {
  return a.generator == b.generator && a.state == b.state && a.inc == b.inc && a.hasUint32 == b.hasUint32 &&
         (a.hasUint32 == 0 || a.uinteger == b.uinteger);
}

bool same(const SliceData& a, const SliceData& b) {
  return a.start == b.start && a.stop == b.stop && a.step == b.step;
}
bool same(const NoneData&, const NoneData&) { return true; }
bool same(const OpaqueData& a, const OpaqueData& b) { return a.repr == b.repr; }
bool same(const ListData& a, const ListData& b) {
  return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), sameData);
}

/// Sorted csr without stored zeros: equal matrices have equal parts.
SparseData normalForm(const SparseData& a) {
  SparseData narrow, format, canonical;
  const SparseData* m = &a;
  if (!hasInt32(a)) {
    if (!asInt32(a, narrow).empty()) return a;
    m = &narrow;
  }
  const SparseData& rows = canonicalForm(inFormat(*m, false, format), canonical);
  std::vector<bool> keep(static_cast<size_t>(rows.data.shape[0]));
  withType(rows.data.dtype, [&]<class T>(std::type_identity<T>) {
    for (size_t k = 0; k < keep.size(); ++k) keep[k] = convertTo<Bool8>(rows.data.as<T>()[k]).byte != 0;
  });
  return rearranged(rows, keepStored(viewOf(rows), keep), false);
}

bool same(const SparseData& a, const SparseData& b) {
  if (a.shape != b.shape || a.data.dtype != b.data.dtype) return false;
  const SparseData x = normalForm(a), y = normalForm(b);
  return same(x.indptr, y.indptr) && same(x.indices, y.indices) && same(x.data, y.data);
}

} // namespace

Data dataOf(const Array& array) {
  if (array.kind == Kind::Rng) return Data{*array.as<RngState>()};
  if (array.kind != Kind::Tensor && array.kind != Kind::Scalar)
    return array.object ? *array.object : Data{NoneData{}};
  const ContiguousInput elements(array, array.dtype);
  const std::byte* first = elements.data();
  return Data{Tensor{array.dtype, std::vector<int64_t>(array.shape, array.shape + array.rank),
                     std::vector<std::byte>(first, first + elements.size() * dtypeSize(array.dtype))}};
}

int32_t setOutput(Context& context, int k, const Data& data) {
  Array& out = *context.outputs[k];
  const Tensor* tensor = data.tensor();
  const auto* rng = std::get_if<RngState>(&data.v);
  const bool array = out.kind == Kind::Tensor || out.kind == Kind::Scalar;
  if (array != (tensor != nullptr) || (out.kind == Kind::Rng) != (rng != nullptr))
    return context.fail("TypeError", "the value is not of the type that the node declares");
  if (tensor) {
    if (tensor->dtype != out.dtype || static_cast<int32_t>(tensor->shape.size()) != out.rank)
      return context.fail("TypeError", fmt::format("a {} of rank {} where a {} of rank {} is declared",
                                                   dtypeName(tensor->dtype), tensor->shape.size(),
                                                   dtypeName(out.dtype), out.rank));
    std::byte* to = context.allocate(k, tensor->shape.data(), out.rank);
    if (!tensor->bytes.empty()) std::memcpy(to, tensor->bytes.data(), tensor->bytes.size());
  } else if (rng) {
    std::memcpy(context.allocate(k, nullptr, 0), rng, sizeof(RngState));
  } else {
    if (const auto* sparse = std::get_if<SparseData>(&data.v); sparse && out.rank == 2 && out.shape)
      std::copy_n(sparse->shape.data(), 2, out.shape);
    out.object = std::make_shared<const Data>(data);
  }
  return 0;
}

bool sameData(const Data& a, const Data& b) {
  if (a.v.index() != b.v.index()) return false;
  return std::visit([&b](const auto& x) { return same(x, std::get<std::decay_t<decltype(x)>>(b.v)); }, a.v);
}

} // namespace nodewise
