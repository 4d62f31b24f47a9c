package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/trawlhq/trawl/egress"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	r := &refusals{now: time.Now}
	for i := range 3 * mostRefusals {
		r.note(egress.Refusal{Host: fmt.Sprint("host", i)})
		r.note(egress.Refusal{Host: "again"})
	}
	r.note(egress.Refusal{Host: "again", Class: egress.ClosedPort})
	list := r.latest()
	if len(list) != mostRefusals || list[0].Count != 1 || list[1].Host != "again" || list[1].Count != 3*mostRefusals || list[2].Host != fmt.Sprint("host", 3*mostRefusals-1) {
		t.Errorf("%d: %+v", len(list), list[:3])
	}
}
