#include "cache/store.h"

#include "cache/row_ids.h"
#include "cache/store_state.h"

#include <filesystem>
#include <fmt/format.h>

namespace nodewise {

namespace {

void readKeptSettings(Connection& connection, CacheSettings& settings) {
  auto query = connection.prepare("SELECT name, value FROM setting");
  if (!query.ok()) return;
  for (auto row = query->step(); row.ok() && *row; row = query->step()) {
    // A value that a damaged file made unreadable is as good as absent.
    (void)setByName(settings, query->textOr(0), query->textOr(1), Origin::Database).ok();
  }
}

} // namespace

Result<void> Store::State::openAgain() {
  connection.reset();
  environments.clear();
  NW_TRY(OpenedDatabase opened, openDatabase(path, given.busyMs.value));
  connection = std::move(opened.connection);
  identity = opened.identity;
  std::ranges::move(opened.notices, std::back_inserter(notices));
  connection->setStop(stop);
  settings = given;
  readKeptSettings(*connection, settings);
  return {};
}

Result<void> Store::State::ensureOpen() {
  if (!connection) return openAgain();
  if (!identity || fileIdentity(path) == identity) return {};
  NW_CHECK(openAgain());
  notices.push_back("the cache file " + path + " was deleted or replaced while in use; it was opened anew");
  return {};
}

bool Store::State::mend() {
  const Fault fault = connection->fault();
  if (fault == Fault::Moved) return openAgain().ok();
  if (fault == Fault::Full) {
    environments.clear(); // ids that are free again may come to mean other rows
    const auto freed = freeRowIds(*connection);
    return freed.ok() && *freed;
  }
  if (fault != Fault::Damaged || connection->isReadOnly()) return false;
  connection.reset();
  // Once: what reads as damaged again is damaged, whatever a check of the file finds.
  const bool trusted = identity && trustedOnce != identity && isSoundAnew(path, given.busyMs.value);
  if (trusted) {
    trustedOnce = identity;
    notices.push_back(
        fmt::format("the cache {} was changed by another program while it was open; it is sound, "
                    "and was opened again",
                    path));
  } else if (identity) {
    const auto notice = retireDamaged(path, identity, given.busyMs.value);
    if (notice.ok() && !notice->empty()) notices.push_back(*notice);
  }
  return openAgain().ok();
}

Store::Store(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const CacheSettings& settings) {
  auto state = std::make_unique<State>();
  state->given = state->settings = settings;
  state->path = settings.file.value;
  if (state->path.empty()) return Error{"no cache file is named", "", "use --cache FILE", ""};
  std::error_code error; // a later change of directory must not change the file
  if (state->path != ":memory:") {
    const auto absolute = std::filesystem::absolute(state->path, error);
    if (!error) state->path = absolute.string();
  }
  NW_CHECK(state->openAgain());
  return Store(std::move(state));
}

const CacheSettings& Store::settings() const { return m_state->settings; }

Result<void> Store::keepSetting(std::string_view name, std::string_view value) {
  CacheSettings trial;
  NW_CHECK(setByName(trial, name, value, Origin::CommandLine));
  const auto keep = [&](Connection& connection) -> Result<void> {
    NW_TRY(Query query, connection.prepare("INSERT OR REPLACE INTO setting VALUES (?, ?)"));
    return query.bind(name, value).run();
  };
  NW_CHECK(onStore(*this, keep));
  return setByName(m_state->settings, name, value, Origin::Database);
}

bool Store::readOnly() const { return m_state->connection && m_state->connection->isReadOnly(); }

std::vector<std::string> Store::takeNotices() { return std::exchange(m_state->notices, {}); }

Result<int64_t> Store::version() {
  return onStore(*this,
                 [](Connection& connection) { return connection.queryInteger("PRAGMA data_version"); });
}

void Store::setStop(std::stop_token stop) {
  m_state->stop = stop;
  if (m_state->connection) m_state->connection->setStop(std::move(stop));
}

} // namespace nodewise
