#include "ui/cache/cache_actions.h"

#include "base/units.h"
#include "cache/bundle.h"
#include "session/entry_work.h"
#include "ui/document/shell_word.h"

#include <fmt/format.h>

#include <array>

namespace nodewise::ui {
namespace {

constexpr std::array kActions{
    CacheActionRow{CacheAction::Invalidate, ActionScope::Entries, "Invalidate", "Invalidating", "Del",
                   "They are compiled again when they are next needed; can be undone", "invalidate",
                   "None of them is in use.", false},
    CacheActionRow{CacheAction::Restore, ActionScope::Entries, "Restore", "Restoring", "",
                   "Invalidated, deleted and quarantined entries are used again; can be undone", "restore",
                   "All of them are in use already.", false},
    CacheActionRow{CacheAction::Rerun, ActionScope::Entries, "Compile again", "Compiling again", "",
                   "Compile them now, from what the cache keeps of them", "rerun", "No entry is selected.",
                   false},
    CacheActionRow{CacheAction::Verify, ActionScope::Entries, "Verify", "Verifying", "",
                   "Compile them and compare with what is stored; changes nothing", "verify",
                   "No entry is selected.", false},
    CacheActionRow{CacheAction::Pin, ActionScope::Entries, "Pin", "Pinning", "",
                   "They are never evicted, pruned or cleared; can be undone", "pin",
                   "All of them are pinned already.", false},
    CacheActionRow{CacheAction::Unpin, ActionScope::Entries, "Unpin", "Unpinning", "",
                   "They may be evicted again; can be undone", "unpin", "None of them is pinned.", false},
    CacheActionRow{CacheAction::Export, ActionScope::Entries, "Export bundle…", "Exporting", "",
                   "Write them to a file of their own, to carry elsewhere", "export",
                   "None of them is in use.", false},
    CacheActionRow{CacheAction::Remove, ActionScope::Entries, "Delete", "Deleting", "Shift+Del",
                   "They are deleted, but for pinned ones; can be undone", "delete",
                   "What is not pinned is deleted already.", false},
    CacheActionRow{CacheAction::Prune, ActionScope::Whole, "Apply the caps", "Applying the caps", "",
                   "Drop now what the caps of age and size would drop", "prune",
                   "The cache is within its caps of age and size.", false},
    CacheActionRow{CacheAction::Clear, ActionScope::Whole, "Clear the cache", "Clearing", "",
                   "Delete all entries but pinned ones; can be undone", "clear",
                   "There are no entries but pinned ones.", true},
    CacheActionRow{CacheAction::Vacuum, ActionScope::Whole, "Vacuum", "Making the file smaller", "",
                   "Drop for good what was deleted or invalidated: this cannot be undone", "vacuum",
                   "Nothing was deleted or invalidated.", true},
    CacheActionRow{CacheAction::Import, ActionScope::FromFile, "Import a bundle", "Importing", "",
                   "Store what a bundle, or a cache that was moved aside, holds", "import",
                   "The cache has all that it holds.", false},
};

Result<ActionReport> vacuumed(Store& store, DryRun dryRun, const StoreProgress& progress) {
  NW_TRY(const VacuumReport vacuum, nodewise::vacuum(store, dryRun, progress));
  ActionReport report;
  report.entries = vacuum.entries;
  const std::string before = units::bytes(vacuum.bytesBefore), after = units::bytes(vacuum.bytesAfter);
  const bool smaller = vacuum.bytesAfter < vacuum.bytesBefore && before != after;
  report.bytes = smaller ? vacuum.bytesBefore - vacuum.bytesAfter : 0;
  const bool dry = dryRun == DryRun::Yes;
  if (vacuum.entries > 0)
    report.summary = fmt::format("{} {} for good", dry ? "would drop" : "dropped",
                                 units::counted(vacuum.entries, "entry"));
  if (smaller || vacuum.entries == 0)
    report.summary +=
        fmt::format("{}the file {} {}{}", report.summary.empty() ? "" : "; ",
                    dry ? "would have about" : "has", after, smaller ? fmt::format(" (was {})", before) : "");
  return report;
}

} // namespace

std::span<const CacheActionRow> cacheActions() { return kActions; }

const CacheActionRow& actionRow(CacheAction action) { return kActions[static_cast<size_t>(action)]; }

Result<ActionReport> performAction(Store& store, const CacheRequest& request, DryRun dryRun,
                                   const StoreProgress& progress) {
  const Selection& selection = request.selection;
  switch (request.action) {
  case CacheAction::Invalidate:
    return invalidate(store, selection, dryRun, "by hand");
  case CacheAction::Restore:
    return restore(store, selection, dryRun);
  case CacheAction::Rerun:
    return previewWork(store, selection, "compiled again");
  case CacheAction::Verify:
    return previewWork(store, selection, "compiled and compared");
  case CacheAction::Pin:
    return pin(store, selection, true, dryRun);
  case CacheAction::Unpin:
    return pin(store, selection, false, dryRun);
  case CacheAction::Export:
    if (request.file.empty()) return previewWork(store, selection, "exported");
    return exportBundle(store, selection, request.file, dryRun, progress);
  case CacheAction::Remove:
    return remove(store, selection, dryRun);
  case CacheAction::Prune:
    return prune(store, {}, dryRun);
  case CacheAction::Clear:
    return clear(store, dryRun);
  case CacheAction::Vacuum:
    return vacuumed(store, dryRun, progress);
  case CacheAction::Import:
    return importBundle(store, request.file, dryRun, progress);
  }
  return Error{"there is no such action", {}, {}, {}};
}

QString sentence(const std::string& summary) {
  QString text = QString::fromStdString(summary);
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QString commandLineOf(const CacheRequest& request) {
  const CacheActionRow& row = actionRow(request.action);
  QString line = QStringLiteral("nodewise cache ") + QLatin1String(row.line);
  if (!request.file.empty()) line += u' ' + shellWord(QString::fromStdString(request.file));
  if (row.scope != ActionScope::Entries) return line;
  if (!request.selection.filter) {
    QStringList keys;
    for (const Hash& key : request.keys) keys.push_back(QString::fromStdString(key.shortHex()));
    return line + QStringLiteral(" key:") + keys.join(u',');
  }
  // A destructive command wants a filter; "everything" is said as what every entry fulfils.
  const QString filter = QString::fromStdString(request.selection.filter->source).trimmed();
  return line + u' ' + shellWord(filter.isEmpty() ? QStringLiteral("hits>=0") : filter);
}

} // namespace nodewise::ui
