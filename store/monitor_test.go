package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// watch creates a monitor that is due in half an hour.
func (s *env) watch(t testing.TB, team trawl.Team) trawl.Monitor {
	t.Helper()
	due := s.clock.Now().Add(30 * time.Minute)
	m := trawl.Monitor{
		ID: uuid.Must(uuid.NewV7()).String(), TeamID: team.ID, Name: "Watched", Status: trawl.MonitorActive, Cron: "*/30 * * * *", TimeZone: "UTC",
		NextRunAt: due, DueAt: due, RetentionDays: 2,
		MonitorDefinition: trawl.MonitorDefinition{
			Targets: []trawl.MonitorTarget{{ID: "t", Type: trawl.TargetCrawl, URL: "https://site.example/"}}, Webhook: &trawl.Webhook{URL: "https://hook.example/"},
			Notification: trawl.MonitorNotification{Email: &trawl.EmailNotification{Enabled: true, Recipients: []string{"a@b.example"}}},
		},
	}
	if err := s.CreateMonitor(t.Context(), m, []trawl.Recipient{{Email: "a@b.example", Token: m.ID}}); err != nil {
		t.Fatal(err)
	}
	return m
}

// plan is one for a check of the price.
func (s *env) plan(price int64) func(*trawl.Monitor) (store.CheckPlan, error) {
	return func(m *trawl.Monitor) (store.CheckPlan, error) {
		next := m.NextRunAt.Add(30 * time.Minute)
		return store.CheckPlan{
			ID: uuid.Must(uuid.NewV7()).String(), Next: next, Due: next, Estimate: price, Patience: time.Hour,
			Targets: []trawl.CheckTarget{{MonitorTarget: m.Targets[0], Job: uuid.Must(uuid.NewV7()).String()}},
		}, nil
	}
}

// checked is a page that a check found.
func checked(url, status string, body string) store.CheckedPage {
	p := store.CheckedPage{CheckPage: trawl.CheckPage{TargetID: "t", URL: url, Status: status, CurrentScrape: "scrape", Diff: []byte(`{"text":"+x"}`)}}
	if body != "" {
		p.Known = &store.WatchedPage{ScrapeID: "scrape", Known: []byte("{}"), Body: []byte(body)}
	}
	return p
}

func TestMonitorChecks(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := t.Context()
		who := team(t, s.Store, "watchers", 10)
		m := s.watch(t, who)
		due := store.DueTask{Team: who.ID, Monitor: m.ID, Due: m.DueAt.UnixMilli()}
		for range 2 {
			if err := s.StartDue(ctx, due, s.plan(6)); err != nil {
				t.Fatal(err)
			}
		}
		checks, err := s.Checks(ctx, m.ID, "", 10, 0)
		if err != nil || len(checks) != 1 || checks[0].Status != trawl.CheckQueued || *checks[0].Reserved != 6 || balance(t, s.Store, "watchers") != 4 {
			t.Fatalf("checks %+v, %v; %d left", checks, err, balance(t, s.Store, "watchers"))
		}
		var running *store.RunningError
		if _, err := s.StartNow(ctx, who.ID, m.ID, s.plan(1)); !errors.As(err, &running) || running.Check != checks[0].ID || trawl.ErrorCode(err) != trawl.CodeConflict {
			t.Errorf("a second check: %v", err)
		}
		w, err := s.CheckWork(ctx, checks[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.BeginCheck(ctx, &w.Check); err != nil {
			t.Fatal(err)
		}
		pages := []store.CheckedPage{checked("https://site.example/", trawl.ChangeNew, `{"markdown":"a"}`), checked("https://site.example/b", trawl.ChangeError, "")}
		for _, want := range []bool{true, false} { // the second time another was faster
			stored, err := s.AddPages(ctx, &w, "0 documents 2", pages, 1, w.Targets)
			if err != nil || stored != want {
				t.Fatalf("stored %t, %v", stored, err)
			}
		}
		if last, err := s.LastProgress(ctx, w.ID); err != nil || last.IsZero() {
			t.Errorf("progress %v, %v", last, err)
		}
		if found, err := s.FoundAny(ctx, w.ID, "t", "https://site.example/"); err != nil || !found {
			t.Errorf("found %t, %v", found, err)
		}
		if _, _, _, err := s.Subscribe(ctx, m.ID, trawl.RecipientConfirmed); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := s.EndCheck(ctx, &w, "", func(trawl.CheckSummary, []trawl.CheckPage) bool { return true }); err != nil {
				t.Fatal(err)
			}
		}
		ended, err := s.Check(ctx, m.ID, w.ID)
		if err != nil || ended.Status != trawl.CheckPartial || *ended.Actual != 1 || ended.Billing != trawl.BillingConfirmed || ended.Summary.Total != 2 || balance(t, s.Store, "watchers") != 9 {
			t.Errorf("check %+v, %v; %d left", ended, err, balance(t, s.Store, "watchers"))
		}
		if told, err := s.ToldByWebhook(ctx, w.ID); err != nil || told.Total != 3 || told.Queued() != 3 {
			t.Errorf("events %+v, %v", told, err)
		}
		if told, err := s.ToldByMail(ctx, w.ID); err != nil || told.Total != 1 {
			t.Errorf("mails %+v, %v", told, err)
		}
		if news, err := s.NewsOf(ctx, m.ID, 10); err != nil || len(news) != 1 || string(news[0].Diff) != `{"text":"+x"}` {
			t.Errorf("news %+v, %v", news, err)
		}
		known, err := s.WatchedPages(ctx, m.ID, "t", []string{"https://site.example/", "https://site.example/b"})
		if err != nil || len(known) != 1 || string(known["https://site.example/"].Body) != `{"markdown":"a"}` {
			t.Errorf("known %+v, %v", known, err)
		}
		s.secondCheck(t, m)
	})
}

// secondCheck lets the known page go, and the checks expire.
func (s *env) secondCheck(t *testing.T, m trawl.Monitor) {
	t.Helper()
	ctx := t.Context()
	c, err := s.StartNow(ctx, m.TeamID, m.ID, s.plan(2))
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.CheckWork(ctx, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	gone, err := s.UnseenPages(ctx, &w.Check, "t", 10)
	if err != nil || len(gone) != 1 || gone[0].URL != "https://site.example/" {
		t.Fatalf("unseen %+v, %v", gone, err)
	}
	gone[0].Removed = true
	page := checked(gone[0].URL, trawl.ChangeRemoved, "")
	page.Known = &gone[0]
	if _, err := s.AddPages(ctx, &w, "1 documents 0", []store.CheckedPage{page}, 0, w.Targets); err != nil {
		t.Fatal(err)
	}
	if err := s.EndCheck(ctx, &w, "It failed.", nil); err != nil {
		t.Fatal(err)
	}
	if ended, err := s.Check(ctx, m.ID, c.ID); err != nil || ended.Status != trawl.CheckFailed || ended.Billing != trawl.BillingReleased || *ended.Actual != 0 {
		t.Errorf("check %+v, %v", ended, err)
	}
	if urls, err := s.CheckedURLs(ctx, c.ID, "t"); err != nil || len(urls) != 1 {
		t.Errorf("addresses %v, %v", urls, err)
	}
	now := s.clock.Advance(49 * time.Hour)
	if stats, err := s.Sweep(ctx, now, 0); err != nil || stats.Checks != 2 {
		t.Errorf("swept %+v, %v", stats, err)
	}
	if known, err := s.WatchedPages(ctx, m.ID, "t", []string{"https://site.example/"}); err != nil || !known["https://site.example/"].Removed || known["https://site.example/"].Body == nil {
		t.Errorf("known %+v, %v", known, err)
	}
	if err := s.DeleteMonitor(ctx, m.TeamID, m.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sweep(ctx, now, 0); err != nil {
		t.Error(err)
	}
	if known, err := s.WatchedPages(ctx, m.ID, "t", []string{"https://site.example/"}); err != nil || len(known) != 0 {
		t.Errorf("known %+v, %v", known, err)
	}
}

// A monitor whose task is lost is reminded of it, and one that has its task is not.
func TestRemind(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		s.watch(t, team(t, s.Store, "watchers", -1))
		s.clock.Advance(time.Hour)
		if count, err := s.Remind(t.Context()); err != nil || count != 0 {
			t.Errorf("%d reminded, %v", count, err)
		}
		if err := s.DropTasks(t.Context(), store.QueueMonitor); err != nil {
			t.Fatal(err)
		}
		for _, want := range []int{1, 0} {
			if count, err := s.Remind(t.Context()); err != nil || count != want {
				t.Errorf("%d reminded, want %d: %v", count, want, err)
			}
		}
	})
}

func TestMails(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := t.Context()
		m := s.watch(t, team(t, s.Store, "watchers", -1))
		id, err := s.MailOf(ctx, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		mail, err := s.Mail(ctx, id)
		if err != nil || mail.Email != "a@b.example" || mail.Done || mail.Recipient.Status != trawl.RecipientPending || mail.Recipient.Token != m.ID {
			t.Fatalf("mail %+v, %v", mail, err)
		}
		for _, failure := range []string{"down", ""} {
			if err := s.RecordMail(ctx, &mail, failure, false); err != nil {
				t.Fatal(err)
			}
		}
		if mail, err = s.Mail(ctx, id); err != nil || !mail.Done || mail.Attempts != 2 {
			t.Errorf("mail %+v, %v", mail, err)
		}
		if all, err := s.Recipients(ctx, m.ID); err != nil || !all["a@b.example"].Sent {
			t.Errorf("recipients %+v, %v", all, err)
		}
		for _, want := range []string{trawl.RecipientPending, trawl.RecipientUnsubscribed} {
			if before, email, name, err := s.Subscribe(ctx, m.ID, trawl.RecipientUnsubscribed); err != nil || before != want || email != "a@b.example" || name != "Watched" {
				t.Errorf("%s %s %s, %v", before, email, name, err)
			}
		}
	})
}
