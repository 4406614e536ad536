#include "jit/object_check.h"

#include "jit/linker.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace nodewise {

namespace {

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
#else
constexpr uint16_t kMachine = EM_NONE;
#endif

/// A relocation that position independent code may have, and how many bytes it writes.
struct RelocationKind {
  uint32_t type;
  uint32_t width;
};
/// Of x86-64. None of them writes an absolute address.
constexpr std::array kRelocations{
    RelocationKind{R_X86_64_PC32, 4},          RelocationKind{R_X86_64_PLT32, 4},
    RelocationKind{R_X86_64_GOTPCREL, 4},      RelocationKind{R_X86_64_GOTPCRELX, 4},
    RelocationKind{R_X86_64_REX_GOTPCRELX, 4}, RelocationKind{R_X86_64_PC64, 8},
};

Error damaged(std::string what) {
  return {
      .what = "the object file is damaged: " + what, .where = {}, .remedy = "compile it again", .type = {}};
}

/// Reads the tables of one file. Every read is checked.
class Reader {
public:
  explicit Reader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

  Result<UndefinedNames> inspect(std::string_view symbol) {
    NW_CHECK(readHeader());
    NW_CHECK(readSections());
    for (const Elf64_Shdr& section : m_sections)
      if (section.sh_type == SHT_RELA) NW_CHECK(checkRelocations(section));
    return findSymbols(symbol);
  }

private:
  /// Copies, as the file's parts need not be aligned.
  template <class T> std::optional<T> read(uint64_t offset) const {
    if (offset > m_bytes.size() || m_bytes.size() - offset < sizeof(T)) return {};
    T value;
    std::memcpy(&value, m_bytes.data() + offset, sizeof(T));
    return value;
  }

  bool inFile(const Elf64_Shdr& s) const {
    return s.sh_offset <= m_bytes.size() && s.sh_size <= m_bytes.size() - s.sh_offset;
  }

  Result<void> readHeader() {
    const auto header = read<Elf64_Ehdr>(0);
    if (!header) return damaged(fmt::format("{} bytes, less than a header", m_bytes.size()));
    if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
      return damaged("it does not begin as an ELF file");
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_ident[EI_VERSION] != EV_CURRENT || header->e_type != ET_REL ||
        header->e_version != EV_CURRENT)
      return damaged("it is not a 64-bit object file");
    if (header->e_machine != kMachine)
      return damaged(fmt::format("it is for another kind of machine (ELF number {})", header->e_machine));
    if (header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shnum == 0 ||
        header->e_shstrndx >= header->e_shnum || header->e_shoff % 8 != 0 || header->e_phnum != 0)
      return damaged("the section table's header is wrong");
    m_header = *header;
    return {};
  }

  Result<void> readSections() {
    for (uint64_t k = 0; k < m_header.e_shnum; ++k) {
      const auto section = read<Elf64_Shdr>(m_header.e_shoff + k * sizeof(Elf64_Shdr));
      if (!section) return damaged(fmt::format("the table of {} sections is cut off", m_header.e_shnum));
      m_sections.push_back(*section);
    }
    if (m_sections[0].sh_type != SHT_NULL) return damaged("section 0 is not empty");
    for (size_t k = 1; k < m_sections.size(); ++k) NW_CHECK(checkSection(k));
    if (m_sections[m_header.e_shstrndx].sh_type != SHT_STRTAB) return damaged("section names are missing");
    for (const Elf64_Shdr& section : m_sections)
      if (!nameAt(m_header.e_shstrndx, section.sh_name))
        return damaged("a section's name is outside its table");
    if (!m_symbolTable) return damaged("it has no symbols");
    return readSymbols();
  }

  Result<void> checkSection(size_t k) {
    const Elf64_Shdr& s = m_sections[k];
    const auto wrong = [&](std::string_view what) { return damaged(fmt::format("section {} {}", k, what)); };
    if (s.sh_type != SHT_NOBITS && !inFile(s)) return wrong("reaches beyond the end");
    if (s.sh_addralign > 4096 || (s.sh_addralign & (s.sh_addralign - 1)) != 0)
      return wrong("has a wrong alignment");
    if (s.sh_addr != 0) return wrong("has an address");
    constexpr uint64_t kFlags =
        SHF_WRITE | SHF_ALLOC | SHF_EXECINSTR | SHF_MERGE | SHF_STRINGS | SHF_INFO_LINK | SHF_EXCLUDE;
    if (s.sh_flags & ~kFlags) return wrong("has unknown flags");
    if ((s.sh_flags & SHF_WRITE) && s.sh_size > 0) return wrong("is data that can be written to");
    switch (s.sh_type) {
    case SHT_PROGBITS:
      return {};
    case SHT_NOBITS:
      return s.sh_size > 0 ? Result<void>(wrong("is uninitialised data")) : Result<void>();
    case SHT_STRTAB:
      // Names are read up to their zero byte.
      if (s.sh_size == 0 || m_bytes[s.sh_offset + s.sh_size - 1] != std::byte{0})
        return wrong("has an open end");
      if (s.sh_flags & SHF_ALLOC) return wrong("has unknown flags");
      return {};
    case SHT_SYMTAB:
      if (m_symbolTable) return wrong("is a second symbol table");
      if (s.sh_entsize != sizeof(Elf64_Sym) || s.sh_size % sizeof(Elf64_Sym) != 0 || s.sh_offset % 8 != 0 ||
          s.sh_size == 0 || s.sh_link >= m_sections.size() || m_sections[s.sh_link].sh_type != SHT_STRTAB ||
          s.sh_info > s.sh_size / sizeof(Elf64_Sym))
        return wrong("is a damaged symbol table");
      m_symbolTable = k;
      return {};
    case SHT_RELA:
      if (s.sh_entsize != sizeof(Elf64_Rela) || s.sh_size % sizeof(Elf64_Rela) != 0 || s.sh_offset % 8 != 0 ||
          s.sh_info == 0 || s.sh_info >= m_sections.size() || m_sections[s.sh_info].sh_type != SHT_PROGBITS ||
          !(m_sections[s.sh_info].sh_flags & SHF_ALLOC) || s.sh_link >= m_sections.size() ||
          m_sections[s.sh_link].sh_type != SHT_SYMTAB || (s.sh_flags & SHF_ALLOC))
        return wrong("is a damaged relocation table");
      return {};
    default:
      return wrong(fmt::format("has the unknown type {:#x}", s.sh_type));
    }
  }

  std::optional<std::string_view> nameAt(size_t table, uint64_t offset) const {
    const Elf64_Shdr& strings = m_sections[table];
    if (offset >= strings.sh_size) return {};
    return reinterpret_cast<const char*>(m_bytes.data() + strings.sh_offset + offset);
  }

  Result<void> readSymbols() {
    const Elf64_Shdr& table = m_sections[m_symbolTable];
    for (uint64_t k = 0; k < table.sh_size / sizeof(Elf64_Sym); ++k) {
      const auto symbol = read<Elf64_Sym>(table.sh_offset + k * sizeof(Elf64_Sym));
      const auto wrong = [&](std::string_view what) { return damaged(fmt::format("symbol {} {}", k, what)); };
      if (!symbol || !nameAt(table.sh_link, symbol->st_name)) return wrong("has no name");
      if (ELF64_ST_TYPE(symbol->st_info) > STT_FILE) return wrong("is of an unknown type");
      if (ELF64_ST_BIND(symbol->st_info) > STB_GLOBAL) return wrong("has an unknown binding");
      if ((ELF64_ST_BIND(symbol->st_info) == STB_LOCAL) != (k < table.sh_info))
        return wrong("is out of order");
      if (symbol->st_shndx == SHN_ABS) {
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FILE) return wrong("is an absolute address");
      } else if (symbol->st_shndx != SHN_UNDEF) {
        if (symbol->st_shndx >= m_sections.size()) return wrong("is in no section");
        const uint64_t size = m_sections[symbol->st_shndx].sh_size;
        if (symbol->st_value > size || symbol->st_size > size - symbol->st_value)
          return wrong("reaches beyond its section");
      }
      m_symbols.push_back(*symbol);
    }
    return {};
  }

  Result<void> checkRelocations(const Elf64_Shdr& table) const {
    const uint64_t targetSize = m_sections[table.sh_info].sh_size;
    for (uint64_t k = 0; k < table.sh_size / sizeof(Elf64_Rela); ++k) {
      const auto entry = read<Elf64_Rela>(table.sh_offset + k * sizeof(Elf64_Rela));
      if (!entry) return damaged("relocations are cut off");
      const uint64_t type = ELF64_R_TYPE(entry->r_info);
      uint32_t width = 0;
      if constexpr (kMachine == EM_X86_64) {
        const auto* kind = std::ranges::find(kRelocations, type, &RelocationKind::type);
        if (kind == kRelocations.end())
          return damaged(fmt::format("relocation of the unknown type {}", type));
        width = kind->width;
      }
      if (entry->r_offset > targetSize || targetSize - entry->r_offset < width)
        return damaged("a relocation is outside its section");
      const uint64_t index = ELF64_R_SYM(entry->r_info);
      if (index == 0 || index >= m_symbols.size()) return damaged("a relocation names no symbol");
      const Elf64_Sym& symbol = m_symbols[index];
      const bool defined = symbol.st_shndx != SHN_UNDEF;
      if (defined && (symbol.st_shndx == SHN_ABS || !(m_sections[symbol.st_shndx].sh_flags & SHF_ALLOC)))
        return damaged("a relocation names a symbol that is not loaded");
    }
    return {};
  }

  Result<UndefinedNames> findSymbols(std::string_view wanted) const {
    UndefinedNames undefined;
    bool found = false;
    const size_t names = m_sections[m_symbolTable].sh_link;
    for (size_t k = 1; k < m_symbols.size(); ++k) {
      const Elf64_Sym& symbol = m_symbols[k];
      if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) {
        if (symbol.st_shndx == SHN_UNDEF) return damaged("a local symbol is undefined");
        continue;
      }
      const std::string_view name = *nameAt(names, symbol.st_name);
      if (symbol.st_shndx == SHN_UNDEF) {
        undefined.push_back(name);
      } else if (name != wanted) {
        return damaged(fmt::format("it defines \"{}\", expected only \"{}\"", name, wanted));
      } else {
        const Elf64_Shdr& section = m_sections[symbol.st_shndx];
        if (found) return damaged(fmt::format("it defines \"{}\" twice", name));
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
            ELF64_ST_VISIBILITY(symbol.st_other) != STV_DEFAULT ||
            (section.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) != (SHF_ALLOC | SHF_EXECINSTR) ||
            symbol.st_value >= section.sh_size)
          return damaged(fmt::format("\"{}\" is not a function", name));
        found = true;
      }
    }
    if (!found) return damaged(fmt::format("it does not define \"{}\"", wanted));
    return undefined;
  }

  std::span<const std::byte> m_bytes;
  Elf64_Ehdr m_header{};
  std::vector<Elf64_Shdr> m_sections;
  std::vector<Elf64_Sym> m_symbols;
  size_t m_symbolTable = 0;
};

} // namespace

Result<UndefinedNames> inspectObject(std::string_view symbol, std::span<const std::byte> bytes) {
  if (symbol.empty()) return damaged("no function is asked of it");
  return Reader(bytes).inspect(symbol);
}

Result<void> checkObject(std::string_view symbol, std::span<const std::byte> bytes) {
  NW_CHECK(inspectObject(symbol, bytes));
  return {};
}

} // namespace nodewise
