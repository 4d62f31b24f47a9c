package trawl

import (
	"encoding/json"
	"time"
)

// Kinds of jobs. They are also the first part of the names of their events.
const (
	KindCrawl   = "crawl"
	KindBatch   = "batch_scrape"
	KindExtract = "extract"
)

// States of a job. All but the first are final.
const (
	StateScraping  = "scraping"
	StateCompleted = "completed"
	StateFailed    = "failed"
	StateCancelled = "cancelled"
)

// Job is work on many pages that outlives its request: a crawl, a batch or an extract.
type Job struct {
	ID                string
	TeamID            string
	KeyID             string
	Kind              string
	State             string
	URL               string          // where a crawl starts, or the first address of an extract, as it was typed; empty for a batch
	Request           json.RawMessage // the body of the request that started it
	ZeroDataRetention bool
	Total             int // pages attempted: finished, running and queued
	Completed         int // pages with a document; their sequence numbers are 1 to Completed
	Failed            int // pages without one
	Credits           int64
	Tokens            int64  // of a language model, that an extract used
	Error             string // why the job failed
	Warning           string // what could not be done as asked
	RobotsBlocked     int    // addresses that a robots.txt forbids
	CreatedAt         time.Time
	FinishedAt        time.Time // zero while it runs
	ExpiresAt         time.Time
}

// Done reports whether the job has reached a final state.
func (j *Job) Done() bool { return j.State != StateScraping }

// PageError is a page of a job that has no document, and why.
type PageError struct {
	ID   string // of the page within the service
	URL  string
	Code Code
	Text string
	At   time.Time
}

// Fates of the addresses that a crawl has seen.
const (
	FateQueued    = "queued"
	FateRunning   = "running"
	FateScraped   = "scraped"
	FateFailed    = "failed"
	FateCancelled = "cancelled"
	FateFiltered  = "filtered"
	FateRobots    = "robots"
	FateDuplicate = "duplicate"
	FateOverLimit = "limit"
)

// Sighting is an address that a crawl has seen, and what became of it.
type Sighting struct {
	URL    string
	Fate   string
	Detail string // the rule that filtered it, the address it duplicates, the code of its failure
	Depth  int
	From   string // the page that led to it; empty if none did
}

// Delivery is one event of a job on its way to the job's webhook.
type Delivery struct {
	ID        string // the same for every attempt
	Number    int    // counts the events of the job from 1
	Type      string // crawl.page and the like
	URL       string // of the page it is about
	State     string
	Attempts  int
	Status    int    // of the last answer; 0 if there was none
	Error     string // why the last attempt failed
	CreatedAt time.Time
	LastAt    time.Time // of the last attempt
	NextAt    time.Time // of the next one
}

// States of a delivery.
const (
	DeliveryPending   = "pending"
	DeliveryDelivered = "delivered"
	DeliveryFailed    = "failed"
)
