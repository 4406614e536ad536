#include "processes.h"

#include "support.h"

namespace nodewise::test {

namespace {
constexpr int kPatience = 120'000; // milliseconds, for a loaded machine
}

Helper::Helper(const QStringList& arguments) : m_process(std::make_unique<QProcess>()) {
  m_process->setProcessChannelMode(QProcess::MergedChannels);
  m_process->start(helperProgram(), arguments);
  m_process->waitForStarted(kPatience);
}

Helper::~Helper() { kill(); }

QByteArray Helper::readLine() {
  while (!m_process->canReadLine()) {
    if (!m_process->waitForReadyRead(kPatience)) break;
  }
  return m_process->readLine().trimmed();
}

QByteArray Helper::finish() {
  if (!m_process->waitForFinished(kPatience)) return "it did not end";
  QByteArray output = m_process->readAll().trimmed();
  if (m_process->exitStatus() != QProcess::NormalExit)
    output += " (crashed)";
  else if (m_process->exitCode() != 0)
    output += " (exit " + QByteArray::number(m_process->exitCode()) + ")";
  return output;
}

void Helper::kill() {
  if (m_process->state() == QProcess::NotRunning) return;
  m_process->kill();
  m_process->waitForFinished(kPatience);
}

} // namespace nodewise::test
