-- What a scrape did in its page, as JSON; empty if the page cannot be opened again.
ALTER TABLE records ADD COLUMN replay TEXT NOT NULL DEFAULT '';

-- The scrape that a session goes on from, and whether words told it what to do.
ALTER TABLE sessions ADD COLUMN scrape_id TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN prompted BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX sessions_scrape ON sessions (scrape_id) WHERE scrape_id <> '';
