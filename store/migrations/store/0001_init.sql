-- Times are milliseconds since 1970 in UTC, 0 means none. Ids are text. A table
-- marked clustered is kept in the order of its key where the database can.

CREATE TABLE teams (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    concurrency BIGINT NOT NULL,
    credits BIGINT CHECK (credits >= 0), -- NULL means unlimited
    granted BIGINT NOT NULL,
    zero_data_retention BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    last_success_at BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE api_keys (
    id TEXT NOT NULL PRIMARY KEY,
    team_id TEXT NOT NULL REFERENCES teams (id),
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT NOT NULL
);
CREATE INDEX api_keys_team ON api_keys (team_id, created_at);

-- The tables below get their rows in a transaction that holds the row of the
-- team, so a reference to it would only be checked twice.

CREATE TABLE ledger (
    team_id TEXT NOT NULL,
    id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    credits BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (team_id, id)
) /* clustered */;

-- The sums of the ledger, kept along with it.
CREATE TABLE monthly_usage (
    team_id TEXT NOT NULL,
    month BIGINT NOT NULL, -- year * 100 + month
    key_id TEXT NOT NULL,
    credits BIGINT NOT NULL,
    PRIMARY KEY (team_id, month, key_id)
) /* clustered */;

CREATE TABLE records (
    team_id TEXT NOT NULL,
    id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    target TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    blob_id TEXT NOT NULL, -- where the head is if it is too big for the row
    head BYTEA, -- compressed JSON
    tail BYTEA, -- the rest of it, not compressed
    PRIMARY KEY (team_id, id)
);
CREATE INDEX records_expiry ON records (expires_at);
CREATE INDEX records_blob ON records (blob_id) WHERE blob_id <> '';

CREATE TABLE cached_pages (
    team_id TEXT NOT NULL,
    key_hash TEXT NOT NULL, -- of the team and the cache key
    fetched_at BIGINT NOT NULL,
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    final_url TEXT NOT NULL,
    content_type TEXT NOT NULL,
    proxy TEXT NOT NULL,
    status BIGINT NOT NULL,
    blob_id TEXT NOT NULL,
    size BIGINT NOT NULL,
    PRIMARY KEY (key_hash, fetched_at, id)
) /* clustered */;
CREATE INDEX cached_pages_age ON cached_pages (fetched_at, size);
CREATE INDEX cached_pages_blob ON cached_pages (blob_id);
