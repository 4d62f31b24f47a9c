package interact_test

import (
	"fmt"
	"os"
	"testing"
)

func TestTry(t *testing.T) {
	r := newRig(t, nil)
	data, _ := os.ReadFile(os.Getenv("TRY"))
	out := r.run(string(data))
	fmt.Printf("%s--- %d %v\n%s", out.Stdout, out.ExitCode, out.Killed, out.Stderr)
}
