-- The last version of every page that a team tracks, under each of its tags.
CREATE TABLE versions (
    team_id TEXT NOT NULL,
    hash BYTEA NOT NULL, -- of tag and address
    scope BYTEA NOT NULL, -- hash of tag and site
    url TEXT NOT NULL,
    scraped_at BIGINT NOT NULL,
    gone BOOLEAN NOT NULL, -- the site said so
    hidden BOOLEAN NOT NULL, -- no link led to it
    digest BYTEA NOT NULL, -- of its text, whitespace aside
    size BIGINT NOT NULL, -- of the text
    blob_id TEXT NOT NULL,
    body BYTEA, -- the text, compressed
    PRIMARY KEY (team_id, hash)
);
CREATE INDEX versions_known ON versions (team_id, scope, scraped_at, hash) WHERE NOT gone;
CREATE INDEX versions_oldest ON versions (team_id, scraped_at);
CREATE INDEX versions_age ON versions (scraped_at);
CREATE INDEX versions_blob ON versions (blob_id) WHERE blob_id <> '';

-- Crawls that track changes: once their pages are done, a task adds those that
-- are known from before. These have higher numbers than any other.
ALTER TABLE jobs ADD COLUMN tracks BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE jobs ADD COLUMN last_visible BIGINT NOT NULL DEFAULT 0; -- the highest number of a page that a link led to; 0 until that is clear, -1 if it never will be
