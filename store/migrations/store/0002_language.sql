-- The language that the server declared for a cached page.
ALTER TABLE cached_pages ADD COLUMN language TEXT NOT NULL DEFAULT '';
