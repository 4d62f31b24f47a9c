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
	cmd    *exec.Cmd
	base   string
	client *http.Client
	log    bytes.Buffer
}

// withServer runs f with a server on an empty data folder.
func (b *bench) withServer(ctx context.Context, f func(context.Context, *server) error) error {
	dir, err := os.MkdirTemp("", "trawl-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := startServer(ctx, b.binary, dir, b.parallel)
	if err != nil {
		return err
	}
	err = f(ctx, s)
	return errors.Join(err, s.stop())
}

// startServer runs the binary on a free port with its embedded default.
func startServer(ctx context.Context, binary, dir string, parallel int) (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return nil, err
	}
	s := &server{
		base: "http://" + address, cmd: exec.CommandContext(ctx, binary, "serve"),
		client: &http.Client{Transport: &http.Transport{}, Timeout: 2 * time.Minute},
	}
	s.cmd.Env = []string{
		"HOME=" + dir, "TRAWL_DATA_DIR=" + dir, "TRAWL_LISTEN=" + address, "TRAWL_API_KEY=" + apiKey,
		"TRAWL_ALLOW_PRIVATE=127.0.0.1/32", "TRAWL_CONCURRENCY=" + strconv.Itoa(parallel),
		"TRAWL_RATE_CRAWL=100000000", "TRAWL_RATE_STATUS=100000000",
	}
	s.cmd.Stderr = &s.log
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	if err := s.waitReady(ctx); err != nil {
		return nil, errors.Join(err, s.cmd.Process.Kill(), s.cmd.Wait(), errors.New(s.log.String()))
	}
	return s, nil
}

func (s *server) waitReady(ctx context.Context) error {
	for start := time.Now(); time.Since(start) < 10*time.Second; {
		resp, err := s.client.Get(s.base + "/readyz")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		if err := sleep(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
	return errors.New("not ready after 10 s")
}

// stop ends the server as an operator would.
func (s *server) stop() error {
	s.client.CloseIdleConnections()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("stop server: %w: %s", err, s.log.String())
	}
	return nil
}

// cpu returns the user and system time of the process so far.
func (s *server) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		return 0, errors.New("no CPU time in /proc")
	}
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

// memory returns a field of the process's status in megabytes: VmRSS is what is
// resident, VmHWM the most that ever was.
func (s *server) memory(field string) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			kib, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return kib * 1024 / 1e6, err
		}
	}
	return 0, fmt.Errorf("no %s in /proc", field)
}

// sample reads the resident memory every 50 ms until the context ends.
func (s *server) sample(ctx context.Context) ([]float64, error) {
	var samples []float64
	for ctx.Err() == nil {
		now, err := s.memory("VmRSS")
		if err != nil {
			return nil, err
		}
		samples = append(samples, now)
		_ = sleep(ctx, 50*time.Millisecond)
	}
	return samples, nil
}

func (s *server) sampleFor(ctx context.Context, d time.Duration) ([]float64, error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return s.sample(ctx)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
