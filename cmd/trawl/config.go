package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

type configCmd struct {
	options
	output
	Markdown bool `help:"Print the reference of all settings as markdown."`
}

// settingView is a setting as it is printed.
type settingView struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

func (c *configCmd) Run(p *program, all settings) error {
	if c.Markdown {
		known, err := p.knownSettings()
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(p.stdout, reference(known))
		return err
	}
	var views []settingView
	rows := [][]string{{"SETTING", "SOURCE", "VALUE"}}
	for _, s := range all {
		view := settingView{envName(s.Name), s.text(), s.source}
		views = append(views, view)
		rows = append(rows, []string{view.Name, view.Source, view.Value})
	}
	return c.print(p.stdout, views, rows)
}

// reference documents all settings: a section with a table for every group. It
// is the same on every machine.
func reference(known []*kong.Flag) string {
	var b strings.Builder
	for i, group := range settingGroups() {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## %s\n\n| variable | default | meaning |\n|---|---|---|\n", group.Title)
		for _, flag := range known {
			if flag.Group.Key == group.Key {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", envName(flag.Name), defaultCell(flag), meaning(flag))
			}
		}
	}
	return b.String()
}

func defaultCell(flag *kong.Flag) string {
	shown, ok := shownDefault(flag)
	switch {
	case !ok:
		return "empty"
	case flag.Tag.Has("shown"):
		return shown // words, not a value
	default:
		return "`" + shown + "`"
	}
}

func meaning(flag *kong.Flag) string {
	text := flag.Help
	if flag.Tag.Has("min") && flag.Tag.Has("max") {
		text += fmt.Sprintf(" From %s to %s.", flag.Tag.Get("min"), flag.Tag.Get("max"))
	}
	if flag.Tag.Has("secret") {
		text += " Secret."
	}
	return text
}
