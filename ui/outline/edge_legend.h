// What the widths of edges mean: three examples, and how an edge of unknown size looks.
#pragma once

#include "ui/graph/edge_bytes.h"
#include "ui/theme/theme.h"

#include <QWidget>

namespace nodewise::ui {

class EdgeLegend : public QWidget {
  Q_OBJECT
public:
  explicit EdgeLegend(QWidget* parent = nullptr);

  /// Null: edges are all alike, and the legend is hidden.
  void setBytes(std::shared_ptr<const EdgeBytes> bytes);
  void setDarkTheme(bool dark);
  /// What stands beside each line, from above.
  QStringList texts() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  struct Row {
    double width = 1;
    bool dashed = false;
    QString text;
  };
  QString title() const;
  int rowHeight() const { return fontMetrics().height() + 4; }

  std::shared_ptr<const EdgeBytes> m_bytes;
  std::vector<Row> m_rows;
  Theme m_theme = makeTheme(false);
};

} // namespace nodewise::ui
