package monitor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/monitor"
)

func TestCronOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"every 30 minutes":                 "*/30 * * * *",
		"Every 5 mins.":                    "*/5 * * * *",
		"every 1 minute":                   "*/1 * * * *",
		"every 15 min starting at :10":     "10-59/15 * * * *",
		"every 15 minutes start 10":        "10-59/15 * * * *",
		"every 20 minutes starting on :00": "*/20 * * * *",
		"hourly":                           "0 * * * *",
		"every hour at :05":                "5 * * * *",
		"hourly starting at 59":            "59 * * * *",
		"every 6 hours":                    "0 */6 * * *",
		"every 24 hrs":                     "0 */24 * * *",
		"daily":                            "0 0 * * *",
		"every day at 9":                   "0 9 * * *",
		"daily  at 9:05":                   "5 9 * * *",
		"daily at 9am":                     "0 9 * * *",
		"Daily at 5:30 PM":                 "30 17 * * *",
		"daily at 12am":                    "0 0 * * *",
		"daily at 12pm":                    "0 12 * * *",
		"daily at 9 a.m.":                  "0 9 * * *",
		"weekly":                           "0 0 * * 0",
		"every week":                       "0 0 * * 0",
		"weekly on Monday at 9am":          "0 9 * * 1",
	} {
		if got, err := monitor.CronOf(text); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                               "Unsupported schedule text. Try phrases like ",
		"now and then":                   "Unsupported schedule text. Try phrases like ",
		"every 0 minutes":                "Minute interval must be between 1 and 60",
		"every 61 minutes":               "Minute interval must be between 1 and 60",
		"every 7 minutes":                "Minute interval must divide evenly into 60",
		"every 25 hours":                 "Hour interval must be between 1 and 24",
		"every 5 hours":                  "Hour interval must divide evenly into 24",
		"hourly at :60":                  "Schedule start minute must be between 0 and 59",
		"every 5 minutes starting at 99": "Schedule start minute must be between 0 and 59",
		"daily at 24":                    "Daily schedule hour must be between 0 and 23",
		"daily at 13pm":                  "Daily schedule hour must be between 1 and 12",
		"daily at 0am":                   "Daily schedule hour must be between 1 and 12",
	} {
		if _, err := monitor.CronOf(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

func TestNewSchedule(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		cron, text, zone, want string
	}{
		{"", "", "", "Schedule must include either cron or text"},
		{"0 * * * *", "hourly", "", "Schedule must include either cron or text, not both"},
		{"0 * * *", "", "", "Cron expression must contain five fields"},
		{"0 * * * * *", "", "", "Cron expression must contain five fields"},
		{"@daily", "", "", "Cron expression must contain five fields"},
		{"60 * * * *", "", "", "Invalid cron field"},
		{"0 24 * * *", "", "", "Invalid cron field"},
		{"0 0 0 * *", "", "", "Invalid cron field"},
		{"0 0 * 13 *", "", "", "Invalid cron field"},
		{"0 0 * * 8", "", "", "Invalid cron field"},
		{"0 0 * JAN *", "", "", "Invalid cron field"},
		{"9-5 * * * *", "", "", "Invalid cron field"},
		{"-5 * * * *", "", "", "Invalid cron field"},
		{"1, * * * *", "", "", "Invalid cron field"},
		{"*/0 * * * *", "", "", "Invalid cron step"},
		{"*/x * * * *", "", "", "Invalid cron step"},
		{"*/99999999999999999999 * * * *", "", "", "Invalid cron step"},
		{"0 0 30 2 *", "", "", "Cron expression did not produce a run within one year"},
		{"*/4 * * * *", "", "", "Monitor schedule must not run more often than every 5 minutes"},
		{"0,58 * * * *", "", "", "Monitor schedule must not run more often than every 5 minutes"},
		{"0,1 9 * * 6", "", "", "Monitor schedule must not run more often than every 5 minutes"},
		{"0 * * * *", "", "Mars/Phobos", "Invalid monitor schedule timezone: Mars/Phobos"},
		{"0 * * * *", "", "../etc/passwd", "Invalid monitor schedule timezone: ../etc/passwd"},
		{"0 * * * *", "", "Local", "Invalid monitor schedule timezone: Local"},
	} {
		_, err := monitor.NewSchedule(trawl.MonitorSchedule{Cron: c.cron, Text: c.text, TimeZone: c.zone}, now)
		if err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v", c, err)
		}
	}
	got, err := monitor.NewSchedule(trawl.MonitorSchedule{Text: "every 5 minutes", TimeZone: "Europe/Berlin"}, now)
	if want := (monitor.Schedule{Cron: "*/5 * * * *", TimeZone: "Europe/Berlin"}); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestCronNext(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ cron, zone, after, want string }{
		{"*/30 * * * *", "UTC", "2026-06-01T12:00:00Z", "2026-06-01T12:30:00Z"},
		{"*/30 * * * *", "UTC", "2026-06-01T12:29:59Z", "2026-06-01T12:30:00Z"},
		{"10-59/15 * * * *", "UTC", "2026-06-01T12:55:00Z", "2026-06-01T13:10:00Z"},
		{"5/10 * * * *", "UTC", "2026-06-01T12:05:00Z", "2026-06-01T13:05:00Z"},
		{"0 9 * * 7", "UTC", "2026-06-01T12:00:00Z", "2026-06-07T09:00:00Z"},
		{"0 0 13 * 5", "UTC", "2026-06-01T12:00:00Z", "2026-11-13T00:00:00Z"}, // a Friday, and the 13th
		{"0 9 * * *", "Europe/Berlin", "2026-06-01T12:00:00Z", "2026-06-02T07:00:00Z"},
		{"0 9 * * *", "Europe/Berlin", "2026-12-01T12:00:00Z", "2026-12-02T08:00:00Z"},
		{"30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-30T00:30:00Z"}, // there is no 2:30 on the 29th
		{"30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"}, // there are two on the 25th
		{"30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"},
		{"30 2 * * *", "Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z"},
		{"0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z", "2018-11-05T02:00:00Z"},    // there was no midnight on the 4th
		{"15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00Z", "2026-10-04T15:15:00Z"}, // half an hour is left out
		{"0 12 29 2 *", "UTC", "2027-06-01T00:00:00Z", "2028-02-29T12:00:00Z"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		cron, err := monitor.ParseCron(c.cron, zone)
		if err != nil {
			t.Fatal(err)
		}
		after, _ := time.Parse(time.RFC3339, c.after)
		if got := cron.Next(after).Format(time.RFC3339); got != c.want {
			t.Errorf("%s in %s after %s: %s, want %s", c.cron, c.zone, c.after, got, c.want)
		}
	}
}

func TestCronInterval(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"*/30 * * * *": 30 * time.Minute, "0 * * * *": time.Hour, "0 0 * * *": 24 * time.Hour, "0 0 * * 0": 7 * 24 * time.Hour,
		"0 9 * * 1-5": 7 * 24 * time.Hour / 5, "0 0 1 * *": 28 * 24 * time.Hour,
	} {
		cron, err := monitor.ParseCron(text, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		if got := cron.Interval(); got.Round(time.Hour) != want.Round(time.Hour) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
