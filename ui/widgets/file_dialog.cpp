#include "ui/widgets/file_dialog.h"

#include <QAbstractFileIconProvider>
#include <QApplication>
#include <QFileDialog>
#include <QStyle>

namespace nodewise::ui {
namespace {

/// Icons and names of types without a look into any file. Qt asks from a thread of its own: the icons are
/// made before, and only copied then.
class NamesOnly : public QAbstractFileIconProvider {
public:
  NamesOnly()
      : m_folder(QApplication::style()->standardIcon(QStyle::SP_DirIcon)),
        m_file(QApplication::style()->standardIcon(QStyle::SP_FileIcon)) {}

  QIcon icon(IconType type) const override { return type == File ? m_file : m_folder; }
  QIcon icon(const QFileInfo& info) const override { return info.isDir() ? m_folder : m_file; }
  QString type(const QFileInfo& info) const override {
    if (info.isDir()) return QFileDialog::tr("Folder");
    const QString suffix = info.suffix();
    return suffix.isEmpty() ? QFileDialog::tr("File") : QFileDialog::tr("%1 file").arg(suffix);
  }

private:
  QIcon m_folder, m_file;
};

struct Holder {
  NamesOnly names;
};
/// The first base outlives the second, whose model asks for icons until it is gone.
class Dialog : private Holder, public QFileDialog {
public:
  Dialog(QWidget* parent, const QString& title) : QFileDialog(parent, title) {
    setOption(DontUseNativeDialog); // a system's own runs in this process, and may look into files
    setIconProvider(&names);
    setAttribute(Qt::WA_DeleteOnClose);
  }
};

} // namespace

void askForFile(QWidget* parent, const FileQuestion& question, std::function<void(const QString&)> chosen) {
  auto* dialog = new Dialog(parent, question.title);
  dialog->setAcceptMode(question.save ? QFileDialog::AcceptSave : QFileDialog::AcceptOpen);
  dialog->setFileMode(question.save ? QFileDialog::AnyFile : QFileDialog::ExistingFile);
  dialog->setOption(QFileDialog::DontConfirmOverwrite, !question.mayReplace);
  if (!question.nameFilters.isEmpty()) dialog->setNameFilters(question.nameFilters);
  if (!question.suffix.isEmpty()) dialog->setDefaultSuffix(question.suffix);
  if (!question.folder.isEmpty()) dialog->setDirectory(question.folder);
  if (!question.name.isEmpty()) dialog->selectFile(question.name);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(chosen));
  dialog->open();
}

} // namespace nodewise::ui
