// The element types of tensors: one row each, by NumPy's names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace nodewise {

enum class DType : uint8_t {
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float16,
  Float32,
  Float64,
  Complex64,
  Complex128
};

enum class DTypeClass : uint8_t { Bool, Signed, Unsigned, Float, Complex };

struct DTypeRow {
  DType dtype;
  std::string_view name;      ///< NumPy's name: "float64"
  std::string_view shortName; ///< for edges and tables: "f64"
  int size;                   ///< bytes an element
  DTypeClass cls;
};

/// All rows, in the order of the enumeration.
std::span<const DTypeRow> dtypeTable();
const DTypeRow& dtypeRow(DType dtype);
std::optional<DType> parseDType(std::string_view name);

inline std::string_view dtypeName(DType d) { return dtypeRow(d).name; }
inline int64_t dtypeSize(DType d) { return dtypeRow(d).size; }
inline bool isFloat(DType d) { return dtypeRow(d).cls == DTypeClass::Float; }
inline bool isComplex(DType d) { return dtypeRow(d).cls == DTypeClass::Complex; }
inline bool isSigned(DType d) { return dtypeRow(d).cls == DTypeClass::Signed; }
inline bool isUnsigned(DType d) { return dtypeRow(d).cls == DTypeClass::Unsigned; }
/// Signed, unsigned or bool.
inline bool isIntegral(DType d) { return dtypeRow(d).cls <= DTypeClass::Unsigned; }
/// The real dtype of a complex one's parts; any other dtype itself.
DType realPart(DType d);
/// NumPy's promotion of two dtypes (int64 with uint64: float64; int32 with float32: float64).
DType promote(DType a, DType b);

} // namespace nodewise
