// What test programs of ops share: rows for every dtype, short names, parts of tensors.
#pragma once

#include "ops/op_harness.h"

#include <QtTest>

namespace nodewise::testing {

inline constexpr int64_t kAny = kUnknownLength;

using Shape = std::vector<int64_t>;

/// A column "dtype" (int), and a row for each dtype.
inline void addDTypeRows() {
  QTest::addColumn<int>("dtype");
  for (const DTypeRow& row : dtypeTable()) QTest::newRow(row.name.data()) << static_cast<int>(row.dtype);
}

/// Elements of `flat`, positions in the C order of x, as a tensor of this shape.
inline Data picked(const Data& x, const std::vector<int64_t>& flat, const Shape& shape) {
  const Tensor& from = *x.tensor();
  const auto size = static_cast<size_t>(dtypeSize(from.dtype));
  Tensor to{from.dtype, shape, std::vector<std::byte>(flat.size() * size)};
  for (size_t i = 0; i < flat.size(); ++i)
    std::memcpy(to.bytes.data() + i * size, from.bytes.data() + static_cast<size_t>(flat[i]) * size, size);
  return Data{std::move(to)};
}

} // namespace nodewise::testing
