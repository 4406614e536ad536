-- What the cache did on each day, which outlasts the runs (of which a setting keeps so many): added to with each run.
CREATE TABLE day (
  day TEXT PRIMARY KEY,      -- "2025-03-31", UTC
  runs INTEGER, hits INTEGER, lookups INTEGER, compile_ns INTEGER, saved_ns INTEGER,
  entries INTEGER, bytes INTEGER -- at the end of its last run
) WITHOUT ROWID;
INSERT INTO day
  SELECT date(started, 'unixepoch') AS d, count(*), ifnull(sum(hits), 0), ifnull(sum(hits + misses + stale + failed), 0),
         ifnull(sum(compile_ns), 0), ifnull(sum(saved_ns), 0), NULL, NULL
  FROM run WHERE typeof(started) = 'integer' AND d IS NOT NULL GROUP BY d;
