package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const apiKey = "fc-00000000000000000000000000000000"

// server is a trawl process under measurement.
type server struct {
	cmd   *exec.Cmd
	base  string
	ready time.Duration // from the start to the first yes of /readyz
	log   bytes.Buffer
}

// startServer runs the binary on a free port with its embedded default, and with
// other settings that are given.
func startServer(ctx context.Context, binary, dir string, settings ...string) (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return nil, err
	}
	s := &server{base: "http://" + address, cmd: exec.CommandContext(ctx, binary, "serve")}
	s.cmd.Env = []string{
		"HOME=" + dir, "TMPDIR=" + os.TempDir(), "TRAWL_DATA_DIR=" + dir, "TRAWL_LISTEN=" + address, "TRAWL_API_KEY=" + apiKey, "TRAWL_BROWSER_WARM=0",
		"TRAWL_ALLOW_PRIVATE=127.0.0.1/32", "TRAWL_RATE_SCRAPE=100000000",
	}
	s.cmd.Env = append(s.cmd.Env, settings...) // the last one counts
	s.cmd.Stderr = &s.log
	start := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for time.Since(start) < 10*time.Second {
		resp, err := client.Get(s.base + "/readyz")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				s.ready = time.Since(start)
				return s, nil
			}
		}
		time.Sleep(2 * time.Millisecond)
	}
	return nil, errors.Join(fmt.Errorf("not ready after 10 s: %s", s.log.String()), s.cmd.Process.Kill())
}

// stop ends the server as an operator would.
func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("stop server: %w: %s", err, s.log.String())
	}
	return nil
}

// cost returns the CPU time that the server spends on each request of the load.
func (s *server) cost(ctx context.Context, load load, make func(int) request) (time.Duration, error) {
	before, err := s.cpu()
	if err != nil {
		return 0, err
	}
	err = load.run(func(i int) error { return s.send(ctx, make(i)) })
	if err != nil {
		return 0, err
	}
	after, err := s.cpu()
	return (after - before) / time.Duration(load.requests), err
}

// cpu returns the user and system time of the process so far.
func (s *server) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var ticks int64
	for _, field := range fields[11:13] { // utime and stime, in hundredths of a second
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}

// resident returns the resident memory of the process in megabytes.
func (s *server) resident() (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kib * 1024 / 1e6, err
		}
	}
	return 0, errors.New("no VmRSS in /proc")
}
