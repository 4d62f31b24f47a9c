package webhook

import (
	"context"
	"errors"

	"github.com/trawlhq/trawl/egress"
)

// explain turns a failure of the network into what a caller may know of it.
// The attempt's context is a part of the caller's.
func explain(attempt, caller context.Context, err error) Outcome {
	switch {
	case errors.Is(err, egress.ErrRefused):
		return Outcome{Error: notAllowed, Final: true}
	case errors.Is(caller.Err(), context.Canceled):
		return Outcome{Error: "The delivery was interrupted."}
	case attempt.Err() != nil:
		return Outcome{Error: "The receiver did not answer in time."}
	default:
		return Outcome{Error: egress.Diagnose(err).Text("receiver")}
	}
}
