#include "graph/json_path.h"

#include <vector>

namespace nodewise {

std::string JsonPath::text() const {
  std::vector<const JsonPath*> steps; // from here to the root
  for (const JsonPath* step = this; step != nullptr; step = step->m_parent) steps.push_back(step);
  std::string out(steps.back()->m_key);
  for (size_t i = steps.size() - 1; i-- > 0;) {
    if (steps[i]->m_key.empty())
      out.append("[").append(std::to_string(steps[i]->m_index)).append("]");
    else
      out.append(".").append(steps[i]->m_key);
  }
  return out;
}

} // namespace nodewise
