-- Monitors: pages, sites and searches that are looked at on a schedule. Whoever
-- changes a row of these tables holds the row of the team.

CREATE TABLE monitors (
    id TEXT NOT NULL PRIMARY KEY,
    team_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    cron TEXT NOT NULL,
    timezone TEXT NOT NULL,
    next_run_at BIGINT NOT NULL, -- by the schedule; 0 while it is paused
    due_at BIGINT NOT NULL, -- when that run really starts
    last_run_at BIGINT NOT NULL DEFAULT 0,
    current_check TEXT NOT NULL DEFAULT '', -- the one that runs
    definition TEXT NOT NULL, -- JSON: targets, goal, who is told
    retention_days BIGINT NOT NULL,
    summary TEXT NOT NULL DEFAULT '', -- JSON, of the last check that ended
    public_url TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX monitors_team ON monitors (team_id, id);
CREATE INDEX monitors_due ON monitors (due_at) WHERE status = 'active';

CREATE TABLE checks (
    id TEXT NOT NULL PRIMARY KEY,
    monitor_id TEXT NOT NULL,
    team_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    status TEXT NOT NULL,
    run TEXT NOT NULL, -- what started it: scheduled or manual
    scheduled_for BIGINT NOT NULL, -- 0 if it was not
    started_at BIGINT NOT NULL DEFAULT 0,
    finished_at BIGINT NOT NULL DEFAULT 0,
    estimated BIGINT NOT NULL,
    reserved BIGINT, -- NULL if nothing was
    actual BIGINT, -- NULL until it is known
    billing TEXT NOT NULL,
    definition TEXT NOT NULL, -- of the monitor when it began
    targets TEXT NOT NULL, -- JSON, with what became of them
    progress TEXT NOT NULL DEFAULT '', -- up to where pages were compared
    summary TEXT NOT NULL, -- JSON
    last_page BIGINT NOT NULL DEFAULT 0, -- the highest number of a page
    judged BIGINT NOT NULL DEFAULT 0, -- pages that a language model judged
    error TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX checks_monitor ON checks (monitor_id, id);
CREATE UNIQUE INDEX checks_due ON checks (monitor_id, scheduled_for) WHERE scheduled_for > 0;
CREATE INDEX checks_expiry ON checks (expires_at);
CREATE INDEX checks_running ON checks (id) WHERE finished_at = 0;

CREATE TABLE check_pages (
    check_id TEXT NOT NULL,
    n BIGINT NOT NULL,
    id TEXT NOT NULL,
    target_id TEXT NOT NULL,
    url TEXT NOT NULL,
    status TEXT NOT NULL,
    previous_scrape TEXT NOT NULL,
    current_scrape TEXT NOT NULL,
    status_code BIGINT NOT NULL,
    error TEXT NOT NULL,
    metadata TEXT NOT NULL, -- JSON, or empty
    judgment TEXT NOT NULL, -- JSON, or empty
    diff BYTEA, -- JSON, compressed
    snapshot BYTEA, -- JSON, compressed
    created_at BIGINT NOT NULL,
    PRIMARY KEY (check_id, n)
);

-- What a monitor knows of its pages: each as it was when it was last there.
CREATE TABLE monitor_pages (
    monitor_id TEXT NOT NULL,
    hash BYTEA NOT NULL, -- of target and address
    target_id TEXT NOT NULL,
    url TEXT NOT NULL,
    scrape_id TEXT NOT NULL,
    removed BOOLEAN NOT NULL,
    seen_in TEXT NOT NULL, -- the check that last came across it
    known TEXT NOT NULL, -- JSON: what else is known of it
    blob_id TEXT NOT NULL,
    body BYTEA, -- its text and data as JSON, compressed
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (monitor_id, hash)
);
CREATE INDEX monitor_pages_target ON monitor_pages (monitor_id, target_id, hash);
CREATE INDEX monitor_pages_blob ON monitor_pages (blob_id) WHERE blob_id <> '';

-- Who gets mail of a monitor.
CREATE TABLE recipients (
    monitor_id TEXT NOT NULL,
    email TEXT NOT NULL,
    status TEXT NOT NULL,
    token TEXT NOT NULL UNIQUE,
    asked_at BIGINT NOT NULL DEFAULT 0, -- when the mail that asks for confirmation was sent
    created_at BIGINT NOT NULL,
    PRIMARY KEY (monitor_id, email)
);

-- Mail on its way. States as in deliveries.
CREATE TABLE mails (
    id TEXT NOT NULL PRIMARY KEY,
    team_id TEXT NOT NULL,
    monitor_id TEXT NOT NULL,
    check_id TEXT NOT NULL, -- empty for one that asks for confirmation
    email TEXT NOT NULL,
    state BIGINT NOT NULL DEFAULT 0,
    attempts BIGINT NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX mails_check ON mails (check_id) WHERE check_id <> '';
CREATE INDEX mails_monitor ON mails (monitor_id);

-- The check that a job is a part of, which pays for it; empty for others.
ALTER TABLE jobs ADD COLUMN check_id TEXT NOT NULL DEFAULT '';
