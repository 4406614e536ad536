#include "graph/dtype.h"
#include "graph/type.h"

#include <QtTest>

#include <array>
#include <sstream>

using namespace nodewise;

namespace {

/// numpy.promote_types of every pair, in the order of the table.
constexpr std::array<const char*, 14> kPromotions{
    "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
    "i8 i8 i16 i32 i64 i16 i32 i64 f64 f16 f32 f64 c64 c128",
    "i16 i16 i16 i32 i64 i16 i32 i64 f64 f32 f32 f64 c64 c128",
    "i32 i32 i32 i32 i64 i32 i32 i64 f64 f64 f64 f64 c128 c128",
    "i64 i64 i64 i64 i64 i64 i64 i64 f64 f64 f64 f64 c128 c128",
    "u8 i16 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128",
    "u16 i32 i32 i32 i64 u16 u16 u32 u64 f32 f32 f64 c64 c128",
    "u32 i64 i64 i64 i64 u32 u32 u32 u64 f64 f64 f64 c128 c128",
    "u64 f64 f64 f64 f64 u64 u64 u64 u64 f64 f64 f64 c128 c128",
    "f16 f16 f32 f64 f64 f16 f32 f64 f64 f16 f32 f64 c64 c128",
    "f32 f32 f32 f64 f64 f32 f32 f64 f64 f32 f32 f64 c64 c128",
    "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128",
    "c64 c64 c64 c128 c128 c64 c64 c128 c128 c64 c64 c128 c64 c128",
    "c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128",
};

Type type(Kind kind, DType dtype = DType::Float64, std::vector<int64_t> shape = {}, std::string text = {}) {
  return {kind, dtype, std::move(shape), std::move(text), {}};
}

} // namespace

class TestDType : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void rowsStandInTheOrderOfTheEnumeration() {
    QCOMPARE(dtypeTable().size(), size_t{14});
    for (size_t i = 0; i < dtypeTable().size(); ++i) QCOMPARE(static_cast<size_t>(dtypeTable()[i].dtype), i);
  }

  void namesParseToTheirDTypes() {
    for (const DTypeRow& row : dtypeTable()) QVERIFY(parseDType(row.name) == row.dtype);
    QVERIFY(!parseDType("float"));
    QVERIFY(!parseDType(""));
    QVERIFY(!parseDType("f64"));
  }

  void promotesAsNumPyDoes() {
    for (size_t a = 0; a < kPromotions.size(); ++a) {
      std::istringstream row(kPromotions[a]);
      for (size_t b = 0; b < kPromotions.size(); ++b) {
        std::string expected;
        row >> expected;
        const DType result = promote(static_cast<DType>(a), static_cast<DType>(b));
        QCOMPARE(std::string(dtypeRow(result).shortName), expected);
      }
    }
  }

  void partsOfComplexNumbersAreReal() {
    QCOMPARE(realPart(DType::Complex64), DType::Float32);
    QCOMPARE(realPart(DType::Complex128), DType::Float64);
    QCOMPARE(realPart(DType::Int8), DType::Int8);
  }

  void shortTexts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* expected, const Type& shown) {
      QTest::newRow(expected) << QString::fromStdString(shortText(shown)) << QString::fromUtf8(expected);
    };
    row("f64[919]", type(Kind::Tensor, DType::Float64, {919}));
    row("f32[?,3]", type(Kind::Tensor, DType::Float32, {kUnknownLength, 3}));
    row("bool[]", type(Kind::Tensor, DType::Bool));
    row("i64 scalar", type(Kind::Scalar, DType::Int64));
    row("rng", type(Kind::Rng, DType::Float64, {}, "PCG64"));
    row("csr f64[?,?]", type(Kind::Sparse, DType::Float64, {kUnknownLength, kUnknownLength}, "csr"));
    row("slice", type(Kind::Slice));
    row("none", type(Kind::None));
    row("opaque", type(Kind::Opaque));
    row("<lock>", type(Kind::Opaque, DType::Float64, {}, "<lock>"));
    Type list = type(Kind::List);
    list.elem = std::make_shared<const Type>(type(Kind::Tensor, DType::UInt8, {2}));
    row("list of u8[2]", list);
  }
  void shortTexts() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(text, expected);
  }

  void longRepresentationsAreCutBetweenCharacters() {
    std::string repr = "x";
    for (int i = 0; i < 30; ++i) repr += "\xC3\xA9"; // é
    const std::string text = shortText(type(Kind::Opaque, DType::Float64, {}, repr));
    QVERIFY(text.size() < repr.size());
    QCOMPARE(QString::fromStdString(text), QString::fromUtf8("xééééééééééééééééééé..."));
  }

  void typesAreEqualInWhatTheirKindHas() {
    QVERIFY(type(Kind::None, DType::Int8) == type(Kind::None, DType::Bool));
    QVERIFY(!(type(Kind::Scalar, DType::Int8) == type(Kind::Scalar, DType::Bool)));
    QVERIFY(!(type(Kind::Scalar) == type(Kind::Tensor)));
    QVERIFY(!(type(Kind::Tensor, DType::Int8, {1}) == type(Kind::Tensor, DType::Int8, {kUnknownLength})));
    QVERIFY(!(type(Kind::Rng, DType::Int8, {}, "PCG64") == type(Kind::Rng, DType::Int8, {}, "PCG64DXSM")));
    Type bytes = type(Kind::List), words = type(Kind::List), same = type(Kind::List);
    bytes.elem = std::make_shared<const Type>(type(Kind::Scalar, DType::UInt8));
    words.elem = std::make_shared<const Type>(type(Kind::Scalar, DType::UInt16));
    same.elem = std::make_shared<const Type>(type(Kind::Scalar, DType::UInt8));
    QVERIFY(!(bytes == words));
    QVERIFY(bytes == same);
  }
};

QTEST_APPLESS_MAIN(TestDType)
#include "tst_dtype.moc"
