package monitor

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/change"
	"github.com/trawlhq/trawl/store"
)

// Message is a mail.
type Message struct {
	ID          string // the same for every attempt
	To          string
	Subject     string
	Text, HTML  string
	Unsubscribe string // address that ends the subscription; may be empty
}

// mostInMail is how many pages a mail lists.
const mostInMail = 50

// message writes a mail.
func (s *Service) message(ctx context.Context, m *store.Mail) (Message, error) {
	monitor, err := s.Store.MonitorByID(ctx, m.MonitorID)
	if err != nil {
		return Message{}, err
	}
	letter := letter{Monitor: monitor.Name, Confirm: actionURL(&monitor, "confirm", m.Recipient.Token), Unsubscribe: actionURL(&monitor, "unsubscribe", m.Recipient.Token)}
	subject := "Confirm: mail of the monitor " + monitor.Name
	form := confirmation
	if m.CheckID != "" {
		if subject, err = s.report(ctx, &monitor, m.CheckID, &letter); err != nil {
			return Message{}, err
		}
		form = report
	}
	text, html, err := letter.write(form)
	return Message{ID: m.ID, To: m.Email, Subject: subject, Text: text, HTML: html, Unsubscribe: letter.Unsubscribe}, err
}

// actionURL is the page on which a recipient confirms or unsubscribes.
func actionURL(m *trawl.Monitor, action, token string) string {
	return strings.TrimSuffix(m.PublicURL, "/") + "/monitor/" + action + "#" + token
}

// letter is what a mail says.
type letter struct {
	Monitor              string
	Confirm, Unsubscribe string
	Goal                 string
	Sum                  string
	Pages                []letterPage
	More                 int
}

type letterPage struct {
	URL, Status, Reason, Error string
	Lines                      []diffLine
}

// diffLine is a line of a diff, with what became of it.
type diffLine struct{ Kind, Text string }

// report fills in what a check found, and returns the subject.
func (s *Service) report(ctx context.Context, m *trawl.Monitor, checkID string, l *letter) (string, error) {
	w, err := s.Store.CheckWork(ctx, checkID)
	if err != nil {
		return "", err
	}
	email, _ := w.Definition.Mail()
	l.Goal, l.Sum = w.Definition.Goal, SumUp(&w.Summary)
	for _, status := range []string{trawl.ChangeChanged, trawl.ChangeNew, trawl.ChangeRemoved, trawl.ChangeError} {
		pages, err := s.Store.CheckPages(ctx, checkID, status, mostInMail, 0)
		if err != nil {
			return "", err
		}
		for i := range pages {
			p := &pages[i]
			if p.Judgment != nil && !p.Judgment.Meaningful {
				continue
			}
			if len(l.Pages) == mostInMail {
				l.More++
				continue
			}
			shown := letterPage{URL: p.URL, Status: p.Status, Error: p.Error}
			if p.Judgment != nil {
				shown.Reason = p.Judgment.Reason
			}
			if email.IncludeDiffs {
				shown.Lines = linesOf(p.Diff)
			}
			l.Pages = append(l.Pages, shown)
		}
	}
	return fmt.Sprintf("%s: %s", m.Name, l.Sum), nil
}

// SumUp says what a check found, in a few words.
func SumUp(s *trawl.CheckSummary) string {
	var list []string
	for _, count := range []struct {
		n    int
		name string
	}{{s.Changed, "changed"}, {s.New, "new"}, {s.Removed, "removed"}, {s.Error, "failed"}} {
		if count.n > 0 {
			list = append(list, fmt.Sprintf("%d %s", count.n, count.name))
		}
	}
	return cmp.Or(strings.Join(list, ", "), "nothing changed")
}

// mostLines bounds the lines of a diff in a mail or a feed.
const mostLines = 200

// linesOf takes a diff of a page apart.
func linesOf(diff json.RawMessage) []diffLine {
	var parts struct {
		Text string          `json:"text"`
		JSON json.RawMessage `json:"json"`
	}
	if diff == nil || json.Unmarshal(diff, &parts) != nil {
		return nil
	}
	var list []diffLine
	var fields map[string]FieldChange
	if json.Unmarshal(parts.JSON, &fields) == nil && parts.Text == "" {
		v := &Verdict{Fields: fields}
		parts.Text = v.account()
	}
	names := map[rune]string{change.LineSame: "same", change.LinePlace: "place", change.LineAdded: "added", change.LineRemoved: "removed"}
	for kind, line := range change.Lines(parts.Text) {
		if list = append(list, diffLine{names[kind], line}); len(list) == mostLines {
			break
		}
	}
	return list
}

// write renders a letter in both forms.
func (l *letter) write(form letterForm) (text, html string, err error) {
	var b bytes.Buffer
	if err := form.html.Execute(&b, l); err != nil {
		return "", "", fmt.Errorf("write mail: %w", err)
	}
	return form.text(l), b.String(), nil
}

// letterForm is a kind of letter.
type letterForm struct {
	text func(*letter) string
	html *template.Template
}

var confirmation = letterForm{
	text: func(l *letter) string {
		return "You are to get mail of the monitor \"" + l.Monitor + "\".\n\nIf you want that, confirm it here:\n" + l.Confirm +
			"\n\nIf not, do nothing, or say so here:\n" + l.Unsubscribe + "\n"
	},
	html: template.Must(template.New("confirmation").Parse(`<!doctype html><meta charset="utf-8"><p>You are to get mail of the monitor <b>{{.Monitor}}</b>.</p>
<p><a href="{{.Confirm}}">Yes, I want that.</a></p><p>If not, do nothing, or <a href="{{.Unsubscribe}}">say so</a>.</p>`)),
}

var report = letterForm{
	text: func(l *letter) string {
		var b strings.Builder
		fmt.Fprintf(&b, "%s: %s\n", l.Monitor, l.Sum)
		if l.Goal != "" {
			fmt.Fprintf(&b, "Goal: %s\n", l.Goal)
		}
		for _, p := range l.Pages {
			fmt.Fprintf(&b, "\n%s: %s\n", p.Status, p.URL)
			for _, note := range []string{p.Reason, p.Error} {
				if note != "" {
					fmt.Fprintf(&b, "  %s\n", note)
				}
			}
			for _, line := range p.Lines {
				fmt.Fprintf(&b, "  %s\n", line.Text)
			}
		}
		if l.More > 0 {
			fmt.Fprintf(&b, "\nAnd %d more.\n", l.More)
		}
		fmt.Fprintf(&b, "\nNo more of these mails: %s\n", l.Unsubscribe)
		return b.String()
	},
	html: template.Must(template.New("report").Parse(`<!doctype html><meta charset="utf-8"><h2>{{.Monitor}}: {{.Sum}}</h2>
{{if .Goal}}<p>Goal: {{.Goal}}</p>{{end}}{{range .Pages}}<h3>{{.Status}}: <a href="{{.URL}}">{{.URL}}</a></h3>
{{if .Reason}}<p>{{.Reason}}</p>{{end}}{{if .Error}}<p>{{.Error}}</p>{{end}}{{if .Lines}}<pre>{{range .Lines}}{{if eq .Kind "added"}}<span style="background:#dfd">{{.Text}}</span>{{else if eq .Kind "removed"}}<span style="background:#fdd">{{.Text}}</span>{{else}}{{.Text}}{{end}}
{{end}}</pre>{{end}}{{end}}{{if .More}}<p>And {{.More}} more.</p>{{end}}<p><small><a href="{{.Unsubscribe}}">No more of these mails</a></small></p>`)),
}

// DiffText is what changed in a page, as text.
func DiffText(p *trawl.CheckPage) string {
	var b strings.Builder
	for _, line := range linesOf(p.Diff) {
		b.WriteString(line.Text + "\n")
	}
	return b.String()
}
