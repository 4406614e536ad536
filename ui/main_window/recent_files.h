// Files that were opened lately, newest first; kept between sessions.
#pragma once

#include <QSettings>
#include <QStringList>

namespace nodewise::ui {

class RecentFiles {
public:
  static constexpr qsizetype kMost = 10;

  void load(QSettings& settings) { m_paths = settings.value(QStringLiteral("recentFiles")).toStringList(); }
  void save(QSettings& settings) const { settings.setValue(QStringLiteral("recentFiles"), m_paths); }
  void add(const QString& path) {
    m_paths.removeAll(path);
    m_paths.prepend(path);
    if (m_paths.size() > kMost) m_paths.resize(kMost);
  }
  void clear() { m_paths.clear(); }
  const QStringList& paths() const { return m_paths; }

private:
  QStringList m_paths;
};

} // namespace nodewise::ui
