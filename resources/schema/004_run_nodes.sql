-- What the views of cost need of a run besides its outcomes: every node by name, when each phase began and on which
-- worker, and how long runs took. Rows go with their run. (See cache/run_history.h.)

-- How a run's code was made.
CREATE TABLE run_environment (
  run_id INTEGER PRIMARY KEY,
  level INTEGER, workers INTEGER, cpu TEXT, llvm_version TEXT
);

-- One row for each node that took part, of every kind, in the order of the file.
CREATE TABLE run_node (
  run_id INTEGER, position INTEGER,
  node TEXT, op TEXT, label TEXT, name TEXT, scope TEXT, kind TEXT, dtype TEXT,
  structure BLOB,            -- 16 bytes, as entry.structure; NULL for nodes without a key
  recorded_ns INTEGER,       -- what compiling cost when the entry was made
  object_bytes INTEGER,
  worker INTEGER,            -- -1: nothing was compiled for it
  -- Nanoseconds from the beginning of the run to that of the phase.
  lookup_at INTEGER, build_at INTEGER, optimise_at INTEGER, emit_at INTEGER, link_at INTEGER, store_at INTEGER,
  PRIMARY KEY (run_id, position)
) WITHOUT ROWID;

-- Run times of nodes, by profiled calls after the compile.
CREATE TABLE run_time (
  run_id INTEGER, position INTEGER,
  calls INTEGER, ns INTEGER,
  PRIMARY KEY (run_id, position)
) WITHOUT ROWID;

CREATE TRIGGER run_history_removed AFTER DELETE ON run BEGIN
  DELETE FROM run_environment WHERE run_id = OLD.id;
  DELETE FROM run_node WHERE run_id = OLD.id;
  DELETE FROM run_time WHERE run_id = OLD.id;
END;
