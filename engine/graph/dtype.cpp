#include "graph/dtype.h"

#include <algorithm>
#include <array>

namespace nodewise {

namespace {

using enum DTypeClass;

constexpr std::array<DTypeRow, 14> kRows{{
    {DType::Bool, "bool", "bool", 1, Bool},
    {DType::Int8, "int8", "i8", 1, Signed},
    {DType::Int16, "int16", "i16", 2, Signed},
    {DType::Int32, "int32", "i32", 4, Signed},
    {DType::Int64, "int64", "i64", 8, Signed},
    {DType::UInt8, "uint8", "u8", 1, Unsigned},
    {DType::UInt16, "uint16", "u16", 2, Unsigned},
    {DType::UInt32, "uint32", "u32", 4, Unsigned},
    {DType::UInt64, "uint64", "u64", 8, Unsigned},
    {DType::Float16, "float16", "f16", 2, Float},
    {DType::Float32, "float32", "f32", 4, Float},
    {DType::Float64, "float64", "f64", 8, Float},
    {DType::Complex64, "complex64", "c64", 8, Complex},
    {DType::Complex128, "complex128", "c128", 16, Complex},
}};

/// The row of a class with elements of `size` bytes.
DType ofClass(DTypeClass cls, int size) {
  const auto row = std::find_if(kRows.begin(), kRows.end(),
                                [&](const DTypeRow& r) { return r.cls == cls && r.size == size; });
  return row->dtype;
}

/// Bytes of the smallest float that NumPy holds an integer of this dtype to fit in; of a float, its own.
int floatSize(const DTypeRow& row) {
  if (row.cls == Float) return row.size;
  if (row.cls == Complex) return row.size / 2;
  return row.cls == Bool ? 2 : std::min(2 * row.size, 8);
}

/// Signed with unsigned: the least signed dtype that holds both, and float64 where there is none.
DType promoteMixedSigns(const DTypeRow& s, const DTypeRow& u) {
  if (s.size > u.size) return s.dtype;
  return u.size < 8 ? ofClass(Signed, 2 * u.size) : DType::Float64;
}

} // namespace

std::span<const DTypeRow> dtypeTable() { return kRows; }

const DTypeRow& dtypeRow(DType dtype) { return kRows[static_cast<size_t>(dtype)]; }

std::optional<DType> parseDType(std::string_view name) {
  for (const DTypeRow& row : kRows)
    if (row.name == name) return row.dtype;
  return {};
}

DType realPart(DType d) { return isComplex(d) ? ofClass(Float, dtypeRow(d).size / 2) : d; }

DType promote(DType a, DType b) {
  // From here on `x` is of the lower class.
  const bool swap = dtypeRow(b).cls < dtypeRow(a).cls;
  const DTypeRow& x = dtypeRow(swap ? b : a);
  const DTypeRow& y = dtypeRow(swap ? a : b);
  if (x.cls == y.cls) return x.size < y.size ? y.dtype : x.dtype;
  if (x.cls == Bool) return y.dtype;
  if (y.cls == Unsigned) return promoteMixedSigns(x, y);
  const int size = std::max(floatSize(x), floatSize(y));
  return y.cls == Complex ? ofClass(Complex, 2 * size) : ofClass(Float, size);
}

} // namespace nodewise
