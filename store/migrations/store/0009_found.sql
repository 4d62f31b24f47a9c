-- Which page of a job led to an address; 0 if none did, as for those of a sitemap.
ALTER TABLE pages ADD COLUMN found_on BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sightings ADD COLUMN found_on BIGINT NOT NULL DEFAULT 0;
