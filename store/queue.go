package store

import (
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/trawlhq/trawl/store/database"
)

// Queues of tasks. Pages that wait for their time to start, and those of extracts,
// have one of their own, so that they do not take the place of others.
const (
	QueuePage    = "page"
	QueueDelayed = "delayed"
	QueueWebhook = "webhook"
	QueueExtract = "extract" // all that may wait for a language model
	QueueMonitor = "monitor" // the clock of monitors: tasks that are due in the future
	QueueMail    = "mail"
	QueueDefault = river.QueueDefault
)

// maxAttempts is as good as no limit: whether a page fails is decided by us, in
// the transaction that stores it.
const maxAttempts = 10_000

// Tasks are what River hands to a node. They name rows and carry no data.
type (
	// PageTask scrapes pages of a job that were admitted together.
	PageTask struct {
		Job   string  `json:"job"`
		Pages []int64 `json:"pages"`
	}
	// DiscoverTask looks for pages of a crawl beyond its links, and for all of an
	// extract.
	DiscoverTask struct {
		Job string `json:"job"`
	}
	// ConcludeTask does what is left once the pages of a job are done: it makes one
	// answer of those of an extract, and adds what a crawl knows from before.
	ConcludeTask struct {
		Job string `json:"job"`
	}
	// DeliverTask delivers the events of a job.
	DeliverTask struct {
		Job     string `json:"job"`
		Courier int64  `json:"courier"` // its number; once the job has another, the task is over
	}
	// DueTask starts a check of a monitor at the time it is scheduled for.
	DueTask struct {
		Team    string `json:"team"`
		Monitor string `json:"monitor"`
		Due     int64  `json:"due"` // once the monitor is due at another time, the task is over
	}
	// CheckTask takes a check of a monitor as far as it goes.
	CheckTask struct {
		Check string `json:"check"`
	}
	// MailTask sends a mail.
	MailTask struct {
		Mail string `json:"mail"`
	}
	// SweepTask deletes what is no longer wanted.
	SweepTask struct{}
)

// Kind names the task.
func (PageTask) Kind() string { return "page" }

// Kind names the task.
func (DiscoverTask) Kind() string { return "discover" }

// Kind names the task.
func (ConcludeTask) Kind() string { return "conclude" }

// Kind names the task.
func (DeliverTask) Kind() string { return "deliver" }

// Kind names the task.
func (DueTask) Kind() string { return "due" }

// Kind names the task.
func (CheckTask) Kind() string { return "check" }

// Kind names the task.
func (MailTask) Kind() string { return "mail" }

// Kind names the task.
func (SweepTask) Kind() string { return "sweep" }

// riverTask is a task to be added.
type riverTask = river.InsertManyParams

func newTask(queue string, args river.JobArgs) river.InsertManyParams {
	return river.InsertManyParams{Args: args, InsertOpts: &river.InsertOpts{Queue: queue, MaxAttempts: maxAttempts}}
}

// taskAt returns a task of the clock of monitors.
func taskAt(at time.Time, args river.JobArgs) river.InsertManyParams {
	task := newTask(QueueMonitor, args)
	task.InsertOpts.ScheduledAt = at
	return task
}

// Queue hands tasks to the workers of this process, from Start until it is
// stopped.
type Queue = database.Queue

// Queue returns a queue on the database. The configuration says which workers
// there are.
func (s *Store) Queue(config *river.Config) (Queue, error) {
	queue, err := s.db.Queue(config)
	if err != nil {
		return nil, fmt.Errorf("open queue: %w", err)
	}
	return queue, nil
}
