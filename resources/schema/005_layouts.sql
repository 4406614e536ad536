-- Where boxes and edges of drawn graphs stand, so that a graph that was drawn once is drawn at once. Nothing here is
-- needed: what is missing or damaged is made again. (See cache/layouts.h.)
CREATE TABLE layout (
  id INTEGER PRIMARY KEY,
  hash BLOB UNIQUE,          -- 32 bytes: of what was laid out
  used INTEGER,              -- counts up with every use; the lowest go first
  checksum BLOB,             -- 32 bytes: of hash and bytes
  bytes BLOB                 -- begins with the version of its format
);
