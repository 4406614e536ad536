// Files as the window meets them: dropped, gone, written, asked for; and the lines that name them.
#include "window_fixture.h"

#include <QClipboard>
#include <QDirIterator>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileSystemModel>
#include <QMimeData>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace nodewise;
using namespace nodewise::ui;
using namespace nodewise::ui::test;

namespace {

struct Said : Opened {
  /// All messages, with what to do.
  QString said() {
    QString all;
    for (const QLabel* label : window->messages().findChildren<QLabel*>())
      all += label->accessibleName() + ' ';
    return all;
  }
  bool says(const char* text) {
    return QTest::qWaitFor([&] { return said().contains(QString::fromLatin1(text)); }, kLong);
  }
  QString copied() {
    QTest::keyClick(window.get(), Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    return QApplication::clipboard()->text();
  }
  QString write(const char* name, const QByteArray& bytes) {
    QFile file(dir.filePath(QString::fromLatin1(name)));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("no temporary file");
    return file.fileName();
  }
  QFileDialog* dialog() {
    QFileDialog* found = nullptr;
    (void)QTest::qWaitFor(
        [&] {
          found = window->findChild<QFileDialog*>();
          return found && found->isVisible();
        },
        kLong);
    return found;
  }
};

/// Whether another process sees this process's lock.
bool isLocked(const QString& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int handle = ::open(path.toLocal8Bit().constData(), O_RDWR);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    ::_exit(handle >= 0 && ::fcntl(handle, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

class TestUiFiles : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void whatIsNoGraphIsNamed_data();
  void whatIsNoGraphIsNamed();
  void aFileThatIsGoneIsSaid();
  void messagesGoWithTheirGraph();
  void dialogsLeaveLocksAlone();
  void filesAreAskedForInOnePlace();
  void aPictureIsCopiedAsItsCommand();
  void whatOnlySaysSomethingIsNotCopied();
  void aFailedExportKeepsItsName();
  void theCacheOfTheEnvironmentIsNamed();
};

void TestUiFiles::whatIsNoGraphIsNamed_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QByteArray>("bytes");
  QTest::newRow("binary") << "model.onnx" << QByteArray("\x08\x07\x00\xff\xfe pytorch", 14);
  QTest::newRow("other JSON") << "config.json" << QByteArray("{\"a\": 1}");
  QTest::newRow("empty") << "empty" << QByteArray();
}

void TestUiFiles::whatIsNoGraphIsNamed() {
  QFETCH(QString, name);
  QFETCH(QByteArray, bytes);
  Said o;
  const QString path = o.write(qPrintable(name), bytes);
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(path)});
  QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(o.window.get(), &enter);
  QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(o.window.get(), &drop);
  QVERIFY(o.says("Could not open"));
  QVERIFY2(o.said().contains("Could not open " + name) && o.said().contains(".nwg.json"),
           qPrintable(o.said()));
}

void TestUiFiles::aFileThatIsGoneIsSaid() {
  Said o;
  const QString path = o.dir.filePath("graph.nwg.json");
  QVERIFY(QFile::copy(kSample, path));
  QVERIFY(o.open(path));
  QVERIFY(QFile::remove(path));
  QVERIFY(o.says("graph.nwg.json is gone"));
  QVERIFY2(o.said().contains("until it is closed"), qPrintable(o.said()));
  QTest::keyClick(o.window.get(), Qt::Key_R, Qt::ControlModifier);
  QVERIFY(o.says("Could not open graph.nwg.json"));
  QVERIFY2(o.said().contains("as it was read before"), qPrintable(o.said()));
  QVERIFY(o.document().isOpen());
}

void TestUiFiles::messagesGoWithTheirGraph() {
  Said o;
  QVERIFY(o.open(kSample));
  QTest::keyClick(o.window.get(), Qt::Key_F6);
  QVERIFY(o.says("Ran in"));
  o.window->selection().select(3);
  QTest::keyClick(&o.canvas(), Qt::Key_1, Qt::AltModifier);
  QVERIFY(o.says("1 goes to"));
  QTest::keyClick(o.window.get(), Qt::Key_W, Qt::ControlModifier);
  QCOMPARE(o.window->messages().texts(), QStringList());
}

void TestUiFiles::dialogsLeaveLocksAlone() {
  Said o;
  // A name that tells nothing: Qt's own icons would look into it.
  const QString path = o.write("locked", QByteArray(4096, '\x01'));
  const int handle = ::open(path.toLocal8Bit().constData(), O_RDWR);
  QVERIFY(handle >= 0);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  QCOMPARE(::fcntl(handle, F_SETLK, &lock), 0);
  QVERIFY(isLocked(path));
  QVERIFY(o.open(kSample));
  QTest::keyClick(o.window.get(), Qt::Key_O, Qt::ControlModifier);
  QFileDialog* dialog = o.dialog();
  QVERIFY(dialog);
  dialog->selectNameFilter("All files (*)");
  dialog->setDirectory(o.dir.path());
  auto* model = dialog->findChild<QFileSystemModel*>();
  QVERIFY(model);
  // Its type is the last of what the dialog finds out about it.
  QTRY_VERIFY_WITH_TIMEOUT(!model->type(model->index(path)).isEmpty(), kLong);
  QTRY_VERIFY_WITH_TIMEOUT(!model->fileIcon(model->index(path)).isNull(), kLong);
  dialog->selectFile(path);
  QTest::qWait(100);
  QVERIFY(isLocked(path));
  dialog->reject();
  ::close(handle);
}

void TestUiFiles::filesAreAskedForInOnePlace() {
  QDirIterator files(QStringLiteral(NODEWISE_SAMPLES "/../../ui"), {"*.cpp", "*.h"}, QDir::Files,
                     QDirIterator::Subdirectories);
  int seen = 0;
  while (files.hasNext()) {
    QFile file(files.next());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const bool uses = file.readAll().contains("QFileDialog");
    QVERIFY2(!uses || file.fileName().endsWith("widgets/file_dialog.cpp"), qPrintable(file.fileName()));
    ++seen;
  }
  QVERIFY(seen > 100);
}

void TestUiFiles::aPictureIsCopiedAsItsCommand() {
  Said o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  QVERIFY(o.copied().startsWith("nodewise compile "));
  o.window->selection().select(o.firstKernel());
  QTest::keyClick(o.window.get(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY2(o.copied().startsWith("nodewise draw "), qPrintable(o.copied()));
  QVERIFY2(o.said().contains("draws the graph as it opens"), qPrintable(o.said()));
  QTest::keyClick(o.window.get(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
  for (QComboBox* box : o.window->findChildren<QComboBox*>())
    if (box->accessibleName() == "Colour nodes by") QTest::keyClick(box, Qt::Key_Down);
  QVERIFY2(o.copied().contains("--color kind"), qPrintable(o.copied()));
  QTest::keyClick(o.window.get(), Qt::Key_T, Qt::ControlModifier);
  QVERIFY2(o.copied().contains("--find"), qPrintable(o.copied()));
}

void TestUiFiles::whatOnlySaysSomethingIsNotCopied() {
  Said o;
  QVERIFY(o.open(kSample));
  QVERIFY(o.compileAll());
  for (const Command command : {Command::About, Command::ThemeDark, Command::Keys, Command::Fit}) {
    o.window->commands()[command].trigger();
    QVERIFY2(o.copied().startsWith("nodewise compile "), qPrintable(o.copied()));
  }
}

void TestUiFiles::aFailedExportKeepsItsName() {
  Said o;
  QVERIFY(o.open(kSample));
  QTest::keyClick(o.window.get(), Qt::Key_E, Qt::ControlModifier);
  QFileDialog* dialog = o.dialog();
  QVERIFY(dialog);
  const QString path = o.dir.filePath("no/such/folder.svg");
  Q_EMIT dialog->fileSelected(path);
  dialog->reject();
  o.window->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(o.window.get()));
  QVERIFY(o.says("Could not write"));
  QVERIFY2(o.copied().contains("-o " + path), qPrintable(o.copied()));
}

void TestUiFiles::theCacheOfTheEnvironmentIsNamed() {
  Said o;
  const QString path = o.dir.filePath("other.db");
  qputenv("NODEWISE_CACHE", path.toLocal8Bit());
  WindowOptions options;
  options.samplesDir = NODEWISE_SAMPLES;
  options.restoreSession = false;
  o.window = std::make_unique<MainWindow>(options);
  o.window->show();
  const bool opened = o.open(kSample), compiled = opened && o.compileAll();
  const QString line = o.copied();
  qunsetenv("NODEWISE_CACHE");
  QVERIFY(opened && compiled);
  QVERIFY2(line.endsWith("--cache " + path), qPrintable(line));
}

QTEST_MAIN(TestUiFiles)
#include "tst_ui_files.moc"
