package monitor

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // for machines that know no time zones

	"github.com/trawlhq/trawl"
)

// Schedule is when the checks of a monitor are due, as it is stored.
type Schedule struct {
	Cron     string
	TimeZone string
}

// NewSchedule reads what a caller asks for, and refuses what is due too often or never.
func NewSchedule(s trawl.MonitorSchedule, now time.Time) (Schedule, error) {
	cron := strings.Join(strings.Fields(s.Cron), " ")
	switch {
	case s.Cron == "" && s.Text == "":
		return Schedule{}, refuse("Schedule must include either cron or text")
	case s.Cron != "" && s.Text != "":
		return Schedule{}, refuse("Schedule must include either cron or text, not both")
	case s.Text != "":
		var err error
		if cron, err = CronOf(s.Text); err != nil {
			return Schedule{}, err
		}
	}
	schedule := Schedule{Cron: cron, TimeZone: s.TimeZone}
	if schedule.TimeZone == "" {
		schedule.TimeZone = "UTC"
	}
	compiled, err := schedule.compile()
	if err != nil {
		return Schedule{}, err
	}
	return schedule, compiled.check(now)
}

func (s Schedule) compile() (*Cron, error) {
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil || s.TimeZone == "Local" {
		return nil, refuse("Invalid monitor schedule timezone: " + s.TimeZone)
	}
	return ParseCron(s.Cron, zone)
}

// The phrases that a schedule may be written in, in lower case, without dots and commas.
var (
	everyMinutes = regexp.MustCompile(`^every (\d{1,9}) (?:minutes?|mins?)(?: start(?:ing)?(?: (?:at|on))? :?(\d{1,9}))?$`)
	everyHour    = regexp.MustCompile(`^(?:hourly|every hour)(?: (?:at|start(?:ing)?(?: (?:at|on))?) :?(\d{1,9}))?$`)
	everyHours   = regexp.MustCompile(`^every (\d{1,9}) (?:hours?|hrs?)$`)
	everyDay     = regexp.MustCompile(`^(?:daily|every day)(?: at (\d{1,9})(?::(\d{2}))? ?(am|pm)?)?$`)
	everyWeek    = regexp.MustCompile(`^(?:weekly|every week)(?: on (sun|mon|tues|wednes|thurs|fri|satur)day)?(?: at (\d{1,9})(?::(\d{2}))? ?(am|pm)?)?$`)
	weekdays     = []string{"sun", "mon", "tues", "wednes", "thurs", "fri", "satur"}
	punctuation  = strings.NewReplacer(".", "", ",", "")
)

// CronOf turns a phrase such as "every 30 minutes" into a cron expression.
func CronOf(text string) (string, error) {
	text = strings.Join(strings.Fields(punctuation.Replace(strings.ToLower(text))), " ")
	if m := everyMinutes.FindStringSubmatch(text); m != nil {
		return minutesOf(m[1], m[2])
	}
	if m := everyHour.FindStringSubmatch(text); m != nil {
		minute, err := startMinute(m[1])
		return fmt.Sprintf("%d * * * *", minute), err
	}
	if m := everyHours.FindStringSubmatch(text); m != nil {
		n, err := stepOf("Hour", m[1], 24)
		return fmt.Sprintf("0 */%d * * *", n), err
	}
	if m := everyDay.FindStringSubmatch(text); m != nil {
		hour, minute, err := timeOfDay(m[1], m[2], m[3])
		return fmt.Sprintf("%d %d * * *", minute, hour), err
	}
	if m := everyWeek.FindStringSubmatch(text); m != nil {
		day := 0
		for i, name := range weekdays {
			if name == m[1] {
				day = i
			}
		}
		hour, minute, err := timeOfDay(m[2], m[3], m[4])
		return fmt.Sprintf("%d %d * * %d", minute, hour, day), err
	}
	return "", refuse("Unsupported schedule text. Try phrases like \"every 30 minutes\", \"hourly\", \"every 6 hours\", \"daily at 9am\" or \"weekly\".")
}

func minutesOf(interval, start string) (string, error) {
	n, err := stepOf("Minute", interval, 60)
	if err != nil {
		return "", err
	}
	from, err := startMinute(start)
	if from == 0 {
		return fmt.Sprintf("*/%d * * * *", n), err
	}
	return fmt.Sprintf("%d-59/%d * * * *", from, n), err
}

// stepOf reads an interval, which must go evenly into what the unit is a part of.
func stepOf(unit, digits string, whole int) (int, error) {
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > whole {
		return 0, refuse(fmt.Sprintf("%s interval must be between 1 and %d", unit, whole))
	}
	if whole%n != 0 {
		return 0, refuse(fmt.Sprintf("%s interval must divide evenly into %d", unit, whole))
	}
	return n, nil
}

func startMinute(digits string) (int, error) {
	if digits == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > 59 {
		return 0, refuse("Schedule start minute must be between 0 and 59")
	}
	return n, nil
}

// timeOfDay reads a clock of 24 hours, or of 12 with am or pm. Without an hour it is
// midnight.
func timeOfDay(hours, minutes, half string) (hour, minute int, err error) {
	if hours == "" {
		return 0, 0, nil
	}
	hour, err = strconv.Atoi(hours)
	switch {
	case half == "" && (err != nil || hour > 23):
		return 0, 0, refuse("Daily schedule hour must be between 0 and 23")
	case half != "" && (err != nil || hour < 1 || hour > 12):
		return 0, 0, refuse("Daily schedule hour must be between 1 and 12")
	}
	if half != "" {
		hour %= 12
	}
	if half == "pm" {
		hour += 12
	}
	if minutes != "" {
		minute, err = startMinute(minutes)
	}
	return hour, minute, err
}
