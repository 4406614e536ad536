#include "session/compile.h"

#include "cache/entries.h"
#include "cache/lookup.h"
#include "cache/policy.h"
#include "cache/runs.h"
#include "session/compile_group.h"
#include "session/phase_table.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace nodewise {

namespace {

class Timer {
public:
  int64_t ns() const { return std::chrono::nanoseconds(std::chrono::steady_clock::now() - m_begin).count(); }

private:
  std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

class Compile {
public:
  Compile(const CompileContext& context, bool ignoreCache,
          const std::function<void(const CompileItem&, const NodeState&)>& report, const ProgressFn& progress,
          std::stop_token stop)
      : m_context(context), m_ignoreCache(ignoreCache), m_report(report), m_progress(progress),
        m_stop(std::move(stop)) {}

  CompileSummary run(std::span<const CompileItem> items) {
    makeGroups(items);
    openStore();
    lookUp();
    linkHits();
    compileMisses();
    linkCompiled();
    storeAll();
    for (CompileGroup& group : m_groups) finish(group);
    m_summary.wallNs = m_wall.ns();
    record();
    return std::move(m_summary);
  }

private:
  void makeGroups(std::span<const CompileItem> items) {
    std::map<Hash, size_t> byKey;
    m_groups.reserve(items.size());
    for (const CompileItem& item : items) {
      Key key = nodeKey(item.planned->lowered, m_context.environment);
      auto [it, isNew] = byKey.try_emplace(key.hash, m_groups.size());
      if (isNew) {
        m_groups.emplace_back();
        m_groups.back().key = std::move(key);
      }
      m_groups[it->second].items.push_back(&item);
    }
    m_summary.nodes = static_cast<int64_t>(items.size());
  }

  void openStore() {
    if (!m_context.settings.useCache) return;
    if (Result<Engine::LockedStore> store = m_context.engine.store(m_context.settings.cache); store) {
      m_locked = std::move(*store);
      m_store = m_locked.store;
      takeNotices();
    } else {
      m_storeError = store.error().text();
    }
    if (!m_storeError.empty()) m_summary.warnings.push_back("working without the cache: " + m_storeError);
  }

  void takeNotices() {
    for (std::string& notice : m_store->takeNotices()) m_summary.warnings.push_back(std::move(notice));
  }

  void lookUp() {
    const Timer timer;
    const int64_t began = m_wall.ns();
    if (!m_store) {
      for (CompileGroup& group : m_groups) {
        group.answer.outcome = m_context.settings.useCache ? Outcome::LookupError : Outcome::Uncacheable;
        group.answer.reason = m_context.settings.useCache ? m_storeError : "the cache is switched off";
      }
      return;
    }
    std::vector<const Key*> keys;
    for (const CompileGroup& group : m_groups) keys.push_back(&group.key);
    Result<std::vector<LookupAnswer>> answers = lookupKeys(*m_store, keys, m_context.engine.target());
    for (size_t k = 0; k < m_groups.size(); ++k) {
      if (answers) {
        m_groups[k].answer = std::move((*answers)[k]);
      } else {
        m_groups[k].answer.outcome = Outcome::LookupError;
        m_groups[k].answer.reason = answers.error().text();
      }
    }
    if (!answers) m_summary.warnings.push_back("the cache could not be read: " + answers.error().text());
    takeNotices();
    // One query for all: each key's share of it.
    const int64_t share = m_groups.empty() ? 0 : timer.ns() / static_cast<int64_t>(m_groups.size());
    shareOut(m_groups, &Phases::lookup, began, share,
             [](CompileGroup& group) -> CompileGroup& { return group; });
    if (m_ignoreCache)
      for (CompileGroup& group : m_groups) {
        group.answer.object.reset();
        if (group.answer.outcome == Outcome::Hit) {
          group.answer.outcome = Outcome::Stale;
          group.answer.reason = "compiled again because the cache was to be ignored";
        }
      }
  }

  /// What was done for many at once, as if one after the other: each has its share of the time.
  template <class Groups, class AsGroup>
  static void shareOut(Groups& groups, int64_t Phases::*phase, int64_t began, int64_t share,
                       AsGroup asGroup) {
    for (auto& one : groups) {
      CompileGroup& group = asGroup(one);
      group.phases.*phase += share;
      group.starts.*phase = began;
      began += share;
    }
  }
  static CompileGroup& pointedTo(CompileGroup* group) { return *group; }

  void linkGroups(const std::vector<CompileGroup*>& groups) {
    if (groups.empty()) return;
    const Timer timer;
    const int64_t began = m_wall.ns();
    std::vector<ObjectRef> refs;
    for (CompileGroup* group : groups)
      refs.push_back(
          {group->symbol, group->made ? std::span(group->made->object) : std::span(group->object)});
    std::vector<Result<void*>> addresses = m_context.engine.linker().link(refs);
    const int64_t share = timer.ns() / static_cast<int64_t>(groups.size());
    shareOut(groups, &Phases::link, began, share, pointedTo);
    for (size_t k = 0; k < groups.size(); ++k) {
      if (addresses[k])
        groups[k]->kernel = reinterpret_cast<KernelFn>(*addresses[k]);
      else
        groups[k]->failure = addresses[k].error();
    }
  }

  void linkHits() {
    std::vector<CompileGroup*> hits;
    for (CompileGroup& group : m_groups)
      if (group.answer.outcome == Outcome::Hit && group.answer.object) {
        group.content = group.answer.object->content;
        group.symbol = group.answer.object->symbol;
        group.object = std::move(group.answer.object->object);
        hits.push_back(&group);
      }
    linkGroups(hits);
    for (CompileGroup* group : hits) {
      if (!group->failure) {
        finish(*group);
        continue;
      }
      // A stored object that does not link is as good as a damaged one: it is compiled again and replaced.
      group->answer.outcome = Outcome::Miss;
      group->answer.reason = "the stored object does not link: " + group->failure->text();
      group->failure.reset();
      group->object.clear();
    }
  }

  void compileMisses() {
    std::vector<CompileGroup*> todo;
    for (CompileGroup& group : m_groups)
      if (!group.kernel) todo.push_back(&group);
    if (todo.empty()) return;
    std::atomic<int64_t> done{0};
    const auto total = static_cast<int64_t>(todo.size());
    Workers& workers = m_context.engine.workers();
    std::mutex mutex;
    std::condition_variable ended;
    int64_t open = total;
    for (CompileGroup* group : todo) {
      Job job;
      job.stop = m_stop;
      job.work = [this, group](Compiler& compiler) { return compileOne(*group, compiler); };
      job.done = [&, group](const JobEnd& end) {
        if (end.state == JobEnd::State::Failed) group->failure = end.error;
        if (end.state == JobEnd::State::Cancelled) group->failure = Error{"cancelled", {}, {}, "Cancelled"};
        if (m_progress)
          m_progress({++done, total,
                      fmt::format("compiled {} ({} of {})", nodeName(*group), done.load(), total),
                      group->items[0]->index});
        std::lock_guard lock(mutex);
        if (--open == 0) ended.notify_all();
      };
      if (!workers.submit(std::move(job))) {
        group->failure = Error{"the compile workers were shut down", {}, {}, {}};
        std::lock_guard lock(mutex);
        --open;
      }
    }
    std::unique_lock lock(mutex);
    ended.wait(lock, [&] { return open == 0; });
  }

  static std::string nodeName(const CompileGroup& group) {
    const NodeInfo& info = *group.items[0]->info;
    return info.detail.empty() ? info.op : fmt::format("{}{{{}}}", info.op, info.detail);
  }

  Result<void> compileOne(CompileGroup& group, Compiler& compiler) {
    const CodeOptions& options = m_context.environment.options;
    const Lowered& lowered = group.items[0]->planned->lowered;
    group.worker = workerNumber();
    group.starts.build = m_wall.ns();
    NW_TRY(BuiltIr ir, compiler.build(emitterOf(lowered, options, m_context.engine.target())));
    group.phases.build = ir.buildNs;
    group.content = contentKey(ir.irBytes, m_context.environment);
    group.symbol = contentSymbol(group.content);
    group.store = true;
    bool madeHere = false;
    auto make = [&]() -> Result<MadeContent> {
      MadeContent made;
      made.symbol = group.symbol;
      if (!m_ignoreCache) {
        if (std::optional<StoredObject> stored = storedContent(group.content)) {
          made.object = std::move(stored->object);
          made.symbol = stored->symbol;
          return made;
        }
      }
      group.starts.optimise = m_wall.ns();
      NW_TRY(CompiledObject object, compiler.compile(std::move(ir), group.symbol, options));
      made.object = std::move(object.object);
      made.phases.optimise = group.phases.optimise = object.optimiseNs;
      made.phases.emit = group.phases.emit = object.emitNs;
      group.starts.emit = group.starts.optimise + object.optimiseNs;
      group.compiledHere = true;
      return made;
    };
    if (m_ignoreCache) {
      // Really compile, whoever has made it before; the linked code stays the one that is linked.
      NW_TRY(MadeContent made, make());
      group.made = std::make_shared<const MadeContent>(std::move(made));
      return {};
    }
    NW_TRY(group.made, m_context.engine.makeOnce(group.content, make, madeHere));
    return {};
  }

  /// Threads by the order in which they first worked for this compile.
  int workerNumber() {
    std::lock_guard lock(m_workersMutex);
    return m_workers.try_emplace(std::this_thread::get_id(), static_cast<int>(m_workers.size()))
        .first->second;
  }

  std::optional<StoredObject> storedContent(const Hash& content) {
    std::lock_guard lock(m_storeMutex);
    if (!m_store) return {};
    Result<std::optional<StoredObject>> found = findContent(*m_store, content);
    return found ? std::move(*found) : std::nullopt;
  }

  void linkCompiled() {
    std::vector<CompileGroup*> compiled;
    for (CompileGroup& group : m_groups)
      if (!group.kernel && !group.failure && group.made) compiled.push_back(&group);
    linkGroups(compiled);
  }

  void storeAll() {
    if (!m_store) return;
    std::vector<NewEntry> entries;
    std::vector<CompileGroup*> stored;
    if (m_context.settings.recordRuns) {
      const Result<int64_t> run = beginRun(*m_store, m_context.run);
      if (run) m_context.run.id = *run;
    }
    m_summary.runId = m_context.run.id;
    for (CompileGroup& group : m_groups) {
      if (!group.store || group.failure) continue;
      entries.push_back(newEntry(group, m_context.run.id));
      stored.push_back(&group);
    }
    if (entries.empty()) return;
    const Timer timer;
    const int64_t began = m_wall.ns();
    std::vector<StoreResult> results = storeEntries(*m_store, entries);
    const int64_t share = timer.ns() / static_cast<int64_t>(entries.size());
    shareOut(stored, &Phases::store, began, share, pointedTo);
    for (size_t k = 0; k < stored.size(); ++k) stored[k]->storeResult = results[k].text;
    takeNotices();
  }

  /// Counts the group and tells the session about its nodes; once.
  void finish(CompileGroup& group) {
    if (group.items.empty()) return;
    const bool hit = group.hit();
    const Outcome outcome = group.outcome();
    const auto count = static_cast<int64_t>(group.items.size());
    bool first = true;
    for (const CompileItem* item : group.items) {
      const NodeState state = nodeState(group, first); // equal nodes were made once
      item->planned->kernel = group.kernel;
      m_report(*item, state);
      m_lookups.push_back(lookupRow(*item, group.key.hash, state));
      if (hit && first) m_summary.savedNs += state.recordedCompileNs; // equal nodes would be made once
      first = false;
    }
    struct Count {
      Outcome outcome;
      int64_t CompileSummary::*field;
    };
    static constexpr Count counts[] = {
        {Outcome::Hit, &CompileSummary::hits},      {Outcome::Miss, &CompileSummary::misses},
        {Outcome::Stale, &CompileSummary::stale},   {Outcome::Uncacheable, &CompileSummary::uncacheable},
        {Outcome::Failed, &CompileSummary::failed}, {Outcome::LookupError, &CompileSummary::lookupErrors}};
    for (const Count& c : counts)
      if (c.outcome == outcome) m_summary.*c.field += count;
    if (group.compiledHere)
      ++m_summary.compiled;
    else if (!hit && !group.failure)
      m_summary.shared += count;
    addPhases(m_summary.phases, group.phases);
    group.items.clear();
  }

  void record() {
    if (!m_store || !m_context.settings.recordRuns) return;
    const RunRow run = summedUp(m_context.run, m_summary);
    for (LookupRow& row : m_lookups) row.runId = run.id;
    Result<int64_t> id = recordRun(*m_store, run, m_lookups);
    if (id) {
      m_summary.runId = *id;
      // After the run's hits are recorded: what it used is not old.
      if (const Result<int64_t> dropped = applyAgeCap(*m_store); !dropped)
        m_summary.warnings.push_back("the age cap was not applied: " + dropped.error().text());
    } else {
      m_summary.warnings.push_back("the run was not recorded: " + id.error().text());
    }
    takeNotices();
  }

  CompileContext m_context;
  bool m_ignoreCache;
  const std::function<void(const CompileItem&, const NodeState&)>& m_report;
  const ProgressFn& m_progress;
  std::stop_token m_stop;
  std::vector<CompileGroup> m_groups;
  Timer m_wall;
  std::mutex m_workersMutex;
  std::map<std::thread::id, int> m_workers;
  std::mutex m_storeMutex; ///< workers ask for contents one at a time
  Engine::LockedStore m_locked;
  Store* m_store = nullptr;
  std::string m_storeError;
  std::vector<LookupRow> m_lookups;
  CompileSummary m_summary;
};

} // namespace

Key nodeKey(const Lowered& lowered, const KeyEnvironment& environment) {
  return makeKey(lowered.keyParts, environment);
}

/// Parts are length-prefixed one by one, so the bytes of two lists are those of the lists joined.
Hash nodeKeyHash(const Lowered& lowered, std::string_view environmentBytes) {
  const std::string nodeBytes = canonicalBytes(lowered.keyParts);
  const std::array<std::string_view, 3> pieces{kKeyFormat, nodeBytes, environmentBytes};
  return hashPieces(pieces);
}

Result<CompileSummary> compileItems(const CompileContext& context, std::span<const CompileItem> items,
                                    bool ignoreCache,
                                    const std::function<void(const CompileItem&, const NodeState&)>& report,
                                    const ProgressFn& progress, std::stop_token stop) {
  return Compile(context, ignoreCache, report, progress, std::move(stop)).run(items);
}

} // namespace nodewise
