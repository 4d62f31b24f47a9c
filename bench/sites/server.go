package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/trawlhq/trawl/egress"
)

const apiKey = "fc-00000000000000000000000000000000"

// server is a running trawl.
type server struct {
	cmd    *exec.Cmd
	base   string
	client *http.Client
	log    bytes.Buffer
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
		client: &http.Client{Transport: egress.Infrastructure(), Timeout: 2 * time.Minute},
	}
	s.cmd.Env = []string{
		"HOME=" + dir, "TRAWL_DATA_DIR=" + dir, "TRAWL_LISTEN=" + address, "TRAWL_API_KEY=" + apiKey, "TRAWL_BROWSER_WARM=0",
		"TRAWL_ALLOW_PRIVATE=127.0.0.1/32", "TRAWL_CONCURRENCY=" + strconv.Itoa(parallel),
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

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
