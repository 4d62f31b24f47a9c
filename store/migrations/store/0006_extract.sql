-- Extracts: jobs whose pages become one answer. Its row in results is that of
-- page 0, and its number is the next after those of the pages.

ALTER TABLE jobs ADD COLUMN tokens BIGINT NOT NULL DEFAULT 0; -- of a language model, that were paid for
ALTER TABLE jobs ADD COLUMN concluding BOOLEAN NOT NULL DEFAULT FALSE; -- all pages are done, and a task makes the answer

-- What a language model answered on behalf of a job, so that it need not be asked
-- again after a crash.
CREATE TABLE answers (
    job_id TEXT NOT NULL,
    key TEXT NOT NULL,
    body BYTEA NOT NULL, -- compressed
    PRIMARY KEY (job_id, key)
) /* clustered */;
