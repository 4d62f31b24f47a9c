//go:build clients

package clients_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// privateVariable tells a test that runs again, in a network of its own, so. It has
// the program that was built.
const privateVariable = "CLIENTS_PRIVATE_NETWORK"

const hostsFile = "/etc/hosts"

// privately runs a test in a network of its own, in which the names are this
// machine, and nothing else is there: no packet can leave it, and ports 80 and 443
// are free. To get there the test runs once more, in a process that has namespaces
// for network and mounts. Where these are not allowed, the test is skipped.
func privately(t *testing.T, names []string, test func(*testing.T)) {
	t.Helper()
	if os.Getenv(privateVariable) != "" {
		if err := makePrivate(filepath.Join(t.TempDir(), "hosts"), names); err != nil {
			skip(t, "a network of its own cannot be made here: %v", err)
		}
		test(t)
		return
	}
	t.Parallel()
	if os.Getuid() != 0 {
		skip(t, "a network of its own needs root")
	}
	if err := buildOnce(); err != nil {
		t.Fatal(err)
	}
	cmd := together(exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=25m"))
	cmd.Env = append(os.Environ(), privateVariable+"="+builtProgram)
	cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWNET | syscall.CLONE_NEWNS
	out, err := cmd.CombinedOutput()
	for _, told := range regexp.MustCompile(`(?m)^clients: .*`).FindAll(out, -1) {
		fmt.Printf("%s\n", told)
	}
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EINVAL):
		skip(t, "namespaces are not allowed here: %v", err)
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	default:
		t.Logf("%s", out)
	}
}

// tell prints what whoever runs the tests should know, also if all is well.
func tell(format string, args ...any) { fmt.Printf("clients: "+format+"\n", args...) }

func skip(t *testing.T, format string, args ...any) {
	t.Helper()
	tell(t.Name()+" is skipped: "+format, args...)
	t.SkipNow()
}

// makePrivate makes a network that has just begun usable: this machine answers, and
// the names are its own.
func makePrivate(hosts string, names []string) error {
	if err := startLoopback(); err != nil {
		return fmt.Errorf("start loopback: %w", err)
	}
	if err := os.WriteFile(hosts, []byte("127.0.0.1 localhost "+strings.Join(names, " ")+"\n"), 0o644); err != nil {
		return err
	}
	// What is mounted here is not seen elsewhere.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("keep mounts private: %w", err)
	}
	if err := unix.Mount(hosts, hostsFile, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount %s: %w", hostsFile, err)
	}
	return nil
}

func startLoopback() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	loopback, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	loopback.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, loopback)
}
