package session

import (
	"bytes"
	"context"

	"github.com/chromedp/cdproto/browser"
	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// refuseDownloads makes pages write no files, in whatever context they are. It has
// to be said for every context, and again when a client has left: what the client
// said about downloads ends then, and what was said before does not come back.
func (r *running) refuseDownloads(ctx context.Context) error {
	all, err := protocol.Call(ctx, r.process.Conn().Browser(), target.GetBrowserContexts, protocol.Empty{})
	if err != nil {
		return err
	}
	for _, id := range append(all.BrowserContextIDs, "") {
		if err := r.refuseDownloadsOf(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// refuseDownloadsOf does so for one context; the empty one is that of the session.
func (r *running) refuseDownloadsOf(ctx context.Context, id protocol.BrowserContextID) error {
	deny := browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: id}
	_, err := protocol.Call(ctx, r.process.Conn().Browser(), browser.SetDownloadBehavior, deny)
	return err
}

// madeContext returns the context that a message tells its maker of.
func madeContext(message []byte) (id protocol.BrowserContextID, ok bool) {
	if !bytes.Contains(message[:min(len(message), 64)], []byte(`"result":{"browserContextId":"`)) {
		return "", false
	}
	var answer struct {
		Result struct {
			ID protocol.BrowserContextID `json:"browserContextId"`
		} `json:"result"`
	}
	err := json.Unmarshal(message, &answer, jsontext.AllowInvalidUTF8(true))
	return answer.Result.ID, err == nil
}
