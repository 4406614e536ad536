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

/// Rows of nodes that lowering refuses. Columns: "op", "params" (JSON), "expected" (the error behind its
/// place).
inline void addWrongNodeColumns() {
  QTest::addColumn<QString>("op");
  QTest::addColumn<QString>("params");
  QTest::addColumn<QString>("expected");
}
inline void addWrongNode(const char* op, const char* params, const char* error) {
  QTest::addRow("%s %s", op, params) << QString(op) << QString(params) << QString("$.graph.nodes[0]") + error;
}
/// What lowering the row's node with these inputs says.
inline QString errorOfWrongNode(std::vector<Data> inputs, Type output) {
  QFETCH(const QString, op);
  QFETCH(const QString, params);
  const OpCall call{
      op.toStdString(), nlohmann::json::parse(params.toStdString()), std::move(inputs), {std::move(output)}};
  return QString::fromStdString(callOp(call).errorText());
}

} // namespace nodewise::testing
