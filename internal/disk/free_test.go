package disk_test

import (
	"errors"
	"testing"

	"github.com/trawlhq/trawl/internal/disk"
)

func TestFree(t *testing.T) {
	t.Parallel()
	got, err := disk.Free(t.TempDir())
	if err != nil && !errors.Is(err, errors.ErrUnsupported) || err == nil && got <= 0 {
		t.Errorf("free space is %d, %v", got, err)
	}
	if _, err := disk.Free("/nowhere/at/all"); err == nil {
		t.Error("a folder that is not there has free space")
	}
}
