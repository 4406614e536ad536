// What a failed step says.
#include "ops/control.h"
#include "runtime/array_memory.h"
#include "runtime/machine.h"

#include <fmt/format.h>

namespace nodewise {

void Machine::fail(const Step& s, int32_t code) {
  struct CodeRow {
    KernelError code;
    const char *type, *message;
  };
  static constexpr CodeRow rows[] = {
      {KernelError::NegativeIntegerPower, "ValueError",
       "integers to negative integer powers have no integer value"},
      {KernelError::NegativeRadius, "ValueError", "the radius of a complex number in polar form is negative"},
  };
  std::string type = std::move(m_context.errorType), message = std::move(m_context.errorMessage);
  m_context.errorType.clear();
  m_context.errorMessage.clear();
  for (const CodeRow& row : rows)
    if (type.empty() && code == static_cast<int32_t>(row.code)) {
      type = row.type;
      message = row.message;
    }
  const Node& node = m_plan.graph->nodes[static_cast<size_t>(s.node)];
  std::vector<std::string> shapes;
  for (size_t k = 0; k < s.in.size(); ++k) {
    const Array& in = *s.in[k];
    shapes.push_back(holdsMemory(in.kind) && in.kind != Kind::Rng
                         ? fmt::format("{}[{}]", dtypeRow(in.dtype).shortName,
                                       fmt::join(std::span(in.shape, static_cast<size_t>(in.rank)), ","))
                         : std::string(kindName(in.kind)));
  }
  const std::string name = node.name.empty() ? node.op : fmt::format("{} \"{}\"", node.op, node.name);
  m_error = {fmt::format("{}: {}", type, message),
             fmt::format("{} {}({})", s.planned->path, name, fmt::join(shapes, ", ")),
             {},
             type};
  if (s.control && s.control->inner() && !s.control->inner()->error().what.empty() &&
      s.control->inner()->error().type == type) {
    // The inner node is where it happened; the outer one only ran it.
    m_error = s.control->inner()->error();
  }
}

} // namespace nodewise
