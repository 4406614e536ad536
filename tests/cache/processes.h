// Several processes on one cache.
#pragma once

#include <QProcess>
#include <QStringList>
#include <memory>
#include <vector>

namespace nodewise::test {

/// Starts tests/cache/cache_helper; kills it if it still runs at the end.
class Helper {
public:
  explicit Helper(const QStringList& arguments);
  ~Helper();
  /// Waits for a line of its output.
  QByteArray readLine();
  /// Waits for its end; what it wrote, with its exit code if that is not 0.
  QByteArray finish();
  /// As kill -9.
  void kill();
  qint64 processId() const { return m_process->processId(); }

private:
  std::unique_ptr<QProcess> m_process;
};

} // namespace nodewise::test
