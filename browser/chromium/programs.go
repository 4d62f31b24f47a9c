package chromium

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Programs are the browsers of this machine. Either may be empty.
type Programs struct {
	Chromium string // the full browser, for enhanced pages
	Shell    string // the headless shell, which is cheaper, for all others
}

// Any reports whether there is a browser at all.
func (p Programs) Any() bool { return p.Chromium != "" || p.Shell != "" }

// Choose returns the program that renders a page. One stands in for the other.
func (p Programs) Choose(enhanced bool) string {
	if enhanced && p.Chromium != "" || p.Shell == "" {
		return p.Chromium
	}
	return p.Shell
}

// Where packages put the browsers themselves. What they put into the PATH is
// mostly a script that adds options of its own and stays when it is killed.
var (
	chromiumPlaces = []string{
		"/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser", "/usr/lib/chromium-browser/chromium-browser",
		"/opt/google/chrome/chrome", "/usr/lib64/chromium/chromium", "/opt/chromium/chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	}
	shellPlaces = []string{
		"/usr/lib/chromium/chromium-headless-shell", "/usr/lib64/chromium-browser/headless_shell",
		"/opt/chrome-headless-shell/chrome-headless-shell", "/headless-shell/headless-shell",
	}
)

// ErrNoBrowser is what [Find] returns where there is none.
var ErrNoBrowser = errors.New("no Chromium found")

// Find looks for the browsers. A path that is given must be a program, and then
// nothing else is looked for.
func Find(chromium, shell string) (Programs, error) {
	for _, chosen := range []string{chromium, shell} {
		if chosen != "" && !isProgram(chosen) {
			return Programs{}, fmt.Errorf("%s is not a program", chosen)
		}
	}
	if chromium == "" && shell == "" {
		chromium = first(chromiumPlaces, "google-chrome-stable", "chrome")
		shell = first(shellPlaces, "chrome-headless-shell", "headless-shell")
	}
	found := Programs{Chromium: chromium, Shell: shell}
	if !found.Any() {
		return found, ErrNoBrowser
	}
	return found, nil
}

// first returns the first place that holds a program, or else one of the names
// in the PATH.
func first(places []string, names ...string) string {
	if i := slices.IndexFunc(places, isProgram); i >= 0 {
		return places[i]
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			if real, err := filepath.EvalSymlinks(path); err == nil {
				return real
			}
		}
	}
	return ""
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

var versionNumber = regexp.MustCompile(`\d+(\.\d+){1,3}`)

// Version asks a browser for its version.
func Version(ctx context.Context, program string) (string, error) {
	owner, err := lowUser()
	if err != nil {
		return "", err
	}
	command := exec.CommandContext(ctx, program, "--version")
	command.WaitDelay = stopTimeout
	command.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("ask for the version of %s: %w", filepath.Base(program), err)
	}
	number := versionNumber.FindString(string(out))
	if number == "" {
		return "", fmt.Errorf("%s does not tell its version", filepath.Base(program))
	}
	return number, nil
}

// Versions remembers the versions of programs, which take a moment to tell. Its zero
// value is ready, and safe for concurrent use.
type Versions struct {
	mu    sync.Mutex
	known map[string]string
}

// Of returns the version of a program.
func (v *Versions) Of(ctx context.Context, program string) (string, error) {
	v.mu.Lock()
	version := v.known[program]
	v.mu.Unlock()
	if version != "" {
		return version, nil
	}
	version, err := Version(ctx, program)
	if err != nil {
		return "", err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known == nil {
		v.known = map[string]string{}
	}
	v.known[program] = version
	return version, nil
}

// UserAgent returns the user agent of a browser of a version, as the browser
// itself would tell it with a screen: only its first number counts there.
func UserAgent(version string, mobile bool) string {
	major, _, _ := strings.Cut(version, ".")
	if mobile {
		return "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" + major + ".0.0.0 Mobile Safari/537.36"
	}
	return "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" + major + ".0.0.0 Safari/537.36"
}
