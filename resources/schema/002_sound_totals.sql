-- Totals that no damaged number can spoil: one that is not an integer from 0 to 2^44 (17 TB; 5 hours) counts as 0, here
-- and in a recount alike, so that no sum leaves the range of integers. What was undone of an entry goes with it. Indexes
-- by which a list of a million entries is sorted and grouped by any column without reading all rows.

CREATE INDEX entry_environment ON entry (environment_id);
CREATE INDEX entry_label ON entry (label);
CREATE INDEX entry_dtype ON entry (dtype);
CREATE INDEX entry_state ON entry (state);
CREATE INDEX entry_created ON entry (created);
CREATE INDEX entry_used ON entry (used);
CREATE INDEX entry_pinned ON entry (pinned);
CREATE INDEX change_entry ON change (entry_id);

DROP TRIGGER entry_added;
DROP TRIGGER entry_changed;
DROP TRIGGER entry_removed;
DROP TRIGGER object_added;
DROP TRIGGER object_changed;
DROP TRIGGER object_removed;

CREATE TRIGGER entry_added AFTER INSERT ON entry BEGIN
  UPDATE total SET entries = entries + 1,
    own_bytes = own_bytes + iif(typeof(NEW.own_bytes) = 'integer' AND NEW.own_bytes BETWEEN 0 AND 17592186044416, NEW.own_bytes, 0),
    compile_ns = compile_ns + iif(typeof(NEW.compile_ns) = 'integer' AND NEW.compile_ns BETWEEN 0 AND 17592186044416, NEW.compile_ns, 0),
    hits = hits + iif(typeof(NEW.hits) = 'integer' AND NEW.hits BETWEEN 0 AND 17592186044416, NEW.hits, 0),
    pinned = pinned + (NEW.pinned IS 1),
    invalidated = invalidated + (NEW.state IS 'invalidated'),
    deleted = deleted + (NEW.state IS 'deleted'),
    quarantined = quarantined + (NEW.state IS 'quarantined');
END;

CREATE TRIGGER entry_changed AFTER UPDATE OF own_bytes, compile_ns, hits, state, pinned ON entry BEGIN
  UPDATE total SET
    own_bytes = own_bytes + iif(typeof(NEW.own_bytes) = 'integer' AND NEW.own_bytes BETWEEN 0 AND 17592186044416, NEW.own_bytes, 0)
      - iif(typeof(OLD.own_bytes) = 'integer' AND OLD.own_bytes BETWEEN 0 AND 17592186044416, OLD.own_bytes, 0),
    compile_ns = compile_ns + iif(typeof(NEW.compile_ns) = 'integer' AND NEW.compile_ns BETWEEN 0 AND 17592186044416, NEW.compile_ns, 0)
      - iif(typeof(OLD.compile_ns) = 'integer' AND OLD.compile_ns BETWEEN 0 AND 17592186044416, OLD.compile_ns, 0),
    hits = hits + iif(typeof(NEW.hits) = 'integer' AND NEW.hits BETWEEN 0 AND 17592186044416, NEW.hits, 0)
      - iif(typeof(OLD.hits) = 'integer' AND OLD.hits BETWEEN 0 AND 17592186044416, OLD.hits, 0),
    pinned = pinned + (NEW.pinned IS 1) - (OLD.pinned IS 1),
    invalidated = invalidated + (NEW.state IS 'invalidated') - (OLD.state IS 'invalidated'),
    deleted = deleted + (NEW.state IS 'deleted') - (OLD.state IS 'deleted'),
    quarantined = quarantined + (NEW.state IS 'quarantined') - (OLD.state IS 'quarantined');
END;

CREATE TRIGGER entry_removed AFTER DELETE ON entry BEGIN
  UPDATE total SET entries = entries - 1,
    own_bytes = own_bytes
      - iif(typeof(OLD.own_bytes) = 'integer' AND OLD.own_bytes BETWEEN 0 AND 17592186044416, OLD.own_bytes, 0),
    compile_ns = compile_ns
      - iif(typeof(OLD.compile_ns) = 'integer' AND OLD.compile_ns BETWEEN 0 AND 17592186044416, OLD.compile_ns, 0),
    hits = hits
      - iif(typeof(OLD.hits) = 'integer' AND OLD.hits BETWEEN 0 AND 17592186044416, OLD.hits, 0),
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
  DELETE FROM change WHERE entry_id = OLD.id;
END;

CREATE TRIGGER object_added AFTER INSERT ON object BEGIN
  UPDATE total SET contents = contents + 1, object_bytes = object_bytes + iif(typeof(NEW.size) = 'integer' AND NEW.size BETWEEN 0 AND 17592186044416, NEW.size, 0);
END;

CREATE TRIGGER object_changed AFTER UPDATE OF size ON object BEGIN
  UPDATE total SET
    object_bytes = object_bytes + iif(typeof(NEW.size) = 'integer' AND NEW.size BETWEEN 0 AND 17592186044416, NEW.size, 0)
      - iif(typeof(OLD.size) = 'integer' AND OLD.size BETWEEN 0 AND 17592186044416, OLD.size, 0);
END;

CREATE TRIGGER object_removed AFTER DELETE ON object BEGIN
  UPDATE total SET contents = contents - 1, object_bytes = object_bytes
      - iif(typeof(OLD.size) = 'integer' AND OLD.size BETWEEN 0 AND 17592186044416, OLD.size, 0);
END;

-- The totals as these rules count them, and what is left of entries that are gone.
UPDATE total SET
  own_bytes = (SELECT ifnull(sum(iif(typeof(own_bytes) = 'integer' AND own_bytes BETWEEN 0 AND 17592186044416, own_bytes, 0)), 0) FROM entry),
  compile_ns = (SELECT ifnull(sum(iif(typeof(compile_ns) = 'integer' AND compile_ns BETWEEN 0 AND 17592186044416, compile_ns, 0)), 0) FROM entry),
  hits = (SELECT ifnull(sum(iif(typeof(hits) = 'integer' AND hits BETWEEN 0 AND 17592186044416, hits, 0)), 0) FROM entry),
  object_bytes = (SELECT ifnull(sum(iif(typeof(size) = 'integer' AND size BETWEEN 0 AND 17592186044416, size, 0)), 0) FROM object);
DELETE FROM change WHERE entry_id NOT IN (SELECT id FROM entry);
