#include "base/result.h"

namespace nodewise {

std::string Error::text() const {
  std::string out = where.empty() ? what : where + ": " + what;
  if (!remedy.empty()) out += " (" + remedy + ")";
  return out;
}

Error within(const std::string& prefix, Error error) {
  error.where = error.where.empty() ? prefix : prefix + ": " + error.where;
  return error;
}

} // namespace nodewise
