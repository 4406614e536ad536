// Says when a file was written anew, also where an editor replaces it by another one.
#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QTimer>

namespace nodewise::ui {

class FileWatch : public QObject {
  Q_OBJECT
public:
  explicit FileWatch(QObject* parent = nullptr);

  /// Watches this file from now on; empty: none.
  void setFile(const QString& path);

Q_SIGNALS:
  /// It stands there with another time or size, and has rested for a moment.
  void changed(const QString& path);
  /// It is not there any more; once, until it is there again.
  void removed(const QString& path);
  /// It is there again, as it was.
  void returned(const QString& path);

private:
  void look();

  QFileSystemWatcher m_watcher;
  QTimer m_rest; ///< writers write more than once
  QString m_path;
  QDateTime m_time;
  qint64 m_size = -1;
  bool m_gone = false;
};

} // namespace nodewise::ui
