package interact

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/browser/keyboard"
)

const (
	mostTyped  = 5000        // characters that are typed key by key
	mostDelay  = time.Second // between two keys
	dragSteps  = 5           // moves between two places
	handedOver = 300 * time.Millisecond
)

func ms(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

func (c *call) click(ctx context.Context) (output, error) {
	flags, err := c.flags(nil, []string{"--new-tab"})
	if err != nil || len(c.args) == 0 {
		return output{}, usage(c.name)
	}
	e, err := c.element(ctx, c.page, c.args[0])
	if err != nil {
		return output{}, err
	}
	if _, another := flags["--new-tab"]; !another {
		return done, c.clickOn(ctx, e, 1)
	}
	var address string
	if err := e.do(ctx, "link", &address); err != nil {
		return output{}, err
	}
	if address == "" {
		return output{}, failed("Element has no link to open: %s", e.name)
	}
	if address, err = destination(address); err != nil {
		return output{}, err
	}
	p, err := c.openAt(ctx, address)
	if err != nil {
		return output{}, err
	}
	return p.here(ctx)
}

// clickOn clicks an element: with the mouse where it can be hit, else by script.
func (c *call) clickOn(ctx context.Context, e *element, times int) error {
	at, ok, err := e.aim(ctx)
	if err != nil {
		return err
	}
	if !ok {
		for range times {
			if err := e.do(ctx, "press", nil); err != nil {
				return err
			}
		}
		return e.settle(ctx)
	}
	c.mouse = at
	events := []input.DispatchMouseEventParams{{Type: input.DispatchMouseEventTypeMouseMoved}}
	for i := range times {
		events = append(events,
			input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: int64(i + 1)},
			input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseReleased, Button: input.MouseButtonLeft, ClickCount: int64(i + 1)})
	}
	if err := c.mouseEvents(ctx, events...); err != nil {
		return err
	}
	return e.settle(ctx)
}

// mouseEvents sends events of the mouse at the place where it is.
func (c *call) mouseEvents(ctx context.Context, events ...input.DispatchMouseEventParams) error {
	for _, event := range events {
		event.X, event.Y, event.Modifiers = c.mouse.x, c.mouse.y, c.held
		if _, err := protocol.Call(ctx, c.page.session, input.DispatchMouseEvent, event); err != nil {
			return cause(ctx, err)
		}
	}
	return nil
}

func (c *call) hover(ctx context.Context, e *element) error {
	at, ok, err := e.aim(ctx)
	if err != nil {
		return err
	}
	if !ok {
		return failed("Element is not visible: %s", e.name)
	}
	c.mouse = at
	return c.mouseEvents(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved})
}

// check makes a box checked, or not.
func (c *call) check(ctx context.Context, e *element, want bool) error {
	var can, is bool
	if err := e.do(ctx, "checkable", &can); err != nil {
		return err
	}
	if !can {
		return failed("Element cannot be checked: %s", e.name)
	}
	if err := e.do(ctx, "checked", &is); err != nil || is == want {
		return err
	}
	if err := c.clickOn(ctx, e, 1); err != nil {
		return err
	}
	if e.do(ctx, "checked", &is) == nil && is != want { // something else was in front of it
		return e.do(ctx, "press", nil)
	}
	return nil
}

func (c *call) fill(ctx context.Context) (output, error) {
	e, err := c.element(ctx, c.page, c.args[0])
	if err != nil {
		return output{}, err
	}
	return done, c.fillWith(ctx, e, strings.Join(c.args[1:], " "))
}

// fillWith replaces what a field holds.
func (c *call) fillWith(ctx context.Context, e *element, text string) error {
	how, err := c.ready(ctx, e, true)
	if err != nil {
		return err
	}
	if how == "value" {
		var wrong string
		if err := e.do(ctx, "assign", &wrong, text); err != nil {
			return err
		}
		if wrong != "" {
			return failed("%s: %s", wrong, e.name)
		}
		return nil
	}
	if text == "" {
		key, _ := keyboard.Named("Delete")
		return cause(ctx, keyboard.Strike(ctx, c.page.session, nil, key))
	}
	_, err = protocol.Call(ctx, c.page.session, input.InsertText, input.InsertTextParams{Text: strings.ToValidUTF8(text, "\uFFFD")})
	return cause(ctx, err)
}

// ready makes an element take what is typed, and returns how it does.
func (c *call) ready(ctx context.Context, e *element, clear bool) (how string, err error) {
	if err := e.do(ctx, "ready", &how, clear); err != nil {
		return "", err
	}
	switch how {
	case "text", "value":
		return how, nil
	case "gone":
		return "", failed("Element not found: %s", e.name)
	}
	return "", failed("Element is %s: %s", map[string]string{"disabled": "disabled", "readonly": "read-only"}[how]+map[bool]string{true: "not editable"}[how == "uneditable"], e.name)
}

func (c *call) typeInto(ctx context.Context) (output, error) {
	flags, err := c.flags([]string{"--delay"}, []string{"--clear"})
	if err != nil || len(c.args) < 2 {
		return output{}, usage(c.name)
	}
	e, err := c.element(ctx, c.page, c.args[0])
	if err != nil {
		return output{}, err
	}
	_, clear := flags["--clear"]
	return done, c.typeOn(ctx, e, strings.Join(c.args[1:], " "), clear, delay(flags["--delay"]))
}

func delay(text string) time.Duration {
	n, _ := strconv.Atoi(text)
	return min(max(time.Duration(n)*time.Millisecond, 0), mostDelay)
}

// typeOn types into a field, behind what it holds or in its place.
func (c *call) typeOn(ctx context.Context, e *element, text string, clear bool, pace time.Duration) error {
	how, err := c.ready(ctx, e, clear)
	if err != nil {
		return err
	}
	if how == "value" {
		return c.fillWith(ctx, e, text)
	}
	return c.keys(ctx, text, pace)
}

// keys types where the focus is.
func (c *call) keys(ctx context.Context, text string, pace time.Duration) error {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD")
	if len(text) > mostTyped && pace == 0 {
		_, err := protocol.Call(ctx, c.page.session, input.InsertText, input.InsertTextParams{Text: text})
		return cause(ctx, err)
	}
	for _, r := range text {
		if err := keyboard.Strike(ctx, c.page.session, nil, keyboard.For(r)); err != nil {
			return cause(ctx, err)
		}
		if pace > 0 && !pause(ctx, pace) {
			return context.Cause(ctx)
		}
	}
	return nil
}

func (c *call) press(ctx context.Context) (output, error) {
	modifiers, last, ok := keyboard.Parse(c.args[0])
	if !ok {
		return output{}, failed("Unknown key: %s", clip(c.args[0], 100))
	}
	if err := keyboard.Strike(ctx, c.page.session, modifiers, last); err != nil {
		return output{}, cause(ctx, err)
	}
	return done, c.page.settle(ctx)
}

func (c *call) keyDown(ctx context.Context) (output, error) {
	key, ok := keyboard.Named(c.args[0])
	if !ok {
		return output{}, failed("Unknown key: %s", clip(c.args[0], 100))
	}
	if isModifier(key) {
		c.held |= key.Mask
	}
	return done, cause(ctx, keyboard.Down(ctx, c.page.session, key, c.held))
}

func (c *call) keyUp(ctx context.Context) (output, error) {
	key, ok := keyboard.Named(c.args[0])
	if !ok {
		return output{}, failed("Unknown key: %s", clip(c.args[0], 100))
	}
	if isModifier(key) {
		c.held &^= key.Mask
	}
	return done, cause(ctx, keyboard.Up(ctx, c.page.session, key, c.held))
}

func isModifier(k keyboard.Key) bool { return k.Mask != 0 && k.Text == "" }

func (c *call) keyboard(ctx context.Context) (output, error) {
	text := strings.Join(c.args[1:], " ")
	switch c.args[0] {
	case "type":
		return done, c.keys(ctx, text, 0)
	case "inserttext":
		_, err := protocol.Call(ctx, c.page.session, input.InsertText, input.InsertTextParams{Text: strings.ToValidUTF8(text, "\uFFFD")})
		return done, cause(ctx, err)
	}
	return output{}, usage(c.name)
}

func (c *call) choose(ctx context.Context) (output, error) {
	e, err := c.element(ctx, c.page, c.args[0])
	if err != nil {
		return output{}, err
	}
	var wrong string
	if err := e.do(ctx, "choose", &wrong, c.args[1:]); err != nil {
		return output{}, err
	}
	if wrong != "" {
		return output{}, failed("Cannot select in %s: %s", e.name, wrong)
	}
	return done, nil
}

func (c *call) mouseCommand(ctx context.Context) (output, error) {
	numbers := make([]float64, 0, 2)
	for _, arg := range c.args[1:] {
		if n, err := strconv.ParseFloat(arg, 64); err == nil {
			numbers = append(numbers, min(max(n, -100_000), 100_000))
		}
	}
	button := input.MouseButtonLeft
	if i := slices.IndexFunc(c.args, func(a string) bool { return a == "right" || a == "middle" }); i > 0 {
		button = input.MouseButton(c.args[i])
	}
	switch c.args[0] {
	case "move":
		if len(numbers) < 2 {
			return output{}, usage(c.name)
		}
		c.mouse = point{max(numbers[0], 0), max(numbers[1], 0)}
		return done, c.mouseEvents(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved})
	case "down":
		return done, c.mouseEvents(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, Button: button, ClickCount: 1})
	case "up":
		if err := c.mouseEvents(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseReleased, Button: button, ClickCount: 1}); err != nil {
			return output{}, err
		}
		return done, c.page.settle(ctx)
	case "wheel":
		if len(numbers) < 1 {
			return output{}, usage(c.name)
		}
		turn := struct {
			input.DispatchMouseEventParams
			DeltaX float64 `json:"deltaX"`
			DeltaY float64 `json:"deltaY"`
		}{DeltaY: numbers[0]}
		if len(numbers) > 1 {
			turn.DeltaX = numbers[1]
		}
		turn.Type, turn.X, turn.Y = input.DispatchMouseEventTypeMouseWheel, c.mouse.x, c.mouse.y
		return done, cause(ctx, c.page.session.Call(ctx, input.CommandDispatchMouseEvent, turn, nil))
	}
	return output{}, usage(c.name)
}

func (c *call) scroll(ctx context.Context) (output, error) {
	flags, err := c.flags([]string{"-s", "--selector"}, nil)
	if err != nil {
		return output{}, err
	}
	direction, distance := "down", 300.0
	for _, arg := range c.args {
		if n, err := strconv.ParseFloat(strings.TrimSuffix(arg, "px"), 64); err == nil {
			distance = n
		} else {
			direction = arg
		}
	}
	turn, ok := map[string]point{"up": {0, -1}, "down": {0, 1}, "left": {-1, 0}, "right": {1, 0}}[direction]
	if !ok {
		return output{}, failed("Unknown direction: %s", clip(direction, 100))
	}
	x, y := turn.x*distance, turn.y*distance
	if name, set := either(flags, "-s", "--selector"); set {
		e, err := c.element(ctx, c.page, name)
		if err != nil {
			return output{}, err
		}
		return done, e.do(ctx, "scroll", nil, x, y)
	}
	return done, c.page.ask(ctx, c.page.current(), expression("scroll", nil, x, y), nil)
}

// drag moves an element onto another with the mouse. What the page gives to be dragged
// is dropped there, too.
func (c *call) drag(ctx context.Context) (output, error) {
	from, err := c.element(ctx, c.page, c.args[0])
	if err != nil {
		return output{}, err
	}
	to, err := c.element(ctx, c.page, c.args[1])
	if err != nil {
		return output{}, err
	}
	end, ok, err := to.aim(ctx)
	if err != nil || !ok {
		return output{}, orHidden(err, to)
	}
	begin, ok, err := from.aim(ctx)
	if err != nil || !ok {
		return output{}, orHidden(err, from)
	}
	if end, ok, err = to.aim(ctx); err != nil || !ok { // it may have scrolled
		return output{}, orHidden(err, to)
	}
	return done, c.dragFrom(ctx, begin, end)
}

func orHidden(err error, e *element) error {
	if err != nil {
		return err
	}
	return failed("Element is not visible: %s", e.name)
}

func (c *call) dragFrom(ctx context.Context, begin, end point) error {
	given := make(chan *input.DragData, 1)
	stop := cdp.On(c.page.session, input.DragIntercepted, func(e input.EventDragIntercepted) {
		select {
		case given <- e.Data:
		default:
		}
	})
	defer stop()
	if _, err := protocol.Call(ctx, c.page.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true}); err != nil {
		return cause(ctx, err)
	}
	defer func() {
		short, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_, _ = protocol.Call(short, c.page.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: false})
	}()
	c.mouse = begin
	if err := c.mouseEvents(ctx,
		input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved},
		input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1}); err != nil {
		return err
	}
	for i := 1; i <= dragSteps; i++ {
		part := float64(i) / dragSteps
		c.mouse = point{begin.x + (end.x-begin.x)*part, begin.y + (end.y-begin.y)*part}
		if err := c.mouseEvents(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, Button: input.MouseButtonLeft, Buttons: 1}); err != nil {
			return err
		}
	}
	short, cancel := context.WithTimeout(ctx, handedOver)
	defer cancel()
	select {
	case data := <-given:
		for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
			if data.Files != nil {
				data.Files = nil
			}
			if _, err := protocol.Call(ctx, c.page.session, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: end.x, Y: end.y, Data: data}); err != nil {
				return cause(ctx, err)
			}
		}
	case <-short.Done():
	}
	return c.mouseEvents(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseReleased, Button: input.MouseButtonLeft, ClickCount: 1})
}
