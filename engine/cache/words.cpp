#include "cache/words.h"

#include <chrono>
#include <fmt/format.h>

namespace nodewise {

std::string shortened(std::string_view value, size_t length) {
  std::string text(value);
  if (value.size() > length) {
    const auto inCharacter = [&](size_t at) {
      return (static_cast<unsigned char>(value[at]) & 0xc0) == 0x80;
    };
    size_t head = (length - 3) / 2, tail = value.size() - head;
    while (head > 0 && inCharacter(head)) --head;
    while (tail < value.size() && inCharacter(tail)) ++tail;
    text = fmt::format("{}...{}", value.substr(0, head), value.substr(tail));
  }
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

std::string nodeTitle(std::string_view op, std::string_view detail) {
  return detail.empty() ? std::string(op) : fmt::format("{} · {}", op, detail);
}

int64_t nowUnix() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace nodewise
