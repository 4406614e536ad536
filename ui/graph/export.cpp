#include "ui/graph/export.h"

#include "ui/graph/box_painter.h"

#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <array>
#include <cmath>

namespace nodewise::ui {
namespace {

constexpr double kMargin = 16;

/// Painted at zoom 1 and scaled by the device, so that text keeps its size against the boxes.
PaintInput whole(const PaintInput& input, double scale) {
  PaintInput all = input;
  all.view.scale = scale;
  all.view.offset = (QPointF(kMargin, kMargin) - input.scene.bounds.topLeft()) * scale;
  all.selectedItem = all.hovered = -1;
  return all;
}

QSizeF sizeOf(const Scene& scene) { return scene.bounds.size() + QSizeF(2 * kMargin, 2 * kMargin); }

Error cannotWrite(const QString& path, const QString& why) {
  return {"cannot be written: " + why.toStdString(), path.toStdString(), "choose another file",
          "Environment"};
}

Result<void> writeBytes(const QString& path, const QByteArray& bytes) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
    return cannotWrite(path, file.errorString());
  return {};
}

Result<void> writeSvg(const PaintInput& input, const QString& path) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return cannotWrite(path, file.errorString());
  const QSize size = sizeOf(input.scene).toSize();
  QSvgGenerator svg;
  svg.setOutputDevice(&file);
  svg.setSize(size);
  svg.setViewBox(QRect(QPoint(), size));
  svg.setTitle(QStringLiteral("Nodewise graph"));
  QPainter painter(&svg);
  paintScene(painter, whole(input, 1), QRect(QPoint(), size));
  painter.end();
  if (!file.commit()) return cannotWrite(path, file.errorString());
  return {};
}

Result<void> writePdf(const PaintInput& input, const QString& path) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return cannotWrite(path, file.errorString());
  const QSizeF size = sizeOf(input.scene);
  QPdfWriter pdf(&file);
  pdf.setResolution(72);
  pdf.setPageMargins({});
  // PDF readers take pages of at most 200 inches.
  constexpr double kMost = 14400;
  const double scale = std::min(1.0, kMost / std::max(size.width(), size.height()));
  pdf.setPageSize(QPageSize(size * scale, QPageSize::Point));
  QPainter painter(&pdf);
  painter.scale(scale, scale);
  paintScene(painter, whole(input, 1), QRect(QPoint(), size.toSize()));
  painter.end();
  if (!file.commit()) return cannotWrite(path, file.errorString());
  return {};
}

Result<void> writePng(const PaintInput& input, const QString& path) {
  constexpr double kMost = 16000, kMostPixels = 120e6;
  const QSizeF size = sizeOf(input.scene);
  const double scale = std::min({2.0, kMost / std::max(size.width(), size.height()),
                                 std::sqrt(kMostPixels / (size.width() * size.height()))});
  QImage image((size * scale).toSize().expandedTo(QSize(1, 1)), QImage::Format_RGB32);
  if (image.isNull()) return cannotWrite(path, QStringLiteral("no memory for the picture"));
  QPainter painter(&image);
  paintScene(painter, whole(input, scale), image.rect());
  painter.end();
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || !image.save(&file, "PNG") || !file.commit())
    return cannotWrite(path, file.errorString());
  return {};
}

Result<void> writeDot(const PaintInput& input, const QString& path) {
  return writeBytes(path, sceneDot(input));
}

struct FormatRow {
  const char* ending;
  Result<void> (*write)(const PaintInput& input, const QString& path);
};
constexpr std::array<FormatRow, 4> kFormats{
    {{"svg", writeSvg}, {"pdf", writePdf}, {"png", writePng}, {"dot", writeDot}}};

QByteArray quoted(const QString& text) {
  QString escaped = text;
  escaped.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
  return '"' + escaped.toUtf8() + '"';
}

} // namespace

QStringList exportFormats() {
  QStringList endings;
  for (const FormatRow& row : kFormats) endings.push_back(QString::fromLatin1(row.ending));
  return endings;
}

Result<void> exportScene(const PaintInput& input, const QString& path) {
  const QString ending = QFileInfo(path).suffix().toLower();
  for (const FormatRow& row : kFormats)
    if (ending == QLatin1String(row.ending)) return row.write(input, path);
  return Error{"unknown ending \"" + ending.toStdString() + '"',
               path.toStdString(),
               "use one of " + exportFormats().join(QStringLiteral(", ")).toStdString(),
               {}};
}

QByteArray sceneDot(const PaintInput& input) {
  QByteArray text =
      "digraph nodewise {\n  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\"];\n";
  const Scene& scene = input.scene;
  for (size_t k = 0; k < scene.items.size(); ++k) {
    const SceneItem& item = scene.items[k];
    if (item.kind == ItemKind::Frame && item.node < 0) continue;
    QString label = item.title;
    if (!item.detail.isEmpty()) label += u'\n' + item.detail;
    text += "  n" + QByteArray::number(static_cast<qulonglong>(k)) + " [label=" + quoted(label);
    const auto n = static_cast<size_t>(item.node);
    if (item.node >= 0 && n < input.colouring.looks.size() && input.colouring.looks[n].colour != 0) {
      const NodeLook& look = input.colouring.looks[n];
      text += ", color=" + quoted(QColor(look.colour).name()) +
              ", penwidth=3, tooltip=" + quoted(input.colouring.categories[look.category].name);
    }
    if (item.kind == ItemKind::Value) text += ", shape=plaintext";
    text += "];\n";
  }
  for (const SceneEdge& edge : scene.edges)
    text += "  n" + QByteArray::number(edge.from) + " -> n" + QByteArray::number(edge.to) +
            " [label=" + quoted(edge.label) + "];\n";
  return text + "}\n";
}

} // namespace nodewise::ui
