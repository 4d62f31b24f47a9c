-- A blob belongs to the row that names it, and through it to a team.
CREATE TABLE blobs (
    id TEXT NOT NULL,
    chunk BIGINT NOT NULL, -- 0, 1, …
    created_at BIGINT NOT NULL,
    data BYTEA NOT NULL,
    PRIMARY KEY (id, chunk)
);
CREATE INDEX blobs_age ON blobs (created_at, id) WHERE chunk = 0;
