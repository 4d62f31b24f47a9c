package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

const envPrefix = "TRAWL_"

// The places a setting can come from, the strongest first.
const (
	fromFlag    = "flag"
	fromEnv     = "env"
	fromFile    = "file"
	fromDefault = "default"
)

// setting is a flag of options together with where its value came from.
type setting struct {
	*kong.Flag
	source string
	file   string // the file it was read from
}

// settings are the settings of the command that runs, in the order of options.
type settings []setting

func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func fileKey(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// isSetting tells settings from the other flags of a command.
func isSetting(flag *kong.Flag) bool { return flag.Group != nil }

// settingHelp is the help of a flag; that of a setting names its variable and
// its default.
func settingHelp(value *kong.Value) string {
	if value.Flag == nil || !isSetting(value.Flag) {
		return value.Help
	}
	text := fmt.Sprintf("%s [%s", value.Help, envName(value.Name))
	if shown, ok := shownDefault(value.Flag); ok {
		text += "; default: " + shown
	}
	return text + "]"
}

// shownDefault returns the default of a setting, the same on every machine,
// unless it is to have none.
func shownDefault(flag *kong.Flag) (text string, ok bool) {
	if flag.Tag.Has("shown") {
		return flag.Tag.Get("shown"), true
	}
	return flag.Default, flag.Default != ""
}

// label names the setting the way its value was given.
func (s *setting) label() string {
	switch s.source {
	case fromFlag:
		return "--" + s.Name
	case fromFile:
		return fileKey(s.Name) + " in " + s.file
	default:
		return envName(s.Name)
	}
}

// text returns the value as it would be written. A secret is masked, and so is
// a password within a URL.
func (s *setting) text() string {
	text := fmt.Sprint(s.Target.Interface())
	if d, ok := s.Target.Interface().(time.Duration); ok {
		text = shortDuration(d)
	}
	if s.Tag.Has("secret") && text != "" {
		return "********"
	}
	if s.Tag.Has("url") {
		return redacted(text)
	}
	return text
}

// redacted returns a URL without its password.
func redacted(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "********"
	}
	return u.Redacted()
}

// knownSettings lists every setting there is, whichever command runs.
func (p *program) knownSettings() ([]*kong.Flag, error) {
	parser, err := kong.New(&options{}, p.defaults(), kong.ExplicitGroups(settingGroups()), kong.NoDefaultHelp())
	if err != nil {
		return nil, fmt.Errorf("read options: %w", err)
	}
	return parser.Model.Flags, nil
}

// load completes the settings of the selected command from the environment and
// the file, and checks them. Commands without settings load nothing. Keys that
// no setting has are refused even if the command itself needs few of them.
func (p *program) load(ctx *kong.Context, file string) (settings, error) {
	flags := slices.DeleteFunc(ctx.Flags(), func(f *kong.Flag) bool { return !isSetting(f) })
	if len(flags) == 0 {
		return nil, nil
	}
	known, err := p.knownSettings()
	if err != nil {
		return nil, err
	}
	if err := checkNames(p.env, known); err != nil {
		return nil, err
	}
	file = cmp.Or(file, p.env[envPrefix+"CONFIG"])
	values, err := readFile(file, known)
	if err != nil {
		return nil, err
	}
	all := make(settings, 0, len(flags))
	for _, flag := range flags {
		s := setting{Flag: flag, source: fromDefault, file: file}
		if err := s.resolve(ctx, p.env, values); err != nil {
			return nil, fmt.Errorf("%s: %w", s.label(), err)
		}
		all = append(all, s)
	}
	return all, all.check(ctx.Selected().Target.Addr().Interface())
}

// checkNames refuses variables that look like settings but are none.
func checkNames(env map[string]string, known []*kong.Flag) error {
	var names []string
	for _, flag := range known {
		names = append(names, envName(flag.Name))
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if !strings.HasPrefix(name, envPrefix) || strings.HasPrefix(name, envPrefix+"TEST_") ||
			name == envPrefix+"CONFIG" || slices.Contains(names, name) {
			continue
		}
		return fmt.Errorf("unknown variable %s%s", name, suggest(name, names))
	}
	return nil
}

// resolve gives the setting the value of the strongest place that has one. An
// empty variable counts as not set.
func (s *setting) resolve(ctx *kong.Context, env, file map[string]string) error {
	given := slices.ContainsFunc(ctx.Path, func(p *kong.Path) bool { return p.Flag == s.Flag })
	value, inFile := file[fileKey(s.Name)]
	switch variable := env[envName(s.Name)]; {
	case given:
		s.source = fromFlag
		return s.verify()
	case variable != "":
		s.source, value = fromEnv, variable
	case inFile:
		s.source = fromFile
	default:
		return s.verify()
	}
	decoded, err := s.decode(value)
	if err != nil {
		return err
	}
	s.Target.Set(decoded)
	return s.verify()
}

// decode reads a text the way the flag would.
func (s *setting) decode(text string) (reflect.Value, error) {
	value := reflect.New(s.Target.Type()).Elem()
	scan := kong.ScanFromTokens(kong.Token{Type: kong.FlagValueToken, Value: text})
	err := s.Mapper.Decode(&kong.DecodeContext{Value: s.Value, Scan: scan}, value)
	return value, err
}

// verify holds the value against the tags of its field.
func (s *setting) verify() error {
	if s.Enum != "" && !slices.Contains(s.EnumSlice(), s.Target.String()) {
		return fmt.Errorf("must be one of %s but is %q", strings.Join(s.EnumSlice(), ", "), s.Target.String())
	}
	if schemes := s.Tag.Get("url"); schemes != "" && s.Target.String() != "" {
		u, err := url.Parse(s.Target.String())
		if err != nil || !slices.Contains(strings.Split(schemes, ","), u.Scheme) ||
			u.Host == "" && !strings.HasPrefix(u.Scheme, "postgres") { // which may name a socket in its query
			return fmt.Errorf("must be a URL that starts with %s://", strings.ReplaceAll(schemes, ",", ":// or "))
		}
	}
	for _, bound := range []struct {
		tag, words string
		outside    func(value, bound int64) bool
	}{
		{"min", "at least", func(v, b int64) bool { return v < b }},
		{"max", "at most", func(v, b int64) bool { return v > b }},
	} {
		if !s.Tag.Has(bound.tag) {
			continue
		}
		limit, err := s.decode(s.Tag.Get(bound.tag))
		if err != nil {
			return fmt.Errorf("read bound: %w", err)
		}
		if bound.outside(s.Target.Int(), limit.Int()) {
			return fmt.Errorf("must be %s %s but is %s", bound.words, s.Tag.Get(bound.tag), s.text())
		}
	}
	return nil
}

// refusal is a setting that does not fit together with the others.
type refusal struct{ name, reason string }

func refuse(name, format string, args ...any) error {
	return &refusal{name, fmt.Sprintf(format, args...)}
}

func (r *refusal) Error() string { return envName(r.name) + ": " + r.reason }

// check asks the command, if it has an opinion, whether its settings fit
// together, and names the one that does not the way it was given.
func (all settings) check(command any) error {
	checker, ok := command.(interface{ check() error })
	if !ok {
		return nil
	}
	err := checker.check()
	if r, ok := errors.AsType[*refusal](err); ok {
		for _, s := range all {
			if s.Name == r.name {
				return fmt.Errorf("%s: %s", s.label(), r.reason)
			}
		}
	}
	return err
}

// suggest proposes the known name that is close to an unknown one, if any is.
func suggest(name string, known []string) string {
	best, closest := "", 3
	for _, candidate := range known {
		if d := distance(name, candidate); d < closest {
			best, closest = candidate, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %s?", best)
}

// distance is the Levenshtein distance of two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
