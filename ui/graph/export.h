// What is seen of a graph, as a file.
#pragma once

#include "base/result.h"
#include "ui/graph/scene_painter.h"

#include <QStringList>

namespace nodewise::ui {

/// File name endings that exportScene() knows, without a dot.
QStringList exportFormats();

/// Writes the whole scene, in the format that the name ends with: svg, pdf, png (twice the size at zoom 1, at
/// most 16,000 pixels a side) or dot (boxes and edges for Graphviz, with their colours). `input.view` does
/// not count. Errors: an unknown ending, a file that cannot be written.
Result<void> exportScene(const PaintInput& input, const QString& path);

/// Graphviz text of the scene.
QByteArray sceneDot(const PaintInput& input);

} // namespace nodewise::ui
