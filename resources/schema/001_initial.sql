-- The cache database. Each numbered file takes the schema from the version before it to its own number (user_version).
--
-- No column says NOT NULL or CHECK: a damaged file keeps no constraint, so readers look at the type of every value they
-- take, and the planner may not rely on a promise that damage has broken.

-- Settings that hold for every process that does not give its own: "size cap" = "2147483648".
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;

-- What the database knows of itself: "schema" = checksum of all CREATE statements, "age checked" = time.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;

-- The key parts that all nodes of a compile share, as the text of the parts.
CREATE TABLE environment (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again, so that open stores may remember rows
  hash BLOB UNIQUE,          -- of the canonical bytes of the parts
  opt_level TEXT, fast_math TEXT, vector_library TEXT,
  triple TEXT, cpu TEXT, features TEXT,
  llvm_version TEXT, engine_abi TEXT
);

-- One compiled node under one key. Nothing large is in here: lists read this table alone.
CREATE TABLE entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key BLOB UNIQUE,           -- 32 bytes
  content BLOB,              -- 32 bytes; several keys may name one content
  environment_id INTEGER,
  structure BLOB,            -- 16 bytes: hash of the parts that are not versions, options, target or toolchain
  op TEXT, label TEXT, dtype TEXT,
  object_bytes INTEGER,      -- of the object, also in `object`
  own_bytes INTEGER,         -- recipe, IR and text of the node's key parts
  compile_ns INTEGER,
  created INTEGER,           -- Unix seconds
  run_id INTEGER,
  seal BLOB,                 -- 16 bytes: hash of all columns above but id
  state TEXT,                -- live, invalidated, deleted, quarantined
  state_reason TEXT,
  pinned INTEGER,
  hits INTEGER,
  last_use INTEGER,          -- use counter
  used INTEGER,              -- Unix seconds
  priority INTEGER           -- order of eviction, lowest first
);
CREATE INDEX entry_content ON entry (content);
CREATE INDEX entry_structure ON entry (structure);
CREATE INDEX entry_op ON entry (op);
CREATE INDEX entry_cost ON entry (compile_ns);
CREATE INDEX entry_size ON entry (object_bytes);
CREATE INDEX entry_hits ON entry (hits);
CREATE INDEX entry_last_use ON entry (last_use);
CREATE INDEX entry_eviction ON entry (state, priority) WHERE pinned = 0;

-- Machine code, once for each content.
CREATE TABLE object (
  id INTEGER PRIMARY KEY,
  content BLOB UNIQUE,
  symbol TEXT,               -- the one function in it
  checksum BLOB,             -- 32 bytes: of content, symbol and bytes
  size INTEGER,
  bytes BLOB
);

-- Named parts of keys. A part belongs to one op, so that entries that share a part are comparable.
CREATE TABLE part (
  id INTEGER PRIMARY KEY,
  hash BLOB UNIQUE,          -- 16 bytes: of op, name and value
  name TEXT,
  value TEXT
);
CREATE TABLE entry_part (
  entry_id INTEGER, position INTEGER, part_id INTEGER,
  PRIMARY KEY (entry_id, position)
) WITHOUT ROWID;
CREATE INDEX entry_part_part ON entry_part (part_id, entry_id);

-- A key as the text of its parts, in order.
CREATE VIEW key_part AS
  SELECT entry_id, position, name, value FROM entry_part JOIN part ON part.id = part_id
  UNION ALL
  SELECT entry.id, 1000 + column1, column2,
         CASE column1 WHEN 0 THEN opt_level WHEN 1 THEN fast_math WHEN 2 THEN vector_library WHEN 3 THEN triple
                      WHEN 4 THEN cpu WHEN 5 THEN features WHEN 6 THEN llvm_version ELSE engine_abi END
  FROM entry JOIN environment ON environment.id = environment_id
       JOIN (VALUES (0, 'optimisation level'), (1, 'fast math'), (2, 'vector library'), (3, 'triple'), (4, 'cpu'),
                    (5, 'features'), (6, 'LLVM version'), (7, 'engine ABI'));

-- All that is needed to compile an entry again, and its unoptimised IR.
CREATE TABLE recipe (
  entry_id INTEGER PRIMARY KEY,
  graph TEXT,
  ir TEXT,
  symbol TEXT,
  seal BLOB                  -- 16 bytes: of the columns above
);

-- Wall times, in nanoseconds, of the compile that made an entry.
CREATE TABLE phase (
  entry_id INTEGER PRIMARY KEY,
  lookup_ns INTEGER, build_ns INTEGER, optimise_ns INTEGER, emit_ns INTEGER, link_ns INTEGER, store_ns INTEGER
);

-- What people did to entries, and what undo gives back.
CREATE TABLE operation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  command TEXT,
  at INTEGER,
  undone INTEGER
);
CREATE TABLE change (
  operation_id INTEGER, entry_id INTEGER,
  old_state TEXT, old_reason TEXT, new_state TEXT, new_reason TEXT,
  PRIMARY KEY (operation_id, entry_id)
) WITHOUT ROWID;

CREATE TABLE run (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  file TEXT, command TEXT, graph_hash TEXT,
  started INTEGER, wall_ns INTEGER,
  nodes INTEGER, hits INTEGER, misses INTEGER, stale INTEGER, failed INTEGER,
  compile_ns INTEGER, saved_ns INTEGER
);
CREATE TABLE lookup (
  id INTEGER PRIMARY KEY,
  run_id INTEGER,
  node TEXT, op TEXT, key BLOB,
  outcome TEXT, reason TEXT,
  changed_part TEXT, old_value TEXT, new_value TEXT,
  nearest BLOB, nearest_created INTEGER,
  store_result TEXT,
  lookup_ns INTEGER, build_ns INTEGER, optimise_ns INTEGER, emit_ns INTEGER, link_ns INTEGER, store_ns INTEGER
);
CREATE INDEX lookup_run ON lookup (run_id);
CREATE INDEX lookup_key ON lookup (key);

-- Totals, one row, true in every transaction because triggers keep them.
CREATE TABLE total (
  id INTEGER PRIMARY KEY,
  entries INTEGER, own_bytes INTEGER, compile_ns INTEGER, hits INTEGER,
  invalidated INTEGER, deleted INTEGER, quarantined INTEGER, pinned INTEGER,
  contents INTEGER, object_bytes INTEGER,
  use_counter INTEGER
);
INSERT INTO total VALUES (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

-- A damaged number counts as what CAST makes of it, here and in a recount alike.
CREATE TRIGGER entry_added AFTER INSERT ON entry BEGIN
  UPDATE total SET entries = entries + 1,
    own_bytes = own_bytes + ifnull(CAST(NEW.own_bytes AS INTEGER), 0),
    compile_ns = compile_ns + ifnull(CAST(NEW.compile_ns AS INTEGER), 0),
    hits = hits + ifnull(CAST(NEW.hits AS INTEGER), 0),
    pinned = pinned + (NEW.pinned IS 1),
    invalidated = invalidated + (NEW.state IS 'invalidated'),
    deleted = deleted + (NEW.state IS 'deleted'),
    quarantined = quarantined + (NEW.state IS 'quarantined');
END;

CREATE TRIGGER entry_changed AFTER UPDATE OF own_bytes, compile_ns, hits, state, pinned ON entry BEGIN
  UPDATE total SET
    own_bytes = own_bytes + ifnull(CAST(NEW.own_bytes AS INTEGER), 0) - ifnull(CAST(OLD.own_bytes AS INTEGER), 0),
    compile_ns = compile_ns + ifnull(CAST(NEW.compile_ns AS INTEGER), 0) - ifnull(CAST(OLD.compile_ns AS INTEGER), 0),
    hits = hits + ifnull(CAST(NEW.hits AS INTEGER), 0) - ifnull(CAST(OLD.hits AS INTEGER), 0),
    pinned = pinned + (NEW.pinned IS 1) - (OLD.pinned IS 1),
    invalidated = invalidated + (NEW.state IS 'invalidated') - (OLD.state IS 'invalidated'),
    deleted = deleted + (NEW.state IS 'deleted') - (OLD.state IS 'deleted'),
    quarantined = quarantined + (NEW.state IS 'quarantined') - (OLD.state IS 'quarantined');
END;

CREATE TRIGGER entry_removed AFTER DELETE ON entry BEGIN
  UPDATE total SET entries = entries - 1,
    own_bytes = own_bytes - ifnull(CAST(OLD.own_bytes AS INTEGER), 0),
    compile_ns = compile_ns - ifnull(CAST(OLD.compile_ns AS INTEGER), 0),
    hits = hits - ifnull(CAST(OLD.hits AS INTEGER), 0),
    pinned = pinned - (OLD.pinned IS 1),
    invalidated = invalidated - (OLD.state IS 'invalidated'),
    deleted = deleted - (OLD.state IS 'deleted'),
    quarantined = quarantined - (OLD.state IS 'quarantined');
  DELETE FROM object WHERE content = OLD.content
    AND NOT EXISTS (SELECT 1 FROM entry WHERE content = OLD.content);
  DELETE FROM part WHERE id IN (SELECT part_id FROM entry_part WHERE entry_id = OLD.id)
    AND NOT EXISTS (SELECT 1 FROM entry_part AS other WHERE other.part_id = part.id AND other.entry_id <> OLD.id);
  DELETE FROM entry_part WHERE entry_id = OLD.id;
  DELETE FROM recipe WHERE entry_id = OLD.id;
  DELETE FROM phase WHERE entry_id = OLD.id;
END;

CREATE TRIGGER object_added AFTER INSERT ON object BEGIN
  UPDATE total SET contents = contents + 1, object_bytes = object_bytes + ifnull(CAST(NEW.size AS INTEGER), 0);
END;

CREATE TRIGGER object_changed AFTER UPDATE OF size ON object BEGIN
  UPDATE total SET
    object_bytes = object_bytes + ifnull(CAST(NEW.size AS INTEGER), 0) - ifnull(CAST(OLD.size AS INTEGER), 0);
END;

CREATE TRIGGER object_removed AFTER DELETE ON object BEGIN
  UPDATE total SET contents = contents - 1, object_bytes = object_bytes - ifnull(CAST(OLD.size AS INTEGER), 0);
END;

CREATE TRIGGER run_removed AFTER DELETE ON run BEGIN
  DELETE FROM lookup WHERE run_id = OLD.id;
END;
