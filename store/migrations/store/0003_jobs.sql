-- Jobs of many pages: crawls and batches. Whoever changes a row of jobs, pages,
-- results or deliveries holds the row of the team.

ALTER TABLE teams ADD COLUMN robots_exempt BOOLEAN NOT NULL DEFAULT FALSE; -- may ask to ignore robots.txt
ALTER TABLE teams ADD COLUMN webhook_secret TEXT NOT NULL DEFAULT ''; -- made when it is first needed

CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    team_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    url TEXT NOT NULL,
    request TEXT NOT NULL, -- JSON, without the addresses of a batch
    zero_data_retention BOOLEAN NOT NULL,
    seal BYTEA, -- key that documents are sealed with under zero data retention
    base TEXT NOT NULL, -- where a crawl starts, after redirects
    page_limit BIGINT NOT NULL,
    concurrency BIGINT NOT NULL, -- 0 means that of the team
    delay BIGINT NOT NULL, -- between two pages, in milliseconds
    next_start BIGINT NOT NULL, -- when the next page may start, if there is a delay
    discovering BOOLEAN NOT NULL, -- more pages may come without a page finishing
    held BOOLEAN NOT NULL, -- until then only the first page is scraped
    webhook BIGINT NOT NULL, -- events that are wanted, a bit for each
    courier BIGINT NOT NULL, -- counts up when a task begins to deliver its events, and when it ends: odd while there is one
    last_page BIGINT NOT NULL, -- the highest number given to a page
    last_event BIGINT NOT NULL,
    queued BIGINT NOT NULL,
    total BIGINT NOT NULL,
    completed BIGINT NOT NULL, -- also the highest sequence number of a result
    failed BIGINT NOT NULL,
    over_limit BIGINT NOT NULL, -- sightings that the limit kept out
    sighted BIGINT NOT NULL, -- sightings that are kept
    robots_blocked BIGINT NOT NULL,
    credits BIGINT NOT NULL,
    error TEXT NOT NULL,
    warning TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    finished_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX jobs_active ON jobs (team_id, id) WHERE state = 'scraping';
CREATE INDEX jobs_expiry ON jobs (expires_at);

CREATE TABLE job_options (
    job_id TEXT NOT NULL,
    n BIGINT NOT NULL,
    body TEXT NOT NULL, -- JSON
    PRIMARY KEY (job_id, n)
);

-- The frontier. States: 0 queued, 1 running, 2 done, 3 failed, 4 dropped because
-- it turned out to be another page, 5 cancelled.
CREATE TABLE pages (
    job_id TEXT NOT NULL,
    n BIGINT NOT NULL,
    team_id TEXT NOT NULL,
    state BIGINT NOT NULL,
    url TEXT NOT NULL,
    depth BIGINT NOT NULL,
    options BIGINT NOT NULL, -- number in job_options
    start_at BIGINT NOT NULL DEFAULT 0,
    attempts BIGINT NOT NULL DEFAULT 0, -- made alone, after others ended with their process
    id TEXT NOT NULL DEFAULT '', -- of the failure
    code TEXT NOT NULL DEFAULT '',
    error TEXT NOT NULL DEFAULT '',
    finished_at BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (job_id, n)
) /* clustered */;
CREATE INDEX pages_queued ON pages (job_id, n) WHERE state = 0;
CREATE INDEX pages_running ON pages (team_id, job_id, n) WHERE state = 1;
CREATE INDEX pages_failed ON pages (job_id, n) WHERE state = 3;

-- Which page of a job an address is, by a hash of its identity.
CREATE TABLE seen (
    job_id TEXT NOT NULL,
    identity BYTEA NOT NULL,
    url_hash BYTEA NOT NULL, -- of the address that came first
    n BIGINT NOT NULL,
    PRIMARY KEY (job_id, identity)
) /* clustered */;

-- Addresses that did not become pages.
CREATE TABLE sightings (
    job_id TEXT NOT NULL,
    url_hash BYTEA NOT NULL,
    identity BYTEA NOT NULL,
    url TEXT NOT NULL,
    fate TEXT NOT NULL,
    detail TEXT NOT NULL,
    depth BIGINT NOT NULL,
    PRIMARY KEY (job_id, url_hash)
) /* clustered */;

CREATE TABLE results (
    job_id TEXT NOT NULL,
    seq BIGINT NOT NULL, -- 1, 2, … without a gap
    id TEXT NOT NULL,
    team_id TEXT NOT NULL,
    page BIGINT NOT NULL,
    size BIGINT NOT NULL, -- of the JSON
    blob_id TEXT NOT NULL,
    head BYTEA, -- as in records
    tail BYTEA NOT NULL,
    PRIMARY KEY (job_id, seq)
);
CREATE UNIQUE INDEX results_id ON results (id);
CREATE INDEX results_blob ON results (blob_id) WHERE blob_id <> '';

-- Events on their way to a webhook. States: 0 pending, 1 delivered, 2 failed.
CREATE TABLE deliveries (
    job_id TEXT NOT NULL,
    n BIGINT NOT NULL,
    id TEXT NOT NULL,
    event TEXT NOT NULL,
    page BIGINT NOT NULL,
    seq BIGINT NOT NULL, -- of the result, 0 if the page failed
    state BIGINT NOT NULL DEFAULT 0,
    attempts BIGINT NOT NULL DEFAULT 0,
    status BIGINT NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL DEFAULT 0,
    next_at BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (job_id, n)
) /* clustered */;
CREATE INDEX deliveries_pending ON deliveries (job_id, n) WHERE state = 0;

CREATE TABLE idempotency_keys (
    team_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (team_id, hash)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- Nodes that are alive, by their last sign of it.
CREATE TABLE nodes (
    id TEXT NOT NULL PRIMARY KEY,
    seen_at BIGINT NOT NULL
);
