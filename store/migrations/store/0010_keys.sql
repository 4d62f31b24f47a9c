-- What keys may do: groups of endpoints and formats, separated by commas, where
-- nothing means all; and what they may spend, where 0 credits mean any number. What they
-- have spent is in daily_usage.

ALTER TABLE api_keys ADD COLUMN allowed_endpoints TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN allowed_formats TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN spend_credits BIGINT NOT NULL DEFAULT 0;
ALTER TABLE api_keys ADD COLUMN spend_interval TEXT NOT NULL DEFAULT '';

-- What callers think of a request of theirs.
CREATE TABLE feedback (
    team_id TEXT NOT NULL,
    id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    job_id TEXT NOT NULL, -- empty if it is about none
    body TEXT NOT NULL, -- JSON
    created_at BIGINT NOT NULL,
    PRIMARY KEY (team_id, id)
);
CREATE UNIQUE INDEX feedback_job ON feedback (team_id, endpoint, job_id) WHERE job_id <> '';
CREATE INDEX feedback_age ON feedback (created_at);

-- Files that are sent before they are parsed. States: 0 awaited, 1 here, 2 parsed.
CREATE TABLE uploads (
    id TEXT NOT NULL PRIMARY KEY,
    team_id TEXT NOT NULL,
    state BIGINT NOT NULL,
    name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size BIGINT NOT NULL, -- that was declared; 0 if none was
    blob_id TEXT NOT NULL, -- empty unless the file is here
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX uploads_team ON uploads (team_id, created_at);
CREATE INDEX uploads_expiry ON uploads (expires_at);
CREATE INDEX uploads_blob ON uploads (blob_id) WHERE blob_id <> '';
