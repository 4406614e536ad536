// Layouts that were made, by what was asked for: in memory, and where there is a cache database, in it (see
// cache/layouts.h), so that a graph that was drawn before is drawn at once. Shared by workers; never used on
// the window's thread.
#pragma once

#include "cache/layouts.h"
#include "ui/graph/layout.h"

#include <QByteArray>

#include <memory>
#include <mutex>
#include <unordered_map>

namespace nodewise::ui {

class LayoutCache {
public:
  /// In memory alone.
  LayoutCache() = default;
  /// And in the database of these settings. One that cannot be opened is done without.
  explicit LayoutCache(CacheSettings settings) : m_settings(std::move(settings)) {}

  /// `text`: the request as dot would read it, which is all that a layout depends on.
  std::shared_ptr<const LayoutResult> find(const QByteArray& text, const LayoutRequest& request);
  void put(const QByteArray& text, std::shared_ptr<const LayoutResult> layout);
  /// Whether save() has something to do.
  bool isUnsaved() const;
  /// Writes what was made and used since. May wait for other writers.
  void save();
  /// Layouts that were found in the database.
  int64_t loaded() const;

private:
  Store* store(); ///< null: none

  mutable std::mutex m_mutex; ///< guards all below
  std::optional<CacheSettings> m_settings;
  std::optional<Store> m_store;
  std::unordered_map<std::string, std::shared_ptr<const LayoutResult>> m_layouts;
  std::vector<KeptLayout> m_made;
  std::vector<Hash> m_used;
  int64_t m_loaded = 0;
};

} // namespace nodewise::ui
