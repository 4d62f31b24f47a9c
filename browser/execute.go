package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trawlhq/trawl"
)

const mostReturned = 1 << 20 // bytes of JSON

// execute runs a script in the page's own world and returns its value: that of
// an expression, that of the last statement, or what it returns as the body of
// an async function; promises are awaited. A script that has not ended when the
// time is up is stopped.
//
// A value that JSON cannot hold is null (undefined, functions, symbols), or its
// name in a string: NaN, Infinity, -0, a bigint, and an object such as a window
// or one that holds itself. More than 1 MiB is a failure.
func (t *tab) execute(ctx context.Context, script string) (trawl.ActionReturn, error) {
	source, err := json.Marshal(script)
	if err != nil {
		return undefined(), fmt.Errorf("write script: %w", err)
	}
	value := undefined()
	err = t.stir(ctx, calmTime, func() (err error) {
		value, err = t.value(ctx, fmt.Sprintf("(%s)(%s, %d)", executeScript, source, mostReturned))
		return err
	})
	return value, err
}

// value evaluates an expression that answers as executeScript does.
func (t *tab) value(ctx context.Context, expression string) (trawl.ActionReturn, error) {
	waiting, cancel := patient(ctx)
	defer cancel()
	object, err := t.evaluateMain(waiting, expression)
	thrown, isThrown := errors.AsType[*scriptError](err)
	switch {
	case waiting.Err() != nil:
		t.interrupt(ctx)
		return undefined(), failure("the script did not end in time")
	case isStale(err): // the script went to another page, and so has no value
		return undefined(), nil
	case isThrown:
		return undefined(), failure("the script failed: " + thrown.Text)
	case err != nil:
		return undefined(), err
	}
	return readReturn(object.Value)
}

func undefined() trawl.ActionReturn {
	return trawl.ActionReturn{Type: "undefined", Value: json.RawMessage("null")}
}

// interrupt stops the script that runs in the page.
func (t *tab) interrupt(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_, _ = protocol.Call(ctx, t.Session, runtime.TerminateExecution, protocol.Empty{})
}

// readReturn reads what executeScript answers. The page had its hands on it.
func readReturn(answer []byte) (trawl.ActionReturn, error) {
	var result struct {
		Type  string `json:"type"`
		Value string `json:"value"`
		Error string `json:"error"`
	}
	if err := jsonv2.Unmarshal(answer, &result, jsonv2.AllowInvalidUTF8(true)); err != nil {
		return undefined(), failure("the script's value cannot be read")
	}
	switch {
	case result.Error != "":
		return undefined(), failure(result.Error)
	case len(result.Value) > mostReturned:
		return undefined(), failure(tooLarge)
	case !json.Valid([]byte(result.Value)):
		return undefined(), failure("the script's value cannot be read")
	}
	return trawl.ActionReturn{Type: result.Type, Value: json.RawMessage(result.Value)}, nil
}

const tooLarge = "the script's value is larger than 1 MiB"

// executeScript runs a source in the first of three forms in which it can be
// read, and answers with the type of its value and the value as JSON.
//
// A class with a static block, which is never made, tells whether the source is
// a list of statements without a return or an await of its own, and runs none of
// it. What goes back is cut by hand, for the page may have replaced any function.
const executeScript = `async (source, most) => {
	const AsyncFunction = (async () => {}).constructor;
	const read = () => {
		let end = source.length;
		while (end > 0 && '; \t\r\n'.includes(source[end - 1])) end--;
		try { return new AsyncFunction('return (' + source.slice(0, end) + '\n)') } catch {}
		try { (0, eval)('throw null;class A{static{\n' + source + '\n}}') } catch (error) {
			if (error === null) return () => (0, eval)(source);
		}
		return new AsyncFunction(source);
	};
	const text = value => {
		let whole = '', cut = '';
		try { whole = value instanceof Error ? value.name + ': ' + value.message : '' + value } catch {}
		for (let i = 0; i < whole.length && i < 500; i++) cut += whole[i];
		return cut || 'an error without a message';
	};
	const write = (value, type) => {
		switch (type) {
		case 'undefined': case 'function': case 'symbol': return 'null';
		case 'bigint': return '"' + value + '"';
		case 'number':
			if (value === 0 && 1 / value < 0) return '"-0"';
			return value - value === 0 ? '' + value : '"' + value + '"';
		}
		try { return JSON.stringify(value) ?? 'null' } catch {}
		return JSON.stringify(Object.prototype.toString.call(value));
	};
	try {
		const value = await read()();
		const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
		const json = type === 'string' && value.length > most ? value : write(value, type);
		if (typeof json !== 'string') return {error: "the script's value cannot be read"};
		if (json.length > most) return {error: "` + tooLarge + `"};
		return {type, value: json};
	} catch (error) {
		return {error: 'the script failed: ' + text(error)};
	}
}`
