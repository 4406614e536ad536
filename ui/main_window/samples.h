// The sample graphs that come with the program.
#pragma once

#include <QString>

#include <vector>

namespace nodewise::ui {

struct Sample {
  QString title, path; ///< "hierarchical normal"
};

/// Graph files of a directory, by name. An empty directory: where they are installed, else where they were
/// built.
std::vector<Sample> findSamples(const QString& directory);

} // namespace nodewise::ui
