-- What people see of their team: keys with a number, what a request cost and how
-- long it took, and what was used on a day.

ALTER TABLE api_keys ADD COLUMN number BIGINT NOT NULL DEFAULT 0; -- by which clients know it
ALTER TABLE api_keys ADD COLUMN operator BOOLEAN NOT NULL DEFAULT FALSE; -- sees the whole server
UPDATE api_keys SET number = (SELECT COUNT(*) FROM api_keys other
    WHERE other.created_at < api_keys.created_at OR other.created_at = api_keys.created_at AND other.id <= api_keys.id);

ALTER TABLE records ADD COLUMN credits BIGINT NOT NULL DEFAULT 0;
ALTER TABLE records ADD COLUMN duration BIGINT NOT NULL DEFAULT 0; -- in milliseconds
ALTER TABLE records ADD COLUMN code TEXT NOT NULL DEFAULT ''; -- why it failed

-- The sums of the ledger from here on. Those of the months before stay where they are.
CREATE TABLE daily_usage (
    team_id TEXT NOT NULL,
    day BIGINT NOT NULL, -- year * 10000 + month * 100 + day, in UTC
    key_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    credits BIGINT NOT NULL,
    requests BIGINT NOT NULL,
    PRIMARY KEY (team_id, day, key_id, kind)
) /* clustered */;

CREATE INDEX jobs_team ON jobs (team_id, id);
