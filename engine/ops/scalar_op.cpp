#include "ops/scalar_op.h"

#include "codegen/scalar_builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

using codegen::ScalarBuilder;
using codegen::ScalarValue;

const std::vector<ScalarOpRow>& scalarOpTable() {
  static const std::vector<ScalarOpRow> table = [] {
    std::vector<ScalarOpRow> rows;
    for (auto family : {arithmeticScalarOps(), compareScalarOps(), roundingScalarOps(), mathScalarOps(),
                        complexScalarOps(), specialScalarOps()})
      rows.insert(rows.end(), family.begin(), family.end());
    std::ranges::sort(rows, {}, &ScalarOpRow::name);
    return rows;
  }();
  return table;
}

const ScalarOpRow* findScalarOp(std::string_view name) {
  const auto& table = scalarOpTable();
  auto it = std::ranges::lower_bound(table, name, {}, &ScalarOpRow::name);
  return it != table.end() && it->name == name ? &*it : nullptr;
}

static DType commonType(std::span<const DType> in) {
  DType common = in[0];
  for (DType d : in.subspan(1)) common = promote(common, d);
  return common;
}

ScalarValue emitScalarOp(ScalarBuilder& s, const ScalarOpRow& row, std::span<const ScalarValue> in,
                         DType out) {
  std::vector<ScalarValue> converted(in.begin(), in.end());
  if (row.conversion != ScalarConversion::None) {
    DType to = out;
    if (row.conversion == ScalarConversion::ToCommon) {
      std::vector<DType> dtypes;
      for (const ScalarValue& v : in) dtypes.push_back(v.dtype);
      to = commonType(dtypes);
    }
    for (ScalarValue& v : converted) v = s.cast(v, to);
  }
  return s.cast(row.emit(s, converted, out), out);
}

static uint8_t domainOf(DType d) {
  switch (dtypeRow(d).cls) {
  case DTypeClass::Bool:
    return OnBool;
  case DTypeClass::Signed:
  case DTypeClass::Unsigned:
    return OnInteger;
  case DTypeClass::Float:
    return OnFloat;
  case DTypeClass::Complex:
    return OnComplex;
  }
  return 0;
}

Result<void> checkScalarDomain(const ScalarOpRow& row, std::span<const DType> in, DType out) {
  auto check = [&](DType d) -> Result<void> {
    if (row.domain & domainOf(d)) return {};
    return Error{fmt::format("scalar op {} on {} is not supported", row.name, dtypeName(d)), {}, {}, {}};
  };
  if (row.conversion == ScalarConversion::ToOutput) return check(out);
  if (row.conversion == ScalarConversion::ToCommon) return check(commonType(in));
  for (DType d : in) NW_CHECK(check(d));
  return {};
}

} // namespace nodewise
