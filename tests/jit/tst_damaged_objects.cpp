// An object that is not whole is an error of its own, never the end of the program, and nothing is left
// behind (as was reported of others: pocl#534, quadrants#901, sccache#2122).
#include "jit/linker.h"

#include "jit/compiler.h"
#include "jit/host.h"
#include "jit/math_symbols.h"
#include "kernel_text.h"

#include <QtTest>

#include <elf.h>

#include <cstring>
#include <functional>
#include <random>

using namespace nodewise;
using namespace nodewise::testing;

using Bytes = std::vector<std::byte>;
using Damage = std::function<void(Bytes&)>;
Q_DECLARE_METATYPE(Damage)

namespace {

template <class T> T& at(Bytes& bytes, size_t offset) { return *reinterpret_cast<T*>(bytes.data() + offset); }
Elf64_Ehdr& header(Bytes& bytes) { return at<Elf64_Ehdr>(bytes, 0); }
Elf64_Shdr& section(Bytes& bytes, uint32_t type) {
  for (size_t k = 0; k < header(bytes).e_shnum; ++k) {
    auto& one = at<Elf64_Shdr>(bytes, header(bytes).e_shoff + k * sizeof(Elf64_Shdr));
    if (one.sh_type == type) return one;
  }
  throw std::runtime_error("the object has no such section");
}
Elf64_Rela& relocation(Bytes& bytes) { return at<Elf64_Rela>(bytes, section(bytes, SHT_RELA).sh_offset); }
/// The kernel's own: the first that is not local.
Elf64_Sym& symbol(Bytes& bytes) {
  const Elf64_Shdr& table = section(bytes, SHT_SYMTAB);
  return at<Elf64_Sym>(bytes, table.sh_offset + table.sh_info * sizeof(Elf64_Sym));
}

} // namespace

class TestDamagedObjects : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    Compiler compiler(hostTarget());
    m_good = compiled(loopOf("double", "%e = call double @llvm.exp.f64(double %x)\n%r = fmul double %e, 2.5",
                             "declare double @llvm.exp.f64(double)"),
                      "nw_good", {}, compiler)
                 .value()
                 .object;
    for (int k = 0; k < 100; ++k)
      m_others.push_back(
          compiled(returning(k), "nw_other_" + std::to_string(k), {.optLevel = 0}, compiler).value());
    QVERIFY(checkObject("nw_good", m_good).ok());
  }

  void damagedIsAnErrorOfItsOwn_data() {
    QTest::addColumn<Damage>("damage");
    const auto row = [](const char* name, Damage damage) { QTest::newRow(name) << std::move(damage); };
    row("empty", [](Bytes& b) { b.clear(); });
    row("garbage", [](Bytes& b) { std::ranges::fill(b, std::byte{0xa5}); });
    row("zeros", [](Bytes& b) { std::ranges::fill(b, std::byte{0}); });
    row("cut in the header", [](Bytes& b) { b.resize(20); });
    row("cut in half", [](Bytes& b) { b.resize(b.size() / 2); });
    row("last byte missing", [](Bytes& b) { b.pop_back(); });
    row("not ELF", [](Bytes& b) { b[0] = std::byte{'M'}; });
    row("32 bit", [](Bytes& b) { header(b).e_ident[EI_CLASS] = ELFCLASS32; });
    row("big endian", [](Bytes& b) { header(b).e_ident[EI_DATA] = ELFDATA2MSB; });
    row("another machine", [](Bytes& b) { header(b).e_machine = EM_S390; });
    row("a program", [](Bytes& b) { header(b).e_type = ET_EXEC; });
    row("section table beyond the end", [](Bytes& b) { header(b).e_shoff = ~uint64_t{0} - 7; });
    row("section table of none", [](Bytes& b) { header(b).e_shnum = 0; });
    row("section table too long", [](Bytes& b) { header(b).e_shnum = 60000; });
    row("section names elsewhere", [](Bytes& b) { header(b).e_shstrndx = 60000; });
    row("section beyond the end", [](Bytes& b) { section(b, SHT_PROGBITS).sh_offset = 1 << 30; });
    row("section larger than all", [](Bytes& b) { section(b, SHT_SYMTAB).sh_size = ~uint64_t{0} / 24 * 24; });
    row("alignment of three", [](Bytes& b) { section(b, SHT_PROGBITS).sh_addralign = 3; });
    row("alignment of a gigabyte", [](Bytes& b) { section(b, SHT_PROGBITS).sh_addralign = 1 << 30; });
    row("writable code", [](Bytes& b) { section(b, SHT_PROGBITS).sh_flags |= SHF_WRITE; });
    row("unknown section type", [](Bytes& b) { section(b, SHT_PROGBITS).sh_type = 0x6fff0000; });
    row("symbols of another size", [](Bytes& b) { section(b, SHT_SYMTAB).sh_entsize = 16; });
    row("symbol names elsewhere", [](Bytes& b) { section(b, SHT_SYMTAB).sh_link = 1000; });
    row("no symbol table", [](Bytes& b) { section(b, SHT_SYMTAB).sh_type = SHT_PROGBITS; });
    row("symbol in no section", [](Bytes& b) { symbol(b).st_shndx = 999; });
    row("symbol behind its section", [](Bytes& b) { symbol(b).st_value = 1 << 20; });
    row("symbol without a name", [](Bytes& b) { symbol(b).st_name = 1 << 20; });
    row("symbol of another name", [](Bytes& b) { symbol(b).st_name += 1; });
    row("symbol is data", [](Bytes& b) { symbol(b).st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT); });
    row("symbol is weak and unknown", [](Bytes& b) { symbol(b).st_info = ELF64_ST_INFO(7, STT_FUNC); });
    row("symbol is absolute", [](Bytes& b) { symbol(b).st_shndx = SHN_ABS; });
    row("symbol is only declared", [](Bytes& b) { symbol(b).st_shndx = SHN_UNDEF; });
    row("symbol is hidden", [](Bytes& b) { symbol(b).st_other = STV_HIDDEN; });
    row("unknown relocation",
        [](Bytes& b) { relocation(b).r_info = ELF64_R_INFO(ELF64_R_SYM(relocation(b).r_info), 250); });
    row("absolute relocation", [](Bytes& b) {
      relocation(b).r_info = ELF64_R_INFO(ELF64_R_SYM(relocation(b).r_info), R_X86_64_64);
    });
    row("relocation of no symbol", [](Bytes& b) { relocation(b).r_info = ELF64_R_INFO(0, R_X86_64_PC32); });
    row("relocation of a symbol that is not there",
        [](Bytes& b) { relocation(b).r_info = ELF64_R_INFO(5000, R_X86_64_PC32); });
    row("relocation behind its section",
        [](Bytes& b) { relocation(b).r_offset = section(b, SHT_PROGBITS).sh_size + 4096; });
    row("relocation over the end of its section", [](Bytes& b) {
      const uint64_t info = section(b, SHT_RELA).sh_info;
      relocation(b).r_offset = at<Elf64_Shdr>(b, header(b).e_shoff + info * sizeof(Elf64_Shdr)).sh_size - 3;
    });
    row("relocations of section 0", [](Bytes& b) { section(b, SHT_RELA).sh_info = 0; });
    // Only linking can see this one: the distance does not fit.
    row("relocation out of reach", [](Bytes& b) { relocation(b).r_addend = int64_t{1} << 40; });
  }
  void damagedIsAnErrorOfItsOwn() {
    QFETCH(Damage, damage);
    Bytes bad = m_good;
    damage(bad);
    Linker linker(mathSymbols());
    std::vector<ObjectRef> wanted;
    for (const CompiledObject& one : m_others) wanted.push_back({one.symbol, one.object});
    wanted.insert(wanted.begin() + 50, {"nw_good", bad});
    const auto addresses = linker.link(wanted);
    QVERIFY(!addresses[50].ok());
    QVERIFY(!addresses[50].error().what.empty());
    for (size_t k = 0; k < wanted.size(); ++k) {
      if (k == 50) continue;
      QVERIFY2(addresses[k].ok(), addresses[k].ok() ? "" : addresses[k].error().text().c_str());
      QCOMPARE(reinterpret_cast<PlainFn>(*addresses[k])(nullptr, nullptr, nullptr), int(k < 50 ? k : k - 1));
    }
    QVERIFY(!linker.isLinked("nw_good"));
    // The sound object of that name can still be linked, and works.
    const ObjectRef sound{"nw_good", m_good};
    const auto again = linker.link({&sound, 1});
    QVERIFY2(again[0].ok(), again[0].ok() ? "" : again[0].error().text().c_str());
    verifyWorks(*again[0]);
  }

  void symbolMissingIsAnError() {
    QVERIFY(!checkObject("nw_absent", m_good).ok());
    QVERIFY(checkObject("nw_absent", m_good).error().text().find("nw_absent") != std::string::npos);
    QVERIFY(!checkObject("", m_good).ok());
  }

  void everyLengthIsSurvived() {
    for (size_t length = 0; length < m_good.size(); ++length)
      QVERIFY(!checkObject("nw_good", std::span(m_good).first(length)).ok());
  }

  void randomDamageIsSurvived() {
    // Flipped bits and overwritten words, in tables above all. What passes the check is linked, not run.
    std::mt19937 random(20240817);
    int refused = 0;
    constexpr int kTimes = 10000, kBatch = 50;
    for (int done = 0; done < kTimes; done += kBatch) {
      Linker linker(mathSymbols());
      std::vector<Bytes> damaged(kBatch, m_good);
      for (Bytes& bytes : damaged) {
        const size_t changes = 1 + random() % 4;
        for (size_t k = 0; k < changes; ++k) {
          const size_t where = random() % bytes.size();
          if (random() % 2)
            bytes[where] ^= std::byte(1U << (random() % 8));
          else
            bytes[where] = std::byte(random() % 3 == 0 ? 0xff : random());
        }
        if (random() % 20 == 0) bytes.resize(random() % bytes.size());
        const ObjectRef wanted{"nw_good", bytes};
        Linker* target = &linker;
        Linker own(mathSymbols());
        if (linker.isLinked("nw_good")) target = &own;
        refused += target->link({&wanted, 1})[0].ok() ? 0 : 1;
      }
    }
    QVERIFY(refused > kTimes / 4);
  }

private:
  static void verifyWorks(void* address) {
    const double x[] = {0, 1}, y[] = {0, 0};
    double out[2] = {};
    const void* in[] = {x, y};
    void* outs[] = {out};
    const int64_t n = 2;
    QCOMPARE(reinterpret_cast<LoopFn>(address)(in, outs, &n), 0);
    QCOMPARE(out[0], 2.5);
    QCOMPARE(out[1], 2.5 * 2.718281828459045);
  }

  Bytes m_good;
  std::vector<CompiledObject> m_others;
};

QTEST_APPLESS_MAIN(TestDamagedObjects)
#include "tst_damaged_objects.moc"
