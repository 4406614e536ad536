// Colours: letters that can be read on every fill, badges that keep theirs, outlines that are seen in the
// dark.
#include "ui/models/colouring.h"
#include "ui/models/node_table_model.h"
#include "ui/models/swatch.h"
#include "ui/theme/outline_style.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTabBar>
#include <QTableWidget>
#include <QTest>

#include <functional>
#include <memory>

using namespace nodewise;
using namespace nodewise::ui;

namespace {

using Make = std::function<QWidget*()>;

constexpr double kTextContrast = 4.5, kOutlineContrast = 3; // of WCAG

/// A widget of a kind by itself, as the style draws it under a palette.
QImage pictureOf(QWidget& widget, const QPalette& palette) {
  QApplication::setPalette(palette);
  widget.resize(widget.sizeHint().expandedTo(QSize(80, 24)));
  QImage image(widget.size(), QImage::Format_RGB32);
  image.fill(palette.color(QPalette::Window));
  widget.render(&image, {}, {}, QWidget::DrawChildren);
  return image;
}

/// The strongest contrast to the window in a row of pixels that crosses the widget's left border.
double borderContrast(const QImage& image, const QColor& window) {
  double most = 1;
  for (int x = 0; x < 8; ++x)
    most = std::max(most, contrastRatio(image.pixelColor(x, image.height() / 2), window));
  return most;
}

} // namespace

Q_DECLARE_METATYPE(Make)

class TestUiTheme : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void contrastIsThatOfTheStandard();
  void lettersAreReadOnEveryStatus_data();
  void lettersAreReadOnEveryStatus();
  void lettersAreReadOnTheRamp();
  void aSelectedRowKeepsItsBadge_data();
  void aSelectedRowKeepsItsBadge();
  void outlinesAreSeen_data();
  void outlinesAreSeen();
  void theChosenTabIsMarked();
  void theSystemsPaletteIsKeptAndAnAbsentOneIsOurs();
};

void TestUiTheme::contrastIsThatOfTheStandard() {
  QCOMPARE(contrastRatio(Qt::black, Qt::white), 21.0);
  QCOMPARE(contrastRatio(Qt::white, Qt::white), 1.0);
  QVERIFY(std::abs(contrastRatio(Qt::white, QColor(0x76, 0x76, 0x76)) - 4.54) < 0.005); // the known grey
}

void TestUiTheme::lettersAreReadOnEveryStatus_data() {
  QTest::addColumn<QRgb>("colour");
  QTest::addColumn<bool>("dark");
  for (const StatusRow& row : statusTable())
    for (const bool dark : {false, true})
      QTest::addRow("%s, %s", row.name.data(), dark ? "dark" : "light") << row.colour << dark;
}

void TestUiTheme::lettersAreReadOnEveryStatus() {
  QFETCH(QRgb, colour);
  QFETCH(bool, dark);
  const Theme theme = makeTheme(dark);
  const QColor fill = theme.fill(colour);
  const QColor letter = colour == 0 ? theme.quietText : Theme::textOn(fill);
  QVERIFY2(contrastRatio(letter, fill) >= kTextContrast,
           qPrintable(QString::number(contrastRatio(letter, fill))));
}

void TestUiTheme::lettersAreReadOnTheRamp() {
  constexpr int kSteps = 20;
  for (int k = 0; k <= kSteps; ++k) {
    const QColor fill = costColour(double(k) / kSteps);
    QVERIFY2(contrastRatio(Theme::textOn(fill), fill) >= kTextContrast, qPrintable(fill.name()));
  }
}

void TestUiTheme::aSelectedRowKeepsItsBadge_data() {
  QTest::addColumn<QIcon>("badge");
  QTest::addColumn<QRgb>("fill");
  const StatusRow& hit = statusRow(Status::Hit);
  const Theme theme = makeTheme(false);
  QTest::newRow("letter") << decoration(swatchOf(categoryOf(hit), theme, false))
                          << theme.fill(hit.colour).rgb();
}

void TestUiTheme::aSelectedRowKeepsItsBadge() {
  QFETCH(QIcon, badge);
  QFETCH(QRgb, fill);
  QTableWidget table(2, 1);
  for (int row = 0; row < 2; ++row) table.setItem(row, 0, new QTableWidgetItem(badge, QString()));
  table.selectRow(1);
  table.resize(200, 120);
  const QImage image = table.viewport()->grab().toImage();
  for (int row = 0; row < 2; ++row) {
    const QRect cell = table.visualItemRect(table.item(row, 0));
    int filled = 0;
    for (int y = cell.top(); y < cell.bottom(); ++y)
      for (int x = cell.left(); x < cell.right(); ++x) filled += image.pixel(x, y) == fill;
    QVERIFY2(filled > 40, qPrintable(QString::number(filled)));
  }
}

void TestUiTheme::outlinesAreSeen_data() {
  QTest::addColumn<Make>("make");
  QTest::newRow("line edit") << Make([]() -> QWidget* { return new QLineEdit; });
  QTest::newRow("check box") << Make([]() -> QWidget* { return new QCheckBox; });
  QTest::newRow("progress bar") << Make([]() -> QWidget* { return new QProgressBar; });
  QTest::newRow("combo box") << Make([]() -> QWidget* { return new QComboBox; });
  QTest::newRow("button") << Make([]() -> QWidget* { return new QPushButton; });
}

void TestUiTheme::outlinesAreSeen() {
  const QPalette dark = makePalette(true);
  QApplication::setPalette(dark);
  QFETCH(Make, make);
  const std::unique_ptr<QWidget> widget(make());
  const double seen = borderContrast(pictureOf(*widget, dark), dark.color(QPalette::Window));
  QVERIFY2(seen >= kOutlineContrast, qPrintable(QString::number(seen)));
}

void TestUiTheme::theChosenTabIsMarked() {
  for (const bool dark : {false, true}) {
    QApplication::setPalette(makePalette(dark));
    QTabBar tabs;
    tabs.setShape(QTabBar::RoundedSouth); // as docks have them
    tabs.addTab("Time");
    tabs.addTab("Passes");
    tabs.setCurrentIndex(1);
    tabs.resize(tabs.sizeHint());
    const QImage image = tabs.grab().toImage();
    const QRgb mark = makeTheme(dark).accent.rgb();
    const auto isMarked = [&](int tab) {
      const QRect r = tabs.tabRect(tab);
      for (int y = r.top(); y <= std::min(r.bottom(), image.height() - 1); ++y)
        if (image.pixel(r.center().x(), y) == mark) return true;
      return false;
    };
    QVERIFY(isMarked(1));
    QVERIFY(!isMarked(0));
  }
}

void TestUiTheme::theSystemsPaletteIsKeptAndAnAbsentOneIsOurs() {
  const QPalette standard = QApplication::style()->standardPalette();
  QCOMPARE(systemPalette(standard, standard), makePalette(isDark(standard)));
  QPalette told(standard);
  told.setColor(QPalette::Highlight, QColor(0xe9, 0x54, 0x20));
  QCOMPARE(systemPalette(told, standard), told);
}

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  QApplication::setStyle(new OutlineStyle(QStringLiteral("fusion")));
  TestUiTheme test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_ui_theme.moc"
