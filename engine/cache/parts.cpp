#include "cache/parts.h"

#include "cache/seal.h"

namespace nodewise {

Result<std::vector<KeyPart>> readNodeParts(Connection& connection, int64_t entryId) {
  NW_TRY(Query query, connection.prepare("SELECT name, value FROM entry_part JOIN part ON part.id = part_id "
                                         "WHERE entry_id = ? ORDER BY position"));
  query.bind(entryId);
  std::vector<KeyPart> parts;
  for (;;) {
    NW_TRY(const bool row, query.step());
    if (!row) return parts;
    parts.push_back({query.textOr(0), query.textOr(1)});
  }
}

Result<void> writeNodeParts(Connection& connection, std::string_view op, std::span<const KeyPart> parts,
                            int64_t entryId) {
  for (size_t position = 0; position < parts.size(); ++position) {
    const Seal hash = partHash(op, parts[position]);
    int64_t partId = 0;
    {
      NW_TRY(Query find, connection.prepare("SELECT id FROM part WHERE hash = ?"));
      NW_TRY(const bool known, find.bind(asBytes(hash)).step());
      if (known) partId = find.integerOr(0);
    }
    if (partId == 0) {
      NW_TRY(Query add, connection.prepare("INSERT INTO part (hash, name, value) VALUES (?, ?, ?)"));
      NW_CHECK(add.bind(asBytes(hash), parts[position].name, parts[position].value).run());
      partId = connection.lastRowId();
    }
    NW_TRY(Query link, connection.prepare("INSERT OR REPLACE INTO entry_part VALUES (?, ?, ?)"));
    NW_CHECK(link.bind(entryId, static_cast<int64_t>(position), partId).run());
  }
  return {};
}

} // namespace nodewise
