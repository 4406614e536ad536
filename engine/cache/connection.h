// SQLite, wrapped once: every call gives a Result, no exception and no raw code leaves this file.
#pragma once

#include "base/result.h"
#include "cache/key.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>

struct sqlite3;
struct sqlite3_stmt;

namespace nodewise {

/// What kind of trouble the last failing call met.
enum class Fault : uint8_t { None, Busy, Full, Damaged, ReadOnly, Moved, CannotOpen, Cancelled, Other };

class Connection;

using Bytes = std::span<const std::byte>;

/// A prepared statement while it is used; reset and given back to the connection at the end. What is bound is
/// not copied and must outlive the stepping.
class Query {
public:
  Query(Query&& other) noexcept;
  Query& operator=(Query&&) = delete;
  ~Query();

  /// Binds parameters from the first on.
  template <class... Values> Query& bind(const Values&... values) {
    int index = 0;
    (bindOne(++index, values), ...);
    return *this;
  }
  void bindOne(int index, int64_t value);
  void bindOne(int index, int value) { bindOne(index, int64_t{value}); }
  void bindOne(int index, double value);
  void bindOne(int index, bool value) { bindOne(index, int64_t{value}); }
  void bindOne(int index, std::string_view text);
  void bindOne(int index, const char* text) { bindOne(index, std::string_view(text)); }
  void bindOne(int index, const std::string& text) { bindOne(index, std::string_view(text)); }
  void bindOne(int index, Bytes blob);
  void bindOne(int index, const Hash& hash) { bindOne(index, std::as_bytes(std::span(hash.bytes))); }
  void bindOne(int index, std::nullptr_t);
  template <class T> void bindOne(int index, const std::optional<T>& value) {
    if (value)
      bindOne(index, *value);
    else
      bindOne(index, nullptr);
  }

  /// True: there is a row. False: done.
  Result<bool> step();
  /// Steps to the end; for statements that give no rows.
  Result<void> run();
  /// Ready for other values.
  void reset();

  // Columns of the present row. None where the value has another type: a damaged file can hold anything.
  std::optional<int64_t> integer(int column) const;
  std::optional<double> real(int column) const;
  std::optional<std::string_view> text(int column) const; ///< valid until the next step
  std::optional<Bytes> blob(int column) const;            ///< valid until the next step
  std::optional<Hash> hash(int column) const;             ///< a blob of 32 bytes
  bool isNull(int column) const;
  // With a stand-in, where a wrong value does no harm.
  int64_t integerOr(int column, int64_t standIn = 0) const { return integer(column).value_or(standIn); }
  std::string textOr(int column, std::string_view standIn = {}) const {
    return std::string(text(column).value_or(standIn));
  }

private:
  friend class Connection;
  struct Slot {
    sqlite3_stmt* statement = nullptr;
    bool inUse = false;
  };
  Query(Connection& connection, Slot* slot, sqlite3_stmt* owned);

  Connection* m_connection;
  Slot* m_slot;         ///< of the connection's cache, or
  sqlite3_stmt* m_stmt; ///< owned if there is no slot
  int m_bindCode = 0;
};

enum class OpenMode : uint8_t { ReadWrite, ReadOnly, Immutable };

class Connection {
public:
  /// The file must exist (or be ":memory:"). The busy timeout is set before anything else is done.
  static Result<std::unique_ptr<Connection>> open(const std::string& file, OpenMode mode, int64_t busyMs);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Prepared once for each text, and kept.
  Result<Query> prepare(std::string_view sql);
  /// For texts made at run time (filters), which are not worth keeping.
  Result<Query> prepareOnce(std::string_view sql);
  /// One or more statements without parameters or rows.
  Result<void> execute(const std::string& sql);
  /// The first column of the first row, which must be an integer.
  Result<int64_t> queryInteger(std::string_view sql);

  /// Of the last call that failed; None after open().
  Fault fault() const { return m_fault; }
  void clearFault() { m_fault = Fault::None; }
  const std::string& file() const { return m_file; }
  bool isReadOnly() const;
  bool inTransaction() const;
  int64_t changes() const;
  int64_t lastRowId() const;
  /// Whether the log stays on disk when the last connection closes, or the log is given up.
  void keepLog(bool keep);
  /// Statements stop with Fault::Cancelled once this is requested.
  void setStop(std::stop_token stop);
  sqlite3* handle() const { return m_db; }

private:
  friend class Query;
  Connection(sqlite3* db, std::string file);
  /// The present failure as an Error in words; also sets fault().
  Error failure(int code);

  sqlite3* m_db;
  std::string m_file;
  Fault m_fault = Fault::None;
  std::stop_token m_stop;
  std::unordered_map<std::string, Query::Slot> m_statements;
};

enum class TransactionKind : uint8_t { Read, Write };

/// Rolls back unless commit() was called. A write takes the write lock at once (BEGIN IMMEDIATE), so that a
/// transaction never has to give up half-way because another process wrote in between.
class Transaction {
public:
  static Result<Transaction> begin(Connection& connection, TransactionKind kind);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Result<void> commit();

private:
  explicit Transaction(Connection& connection) : m_connection(&connection) {}
  Connection* m_connection; ///< null: ended
};

} // namespace nodewise
