// Package pdfium reads PDF files with PDFium, compiled to WebAssembly, and
// gives what is drawn on their pages.
//
// PDFium runs inside this process but in a memory of its own, without files,
// environment or network: a hostile file can at worst use up that memory or hit
// a trap, which ends the instance it ran in and nothing else. What cannot be
// stopped from within is a loop without end: where that matters, run the engine
// in a process that can be killed.
//
// The functions of the library are called directly and leave their answers in
// the module's memory, from where they are read many at a time. A character
// costs three calls this way; a page of text takes a few milliseconds.
package pdfium

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	library "github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// memoryPages is how much memory an instance may have, in pages of 64 KiB.
const memoryPages = 4096

// Engine is PDFium, compiled and ready. One serves a whole process, and several
// documents at a time.
type Engine struct {
	pool  library.Pool
	cache wazero.CompilationCache
}

// Start makes the engine ready. The compiled code is kept in the folder cache,
// which is made if it is missing: without it a start takes seconds. An empty
// name, and a folder that cannot be written, keep nothing.
func Start(ctx context.Context, cache string) (*Engine, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start pdfium: %w", err)
	}
	e, err := start(cache)
	if err != nil && cache != "" {
		e, err = start("")
	}
	return e, err
}

func start(cache string) (*Engine, error) {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages)
	e := &Engine{}
	if cache != "" {
		kept, err := wazero.NewCompilationCacheWithDir(cache)
		if err != nil {
			return nil, fmt.Errorf("start pdfium: %w", err)
		}
		e.cache = kept
		config = config.WithCompilationCache(kept)
	}
	pool, err := webassembly.Init(webassembly.Config{
		MaxTotal:      -1,
		FSConfig:      wazero.NewFSConfig(),
		RuntimeConfig: config,
		Stdout:        io.Discard,
		Stderr:        io.Discard,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start pdfium: %w", err), e.closeCache())
	}
	e.pool = pool
	return e, nil
}

// Close frees the engine and ends what is still open.
func (e *Engine) Close() error {
	return errors.Join(e.pool.Close(), e.closeCache())
}

func (e *Engine) closeCache() error {
	if e.cache == nil {
		return nil
	}
	return e.cache.Close(context.Background())
}

// instance returns a new instance of the library.
func (e *Engine) instance(ctx context.Context) (*module, error) {
	owner, err := e.pool.GetInstanceWithContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("start an instance of pdfium: %w", err)
	}
	m := &module{owner: owner}
	// The type that has the module is internal to the library, its field is not.
	if v := reflect.Indirect(reflect.ValueOf(owner.GetImplementation())); v.Kind() == reflect.Struct {
		if field := v.FieldByName("Module"); field.IsValid() {
			m.wasm, _ = field.Interface().(api.Module)
		}
	}
	if m.wasm == nil {
		return nil, errors.Join(errors.New("start an instance of pdfium: it has no module"), owner.Close())
	}
	m.memory = m.wasm.Memory()
	m.scratch = m.allocate(scratchSize)
	m.slots = m.allocate(batch * slotSize)
	if m.err != nil {
		return nil, errors.Join(m.err, owner.Close())
	}
	return m, nil
}
