package browser

import (
	"context"
	"encoding/json"
	"fmt"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/consent"
)

// quieten has the page's cookie dialogs refused. How is told by package consent.
func (t *tab) quieten(b *cdp.Batch, req *Request) []func(any) error {
	kit := t.pool.config.Consent
	if !req.BlockAds || kit == nil {
		return nil
	}
	t.dialogs = &consent.Watch{}
	cdp.On(t.Session, runtime.BindingCalled, func(e runtime.EventBindingCalled) {
		if e.Name != consent.Binding || !t.dialogs.Note(e.Payload) {
			return
		}
		t.background(func(ctx context.Context) { t.reply(ctx, kit.Answer(e.Payload), e.ExecutionContextID) })
	})
	return []func(any) error{
		b.Add(t.Session, runtime.Enable.Method, nil), // else new documents do not get the binding
		b.Add(t.Session, runtime.AddBinding.Method, runtime.AddBindingParams{Name: consent.Binding, ExecutionContextName: consent.World}),
		b.Add(t.Session, page.AddScriptToEvaluateOnNewDocument.Method,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: kit.Script(), WorldName: consent.World}),
	}
}

// reply carries out the steps of an answer.
func (t *tab) reply(ctx context.Context, steps []consent.Step, from runtime.ExecutionContextID) {
	result := 0
	for _, step := range steps {
		if !step.Main {
			_ = t.run(ctx, fmt.Sprintf("%s(%d)", step.Script, result), from, nil)
			continue
		}
		if object, err := t.evaluateMain(ctx, step.Script); err != nil || json.Unmarshal(object.Value, &result) != nil {
			result = 0
		}
	}
}

// answered waits until no cookie dialog is being answered, within bounds.
func (t *tab) answered(ctx context.Context) {
	if t.dialogs == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, t.pool.limit(closeTimeout))
	defer cancel()
	t.dialogs.Wait(ctx)
}

// hideAds hides from a picture what lists say is advertising. A sheet made by
// script is not subject to the page's policy.
func (t *tab) hideAds(ctx context.Context) error {
	if !t.blockAds || t.pool.config.Ads == nil {
		return nil
	}
	now, err := protocol.Call(ctx, t.Session, page.GetFrameTree, protocol.Empty{})
	if err != nil || now.FrameTree == nil || now.FrameTree.Frame == nil {
		return err
	}
	sheet, err := json.Marshal(t.pool.config.Ads.Cosmetic(hostOf(now.FrameTree.Frame.URL)))
	if err != nil {
		return err
	}
	return t.evaluate(ctx, `{
		const sheet = new CSSStyleSheet();
		sheet.replaceSync(`+string(sheet)+`);
		document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
		true
	}`, nil)
}
