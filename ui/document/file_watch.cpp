#include "ui/document/file_watch.h"

#include <QFileInfo>

#include <utility>

namespace nodewise::ui {

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
  constexpr int kRestMs = 300;
  m_rest.setSingleShot(true);
  m_rest.setInterval(kRestMs);
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_rest, qOverload<>(&QTimer::start));
  // A file that is replaced by renaming is lost to the watcher; its directory is not.
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_rest, qOverload<>(&QTimer::start));
  connect(&m_rest, &QTimer::timeout, this, &FileWatch::look);
}

void FileWatch::setFile(const QString& path) {
  if (const QStringList watched = m_watcher.files() + m_watcher.directories(); !watched.isEmpty())
    m_watcher.removePaths(watched);
  m_rest.stop();
  m_gone = false;
  m_path = path;
  if (path.isEmpty()) return;
  const QFileInfo file(path);
  m_time = file.lastModified();
  m_size = file.size();
  m_watcher.addPaths({path, file.absolutePath()});
}

void FileWatch::look() {
  const QFileInfo file(m_path);
  if (m_path.isEmpty()) return;
  if (!file.exists()) {
    if (!std::exchange(m_gone, true)) Q_EMIT removed(m_path);
    return; // its directory is watched: it may come back
  }
  const bool wasGone = std::exchange(m_gone, false);
  if (!m_watcher.files().contains(m_path)) m_watcher.addPath(m_path);
  if (file.lastModified() == m_time && file.size() == m_size) {
    if (wasGone) Q_EMIT returned(m_path);
    return;
  }
  m_time = file.lastModified();
  m_size = file.size();
  Q_EMIT changed(m_path);
}

} // namespace nodewise::ui
