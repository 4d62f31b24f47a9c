package trawl

import "encoding/json"

// What became of a page since it was tracked before.
const (
	ChangeNew     = "new"     // it was not tracked before, or was gone
	ChangeSame    = "same"    // its text is the same, whitespace aside
	ChangeChanged = "changed" // its text is another
	ChangeRemoved = "removed" // the site says that it is gone
)

// Whether a crawl found a page by links and sitemaps, or only knew it from before.
const (
	PageVisible = "visible"
	PageHidden  = "hidden"
)

// Ways to report a change.
const (
	ModeDiff = "git-diff"
	ModeJSON = "json"
)

// TrackingWait is how long a page that is tracked is given to settle, in
// milliseconds: what is still loading would look like a change.
const TrackingWait = 5000

// ChangeTracking is how a page differs from how it was when the same team tracked
// it under the same tag before.
type ChangeTracking struct {
	PreviousScrapeAt *string         `json:"previousScrapeAt" doc:"When the page was tracked before; null if it was not."`
	ChangeStatus     string          `json:"changeStatus" doc:"What became of the page." enum:"new,same,changed,removed"`
	Visibility       string          `json:"visibility" doc:"Whether links or sitemaps lead to the page." enum:"visible,hidden"`
	Diff             string          `json:"diff,omitempty" doc:"The change as a unified diff, in the mode git-diff."`
	DiffJSON         *Diff           `json:"diffJson,omitempty" doc:"The same diff, taken apart."`
	JSON             json.RawMessage `json:"json,omitempty" doc:"The change in the mode json: the fields of the schema before and now, or an account of it."`
}

// Diff is a unified diff, taken apart.
type Diff struct {
	Files []DiffFile `json:"files" doc:"The text that changed; one, or none."`
}

// DiffFile is one text that changed.
type DiffFile struct {
	From   string      `json:"from" doc:"Name of the text before."`
	To     string      `json:"to" doc:"Name of the text now."`
	Chunks []DiffChunk `json:"chunks" doc:"Where it changed, in order."`
}

// DiffChunk is one place that changed, with some lines around it.
type DiffChunk struct {
	Content string     `json:"content" doc:"The heading, as in @@ -1,3 +1,4 @@."`
	Changes []DiffLine `json:"changes" doc:"Its lines, in order."`
}

// Kinds of lines in a diff.
const (
	LineAdded   = "add"
	LineDeleted = "del"
	LineNormal  = "normal"
)

// DiffLine is a line of a diff. A line that was added or deleted has one number, a
// normal line one in each of the texts.
type DiffLine struct {
	Type    string `json:"type" doc:"What became of the line." enum:"add,del,normal"`
	Content string `json:"content" doc:"The line, after its mark."`
	Line    int    `json:"ln,omitempty" doc:"Its number: now if it was added, before if it was deleted."`
	Before  int    `json:"ln1,omitempty" doc:"Number of a normal line before."`
	Now     int    `json:"ln2,omitempty" doc:"And now."`
	Added   bool   `json:"add,omitempty" doc:"It was added."`
	Deleted bool   `json:"del,omitempty" doc:"It was deleted."`
	Normal  bool   `json:"normal,omitempty" doc:"It is in both."`
}
