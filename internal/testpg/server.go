package testpg

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

var errNotInstalled = errors.New("no server is installed: run `make test`, which brings one, or set TRAWL_TEST_POSTGRES")

// server is a PostgreSQL of the tests' own.
type server struct {
	url   string
	dir   string
	bin   string // folder of its programs
	as    *syscall.Credential
	cmd   *exec.Cmd
	stdin io.WriteCloser // nil while it does not run
	log   *bytes.Buffer
}

// start makes a database cluster in a temporary folder and serves it.
func start() (*server, error) {
	bin, err := findPrograms()
	if err != nil {
		return nil, err
	}
	as, err := account()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "testpg")
	if err != nil {
		return nil, err
	}
	u := url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/postgres", RawQuery: url.Values{"host": {dir}}.Encode()}
	s := &server{url: u.String(), dir: dir, bin: bin, as: as, log: &bytes.Buffer{}}
	if err = s.create(); err == nil {
		err = s.launch()
	}
	if err != nil {
		s.remove()
		return nil, fmt.Errorf("%w\n%s", err, s.log)
	}
	return s, nil
}

// findPrograms returns the folder of the newest version that is installed.
func findPrograms() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		path, err := exec.LookPath("initdb")
		if err != nil {
			return "", errNotInstalled
		}
		return filepath.Dir(path), nil
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	newest := slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })
	return filepath.Dir(newest), nil
}

// account returns whom the server runs as: PostgreSQL refuses to run as root.
func account() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	owner, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(owner.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(owner.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

// create makes the database cluster.
func (s *server) create() error {
	if s.as != nil {
		if err := os.Chown(s.dir, int(s.as.Uid), int(s.as.Gid)); err != nil {
			return err
		}
	}
	initdb := s.command(filepath.Join(s.bin, "initdb"), "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8",
		"--no-locale", "--no-sync", "--no-instructions")
	if err := initdb.Run(); err != nil {
		return fmt.Errorf("initdb: %w", err)
	}
	return nil
}

// launch serves the cluster and returns when the server answers.
func (s *server) launch() error {
	// The shell ends the server when its input ends, so that none is left
	// behind even if the tests are killed. A line of input names another signal.
	s.cmd = s.command("/bin/sh", "-c", `"$@" & server=$!; read -r signal; kill -"${signal:-QUIT}" $server; wait $server`, "sh",
		filepath.Join(s.bin, "postgres"), "-D", s.data(), "-k", s.dir, "-c", "listen_addresses=", "-c", "fsync=off",
		"-c", "full_page_writes=off", "-c", "max_connections=200", "-c", "shared_buffers=32MB")
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("start postgres: %w", err)
	}
	s.stdin = stdin
	return s.wait()
}

func (s *server) data() string { return filepath.Join(s.dir, "data") }

func (s *server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	cmd.Stdout, cmd.Stderr = s.log, s.log
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.as, Setpgid: true}
	return cmd
}

// wait returns when the server answers.
func (s *server) wait() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		err := run(ctx, s.url, "SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("start postgres: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// halt ends the server with a signal, or as fast as it can without one, and
// keeps the cluster.
func (s *server) halt(signal string) {
	if s.stdin == nil {
		return
	}
	_, _ = io.WriteString(s.stdin, signal)
	_ = s.stdin.Close()
	_ = s.cmd.Wait() // it was told to end, which is no success
	s.stdin = nil
}

// remove ends the server and deletes the cluster.
func (s *server) remove() {
	s.halt("")
	_ = os.RemoveAll(s.dir)
}
