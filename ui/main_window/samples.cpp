#include "ui/main_window/samples.h"

#include <QCoreApplication>
#include <QDir>

namespace nodewise::ui {
namespace {

/// The first of these that exists.
QString samplesDirectory() {
  const QDir program(QCoreApplication::applicationDirPath());
  for (const QString& candidate : {program.filePath(QStringLiteral("../share/nodewise/samples")),
                                   QStringLiteral(NODEWISE_SOURCE_SAMPLES)})
    if (QDir(candidate).exists()) return candidate;
  return {};
}

} // namespace

std::vector<Sample> findSamples(const QString& directory) {
  std::vector<Sample> samples;
  const QString from = directory.isEmpty() ? samplesDirectory() : directory;
  if (from.isEmpty()) return samples;
  const QDir dir(from);
  for (const QFileInfo& file : dir.entryInfoList({QStringLiteral("*.nwg.json")}, QDir::Files, QDir::Name)) {
    QString title = file.fileName();
    title.chop(QStringLiteral(".nwg.json").size());
    samples.push_back({title.replace(u'_', u' ').simplified(), file.absoluteFilePath()});
  }
  return samples;
}

} // namespace nodewise::ui
