-- Remote browsers. A session that is active has not been destroyed.
CREATE TABLE sessions (
    id TEXT NOT NULL PRIMARY KEY,
    team_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    stream BOOLEAN NOT NULL, -- it can be watched
    activity_ttl BIGINT NOT NULL, -- in milliseconds
    profile TEXT NOT NULL, -- name of the profile that it began with
    save_changes BOOLEAN NOT NULL,
    node TEXT NOT NULL, -- which holds it
    node_url TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_activity BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    destroyed_at BIGINT NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    credits BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX sessions_team ON sessions (team_id, created_at);
CREATE INDEX sessions_active ON sessions (team_id) WHERE destroyed_at = 0;
CREATE INDEX sessions_destroyed ON sessions (destroyed_at) WHERE destroyed_at > 0;

-- What browsers keep for their teams. One at a time may save to a profile: its
-- holder, the id of a session or of a scrape.
CREATE TABLE profiles (
    team_id TEXT NOT NULL,
    name TEXT NOT NULL,
    blob_id TEXT NOT NULL DEFAULT '', -- of the archive; empty until it is first saved
    size BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    saved_at BIGINT NOT NULL DEFAULT 0,
    holder TEXT NOT NULL, -- empty if there is none
    node TEXT NOT NULL, -- of the holder
    PRIMARY KEY (team_id, name)
);
CREATE INDEX profiles_held ON profiles (holder) WHERE holder <> '';
CREATE INDEX profiles_blob ON profiles (blob_id) WHERE blob_id <> '';

-- Blobs that were left by their row and are still to be deleted. They are too old
-- to be found among the orphans.
CREATE TABLE dropped_blobs (
    id TEXT NOT NULL PRIMARY KEY
);
