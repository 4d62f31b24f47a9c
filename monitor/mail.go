package monitor

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"time"

	"github.com/riverqueue/river"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// Mailer sends mail.
type Mailer interface {
	// Send sends a message. It reports whether another attempt makes no sense.
	Send(ctx context.Context, m Message) (final bool, err error)
}

// pauses are the times between attempts to send a mail, of which there is one more: a
// mail server may be down for a day.
var pauses = [...]time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour}

// mailWorker sends mails.
type mailWorker struct {
	river.WorkerDefaults[store.MailTask]
	service *Service
}

// Work implements river.Worker.
func (w *mailWorker) Work(ctx context.Context, task *river.Job[store.MailTask]) error {
	wait, err := w.service.deliver(ctx, task.Args.Mail)
	if err == nil && wait > 0 {
		return river.JobSnooze(wait)
	}
	return handBack(ctx, err)
}

// deliver makes one attempt to send a mail, and returns how long to wait for the next,
// if there is to be one. Who unsubscribed meanwhile gets none.
func (s *Service) deliver(ctx context.Context, id string) (wait time.Duration, err error) {
	m, err := s.Store.Mail(ctx, id)
	if err != nil || m.Done {
		return 0, err
	}
	wanted := trawl.RecipientConfirmed
	if m.CheckID == "" {
		wanted = trawl.RecipientPending
	}
	if m.Recipient.Status != wanted {
		return 0, s.Store.RecordMail(ctx, &m, "The recipient does not want it.", true)
	}
	if s.Mail == nil {
		return 0, s.Store.RecordMail(ctx, &m, "This server sends no mail.", true)
	}
	message, err := s.message(ctx, &m)
	if err != nil {
		return 0, err
	}
	final, err := s.Mail.Send(ctx, message)
	if ctx.Err() != nil && err != nil {
		return 0, ctx.Err()
	}
	if err == nil {
		return 0, s.Store.RecordMail(context.WithoutCancel(ctx), &m, "", true)
	}
	final = final || m.Attempts >= len(pauses)
	if record := s.Store.RecordMail(ctx, &m, err.Error(), final); record != nil || final {
		return 0, record
	}
	return pauses[m.Attempts], nil
}

// recipients are those who are to get mail of a monitor, each with a token by which
// they confirm or unsubscribe.
func (s *Service) recipients(m *trawl.Monitor) []trawl.Recipient {
	email, ok := m.Mail()
	if !ok {
		return nil
	}
	var list []trawl.Recipient
	for _, address := range email.Recipients {
		token := make([]byte, 16)
		_, _ = rand.Read(token) // never fails
		list = append(list, trawl.Recipient{Email: trawl.MailAddress(address), Token: hex.EncodeToString(token)})
	}
	return list
}

// Recipients returns who is to get mail of a monitor, in the order in which they were
// named.
func (s *Service) Recipients(ctx context.Context, m *trawl.Monitor) ([]trawl.Recipient, error) {
	if m.Notification.Email == nil || len(m.Notification.Email.Recipients) == 0 {
		return nil, nil
	}
	known, err := s.Store.Recipients(ctx, m.ID)
	if err != nil {
		return nil, err
	}
	var list []trawl.Recipient
	for _, address := range m.Notification.Email.Recipients {
		address = trawl.MailAddress(address)
		r, ok := known[address]
		if !ok {
			r = trawl.Recipient{Email: address, Status: trawl.RecipientPending}
		}
		list = append(list, r)
	}
	return list, nil
}
