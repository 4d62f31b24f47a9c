package document

import (
	"context"
	"errors"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document/tree"
)

// failure is why a worker could not read a file. The sentences for callers are made
// on this side of the pipe: what a reader met is for the log alone.
type failure string

const (
	failedEncrypted failure = "encrypted"
	failedDamaged   failure = "damaged"
	failedComplex   failure = "complex"
	failedPictures  failure = "pictures" // that would have to be recognised
	failedHurry     failure = "hurry"    // there is too little time to recognise them
	failedLate      failure = "late"
	failedRefused   failure = "refused" // by the answer to the question
	failedPanic     failure = "panic"   // of the reader, which is to be mended
)

// errRefused is that the answer to the question was no.
var errRefused = errors.New("the pages are not admitted")

// errPanic is that a reader did not expect what is in a file.
var errPanic = errors.New("the reader panicked")

// failureOf tells which failure an error of a reader is.
func failureOf(err error) failure {
	switch {
	case errors.Is(err, errRefused):
		return failedRefused
	case errors.Is(err, tree.ErrEncrypted):
		return failedEncrypted
	case errors.Is(err, tree.ErrTooComplex):
		return failedComplex
	case errors.Is(err, context.DeadlineExceeded):
		return failedLate
	}
	switch trawl.ErrorCode(err) {
	case trawl.CodeOCRRequired:
		return failedPictures
	case trawl.CodePDFTime:
		return failedHurry
	}
	return failedDamaged
}

// explain makes the error for the caller.
func (f failure) explain(cause error) error {
	switch f {
	case failedEncrypted:
		return trawl.Wrap(trawl.CodeFileEncrypted, "The file is encrypted and cannot be read without its password.", cause)
	case failedComplex:
		return trawl.Wrap(trawl.CodeFileTooComplex, "The file is too complex: it holds more than can be read, or is nested too deeply.", cause)
	case failedPictures:
		return trawl.Wrap(trawl.CodeOCRRequired, "The pages of the file are pictures whose text has to be recognised, which the mode fast does not do.", cause)
	case failedHurry:
		return trawl.Wrap(trawl.CodePDFTime, "Insufficient time to process PDF: its pages cannot be read before the timeout. Ask for fewer with maxPages, or for more time.", cause)
	case failedLate:
		return trawl.Wrap(trawl.CodeTimeout, "The file could not be read in time.", cause)
	}
	return trawl.Wrap(trawl.CodeFileDamaged, "The file is damaged or not of the type that it seems to be.", cause)
}

// ended makes the error for the caller whose context is done.
func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return trawl.Wrap(trawl.CodeTimeout, "The file could not be read in time.", context.Cause(ctx))
	}
	return trawl.Wrap(trawl.CodeUnknown, "The request was cancelled.", context.Cause(ctx))
}
