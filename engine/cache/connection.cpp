#include "cache/connection.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>

namespace nodewise {

namespace {

Fault faultOf(int extendedCode, int systemError) {
  switch (extendedCode) {
  case SQLITE_IOERR_SHORT_READ:
  case SQLITE_IOERR_CORRUPTFS:
    return Fault::Damaged;
  case SQLITE_IOERR_SHMSIZE: // the log's index could not grow, which nothing but a lack of room prevents
    return Fault::Full;
  case SQLITE_READONLY_DBMOVED:
    return Fault::Moved;
  default:
    break;
  }
  switch (extendedCode & 0xff) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return Fault::Busy;
  case SQLITE_FULL:
    return Fault::Full;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    return Fault::Damaged;
  case SQLITE_READONLY:
  case SQLITE_PERM:
    return Fault::ReadOnly;
  case SQLITE_CANTOPEN:
    return Fault::CannotOpen;
  case SQLITE_INTERRUPT:
    return Fault::Cancelled;
  case SQLITE_IOERR:
    // A file size limit or a quota is a full disk to whoever meets it.
    return systemError == ENOSPC || systemError == EFBIG || systemError == EDQUOT ? Fault::Full
                                                                                  : Fault::Other;
  default:
    return Fault::Other;
  }
}

/// What the system said last about the database file or its log. (What sqlite3_system_errno() gives is the
/// errno of whatever SQLite did last, a rollback say.)
int systemErrorOf(sqlite3* db) {
  int code = 0;
  sqlite3_file* file = nullptr;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK && file &&
      file->pMethods) {
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &code);
    if (code != 0) return code;
  }
  sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &code);
  return code;
}

struct FaultRow {
  Fault fault;
  const char* what; ///< null: SQLite's words
  const char* remedy;
};

constexpr FaultRow kFaults[] = {
    {Fault::None, nullptr, ""},
    {Fault::Busy, "the cache is locked by another process", "try again, or end the process that holds it"},
    {Fault::Full, "disk full", "free some space, or name a file on another disk with --cache FILE"},
    {Fault::Damaged, "the cache file is damaged", "`nodewise cache doctor --repair` saves what can be read"},
    {Fault::ReadOnly, "the cache may not be written", "give yourself write permission, or use --cache FILE"},
    {Fault::Moved, "the cache file was moved or deleted while open", "try again"},
    {Fault::CannotOpen, "the cache file cannot be opened",
     "check its path and permissions, or use --cache FILE"},
    {Fault::Cancelled, "cancelled", ""},
    {Fault::Other, nullptr, "`nodewise cache doctor` checks the file"},
};

int stopRequested(void* stop) { return static_cast<std::stop_token*>(stop)->stop_requested() ? 1 : 0; }

} // namespace

Query::Query(Connection& connection, Slot* slot, sqlite3_stmt* owned)
    : m_connection(&connection), m_slot(slot), m_stmt(owned) {}

Query::Query(Query&& other) noexcept
    : m_connection(other.m_connection), m_slot(std::exchange(other.m_slot, nullptr)),
      m_stmt(std::exchange(other.m_stmt, nullptr)), m_bindCode(other.m_bindCode) {}

Query::~Query() {
  if (!m_stmt) return;
  if (!m_slot) {
    sqlite3_finalize(m_stmt);
    return;
  }
  reset();
  m_slot->inUse = false;
}

void Query::bindOne(int index, int64_t value) {
  if (const int code = sqlite3_bind_int64(m_stmt, index, value)) m_bindCode = code;
}

void Query::bindOne(int index, double value) {
  if (const int code = sqlite3_bind_double(m_stmt, index, value)) m_bindCode = code;
}

void Query::bindOne(int index, std::string_view text) {
  const char* data = text.data() ? text.data() : "";
  if (const int code = sqlite3_bind_text64(m_stmt, index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8)) {
    m_bindCode = code;
  }
}

void Query::bindOne(int index, Bytes blob) {
  const void* data = blob.data() ? static_cast<const void*>(blob.data()) : "";
  if (const int code = sqlite3_bind_blob64(m_stmt, index, data, blob.size(), SQLITE_STATIC))
    m_bindCode = code;
}

void Query::bindOne(int index, std::nullptr_t) {
  if (const int code = sqlite3_bind_null(m_stmt, index)) m_bindCode = code;
}

Result<bool> Query::step() {
  if (m_bindCode) return m_connection->failure(m_bindCode);
  const int code = sqlite3_step(m_stmt);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return m_connection->failure(code);
}

Result<void> Query::run() {
  for (;;) {
    NW_TRY(const bool row, step());
    if (!row) return {};
  }
}

void Query::reset() {
  sqlite3_reset(m_stmt);
  sqlite3_clear_bindings(m_stmt);
  m_bindCode = 0;
}

std::optional<int64_t> Query::integer(int column) const {
  if (sqlite3_column_type(m_stmt, column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(m_stmt, column);
}

std::optional<double> Query::real(int column) const {
  if (sqlite3_column_type(m_stmt, column) != SQLITE_FLOAT) return std::nullopt;
  return sqlite3_column_double(m_stmt, column);
}

std::optional<std::string_view> Query::text(int column) const {
  if (sqlite3_column_type(m_stmt, column) != SQLITE_TEXT) return std::nullopt;
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(m_stmt, column));
  if (!data) return std::nullopt;
  return std::string_view(data, static_cast<size_t>(sqlite3_column_bytes(m_stmt, column)));
}

std::optional<Bytes> Query::blob(int column) const {
  if (sqlite3_column_type(m_stmt, column) != SQLITE_BLOB) return std::nullopt;
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(m_stmt, column));
  const auto size = static_cast<size_t>(sqlite3_column_bytes(m_stmt, column));
  if (!data && size > 0) return std::nullopt;
  return Bytes(data, size);
}

std::optional<Hash> Query::hash(int column) const {
  const std::optional<Bytes> bytes = blob(column);
  Hash hash;
  if (!bytes || bytes->size() != hash.bytes.size()) return std::nullopt;
  std::memcpy(hash.bytes.data(), bytes->data(), hash.bytes.size());
  return hash;
}

bool Query::isNull(int column) const { return sqlite3_column_type(m_stmt, column) == SQLITE_NULL; }

Connection::Connection(sqlite3* db, std::string file) : m_db(db), m_file(std::move(file)) {}

Connection::~Connection() {
  for (auto& [sql, slot] : m_statements) sqlite3_finalize(slot.statement);
  sqlite3_close_v2(m_db);
}

Result<std::unique_ptr<Connection>> Connection::open(const std::string& file, OpenMode mode, int64_t busyMs) {
  std::string name = file;
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= mode == OpenMode::ReadWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  if (mode == OpenMode::Immutable) {
    flags |= SQLITE_OPEN_URI;
    name = "file:";
    for (const char c : file) { // what a URI would read as its own marks
      if (c == '?')
        name += "%3f";
      else if (c == '#')
        name += "%23";
      else if (c == '%')
        name += "%25";
      else
        name += c;
    }
    name += "?immutable=1";
  }
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &db, flags, nullptr);
  if (!db) return Error{"out of memory", file, "", ""};
  std::unique_ptr<Connection> connection(new Connection(db, file));
  if (code != SQLITE_OK) return connection->failure(code);
  sqlite3_busy_timeout(db, static_cast<int>(busyMs));
  // Nothing in a file that others may have written can call functions or change settings behind our back.
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  return connection;
}

Result<Query> Connection::prepare(std::string_view sql) {
  auto [found, isNew] = m_statements.try_emplace(std::string(sql));
  Query::Slot& slot = found->second;
  if (slot.statement && !slot.inUse) {
    slot.inUse = true;
    return Query(*this, &slot, slot.statement);
  }
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(m_db, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) {
    if (isNew) m_statements.erase(found);
    return failure(code);
  }
  if (slot.inUse) return Query(*this, nullptr, statement); // the same query within itself
  slot = {statement, true};
  return Query(*this, &slot, statement);
}

Result<Query> Connection::prepareOnce(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(m_db, sql.data(), static_cast<int>(sql.size()), 0, &statement, nullptr);
  if (code != SQLITE_OK) return failure(code);
  return Query(*this, nullptr, statement);
}

Result<void> Connection::execute(const std::string& sql) {
  const int code = sqlite3_exec(m_db, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure(code);
  return {};
}

Result<int64_t> Connection::queryInteger(std::string_view sql) {
  NW_TRY(Query query, prepare(sql));
  NW_TRY(const bool row, query.step());
  const std::optional<int64_t> value = row ? query.integer(0) : std::nullopt;
  if (!value) {
    m_fault = Fault::Damaged;
    return Error{"the cache file is damaged: a number is missing", m_file, "", ""};
  }
  return *value;
}

bool Connection::isReadOnly() const { return sqlite3_db_readonly(m_db, "main") == 1; }
bool Connection::inTransaction() const { return sqlite3_get_autocommit(m_db) == 0; }
int64_t Connection::changes() const { return sqlite3_changes64(m_db); }
int64_t Connection::lastRowId() const { return sqlite3_last_insert_rowid(m_db); }

void Connection::keepLog(bool keep) {
  int persist = keep ? 1 : 0;
  sqlite3_file_control(m_db, "main", SQLITE_FCNTL_PERSIST_WAL, &persist);
}

void Connection::setStop(std::stop_token stop) {
  m_stop = std::move(stop);
  // Every 4,000 instructions of SQLite's machine is every 0.1 ms or so.
  sqlite3_progress_handler(m_db, m_stop.stop_possible() ? 4000 : 0, stopRequested, &m_stop);
}

Error Connection::failure(int code) {
  const int extended = sqlite3_extended_errcode(m_db) == SQLITE_OK ? code : sqlite3_extended_errcode(m_db);
  m_fault = faultOf(extended, (extended & 0xff) == SQLITE_IOERR ? systemErrorOf(m_db) : 0);
  const FaultRow& row = kFaults[static_cast<size_t>(m_fault)];
  return Error{row.what ? row.what : sqlite3_errmsg(m_db), m_file, row.remedy, ""};
}

Result<Transaction> Transaction::begin(Connection& connection, TransactionKind kind) {
  NW_TRY(Query query, connection.prepare(kind == TransactionKind::Write ? "BEGIN IMMEDIATE" : "BEGIN"));
  NW_CHECK(query.run());
  return Transaction(connection);
}

Transaction::Transaction(Transaction&& other) noexcept
    : m_connection(std::exchange(other.m_connection, nullptr)) {}

Transaction::~Transaction() {
  if (!m_connection || !m_connection->inTransaction()) return; // SQLite rolled back by itself
  sqlite3_exec(m_connection->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Result<void> Transaction::commit() {
  NW_TRY(Query query, m_connection->prepare("COMMIT"));
  NW_CHECK(query.run());
  m_connection = nullptr;
  return {};
}

} // namespace nodewise
