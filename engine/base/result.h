// Expected failures as values: Result<T> holds a T or an Error that says where, what and what to do.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace nodewise {

/// Why something could not be done, in words for a person.
struct Error {
  std::string what;   ///< what is wrong, and what was expected
  std::string where;  ///< file, JSON path, node or table row; may be empty
  std::string remedy; ///< what to do about it; may be empty
  std::string type;   ///< for errors of a running graph: the Python class ("ValueError"); else empty

  /// "where: what (remedy)"; parts that are empty are left out.
  std::string text() const;
};

/// The same error, with `prefix` put before its `where` ("file.json" + ": " + "$.graph").
Error within(const std::string& prefix, Error error);

/// A value or the reason why there is none. Must be looked at.
template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return m_state.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return *std::get_if<0>(&m_state); }
  const T& value() const& { return *std::get_if<0>(&m_state); }
  T&& value() && { return std::move(*std::get_if<0>(&m_state)); }
  const Error& error() const { return *std::get_if<1>(&m_state); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return std::get_if<0>(&m_state); }
  const T* operator->() const { return std::get_if<0>(&m_state); }

private:
  std::variant<T, Error> m_state;
};

/// Success, or an error.
template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : m_error(std::move(error)) {}
  bool ok() const { return !m_error; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *m_error; }

private:
  std::optional<Error> m_error;
};

} // namespace nodewise

#define NW_CONCAT_(a, b) a##b
#define NW_CONCAT(a, b) NW_CONCAT_(a, b)
/// NW_TRY(auto x, expr): x is the value of expr, or the function returns its error.
#define NW_TRY(decl, expr)                                                                                   \
  auto NW_CONCAT(nwTry_, __LINE__) = (expr);                                                                 \
  if (!NW_CONCAT(nwTry_, __LINE__).ok()) return NW_CONCAT(nwTry_, __LINE__).error();                         \
  decl = std::move(NW_CONCAT(nwTry_, __LINE__)).value()
/// NW_CHECK(expr): the function returns the error of expr, if it has one.
#define NW_CHECK(expr)                                                                                       \
  do {                                                                                                       \
    auto nwCheck = (expr);                                                                                   \
    if (!nwCheck.ok()) return nwCheck.error();                                                               \
  } while (false)
