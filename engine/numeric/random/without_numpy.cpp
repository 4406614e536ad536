#include "numeric/random/samplers.h"

namespace nodewise {

const Samplers* numpySamplers() { return nullptr; }

} // namespace nodewise
