// float16 in memory: graph files need it too, so it lives in base/.
#pragma once

#include "base/half.h"
