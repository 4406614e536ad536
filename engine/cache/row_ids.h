// Numbers of rows, where damage has used them up.
#pragma once

#include "cache/connection.h"

namespace nodewise {

/// A row whose number is near the largest leaves none for rows to come: SQLite then says that the database is
/// full. Removes such rows, which no writer of ours can have made, and lets numbers go on from the others.
/// True: there were some, and writing is worth another try.
Result<bool> freeRowIds(Connection& connection);

} // namespace nodewise
