#include "ui/graph/layout_cache.h"

#include "ui/graph/layout_blob.h"

namespace nodewise::ui {
namespace {

constexpr size_t kMostInMemory = 200;
/// Goes up when the same request is laid out otherwise.
constexpr std::string_view kAlgorithm = "dot, folded: 2\n";

Hash hashOf(const QByteArray& text) { return hashBytes(std::string(kAlgorithm) + text.toStdString()); }

} // namespace

Store* LayoutCache::store() {
  if (!m_settings) return nullptr;
  if (!m_store) {
    auto opened = Store::open(*m_settings);
    if (!opened.ok()) {
      m_settings.reset(); // said elsewhere: the window opens it too
      return nullptr;
    }
    m_store.emplace(std::move(opened).value());
  }
  return &*m_store;
}

std::shared_ptr<const LayoutResult> LayoutCache::find(const QByteArray& text, const LayoutRequest& request) {
  const std::lock_guard lock(m_mutex);
  if (const auto at = m_layouts.find(text.toStdString()); at != m_layouts.end()) return at->second;
  Store* database = store();
  if (!database) return nullptr;
  const Hash hash = hashOf(text);
  const auto bytes = loadLayout(*database, hash);
  if (!bytes.ok() || !*bytes) return nullptr;
  auto layout = layoutOfBytes(**bytes, request);
  if (!layout) return nullptr;
  ++m_loaded;
  m_used.push_back(hash);
  auto shared = std::make_shared<const LayoutResult>(std::move(*layout));
  if (m_layouts.size() >= kMostInMemory) m_layouts.clear();
  m_layouts[text.toStdString()] = shared;
  return shared;
}

void LayoutCache::put(const QByteArray& text, std::shared_ptr<const LayoutResult> layout) {
  const std::lock_guard lock(m_mutex);
  if (m_settings) m_made.push_back({hashOf(text), layoutBytes(*layout)});
  if (m_layouts.size() >= kMostInMemory) m_layouts.clear();
  m_layouts[text.toStdString()] = std::move(layout);
}

bool LayoutCache::isUnsaved() const {
  const std::lock_guard lock(m_mutex);
  return m_settings && (!m_made.empty() || !m_used.empty());
}

void LayoutCache::save() {
  std::vector<KeptLayout> made;
  std::vector<Hash> used;
  std::optional<CacheSettings> settings;
  {
    const std::lock_guard lock(m_mutex);
    made.swap(m_made);
    used.swap(m_used);
    settings = m_settings;
  }
  if (!settings) return;
  // With a store of its own: a writer that waits must not hold up one who looks for a layout.
  auto opened = Store::open(*settings);
  if (!opened.ok()) return;
  // What could not be kept is made again another time.
  static_cast<void>(saveLayouts(*opened, made, used).ok());
}

int64_t LayoutCache::loaded() const {
  const std::lock_guard lock(m_mutex);
  return m_loaded;
}

} // namespace nodewise::ui
