// What stands where the graph will be: what can be done now.
#pragma once

#include "ui/main_window/samples.h"

#include <QLabel>
#include <QWidget>

namespace nodewise::ui {

class EmptyPage : public QWidget {
  Q_OBJECT
public:
  explicit EmptyPage(QWidget* parent = nullptr);
  void setFiles(const std::vector<Sample>& samples, const QStringList& recent);

Q_SIGNALS:
  void openRequested();
  void fileRequested(const QString& path);

protected:
  void changeEvent(QEvent* event) override;

private:
  void write();

  std::vector<Sample> m_samples;
  QStringList m_recent;
  QLabel* m_text;
};

} // namespace nodewise::ui
