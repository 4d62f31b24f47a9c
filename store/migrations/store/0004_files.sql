-- Pictures and PDFs that scrapes made. The bytes are the blob with the same id.
CREATE TABLE files (
    id TEXT NOT NULL PRIMARY KEY,
    team_id TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) /* clustered */;
CREATE INDEX files_expiry ON files (expires_at);

-- The picture that was taken of a cached page. It may be gone before the page.
ALTER TABLE cached_pages ADD COLUMN file_id TEXT NOT NULL DEFAULT '';
ALTER TABLE cached_pages ADD COLUMN file_type TEXT NOT NULL DEFAULT '';
ALTER TABLE cached_pages ADD COLUMN file_expires_at BIGINT NOT NULL DEFAULT 0;

-- What the addresses of a job's files begin with.
ALTER TABLE jobs ADD COLUMN public_url TEXT NOT NULL DEFAULT '';

-- What all nodes know and nobody else does.
CREATE TABLE secrets (
    name TEXT NOT NULL PRIMARY KEY,
    value BYTEA NOT NULL
);
