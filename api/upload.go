package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
)

const (
	formType = "multipart/form-data"
	partFile = "file"
)

// Limits on uploads.
const (
	mostOptions = 1 << 20
	mostForm    = trawl.MaxUpload + mostOptions/2 // all parts and what surrounds them
	largeUpload = 1 << 20                         // from where on there may be only a few
	mostUploads = 4                               // of those in memory, or as many as there are cores
	uploadWait  = 30 * time.Second                // for others to be done with
)

// upload is a form with a file.
type upload struct {
	file        []byte
	name        string
	contentType string // as the sender has it
	options     []byte // nil if there are none
	release     func() // gives back the room that it takes
}

// receive reads a form with the parts file and options, in any order. What is too
// large is not read to its end.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) (*upload, error) {
	mediaType, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != formType || params["boundary"] == "" {
		return nil, trawl.Errorf(trawl.CodeMediaType, "Unsupported content type: send multipart/form-data with the part file.")
	}
	if r.ContentLength > mostForm {
		return nil, errUploadSize()
	}
	arriveWithin(w, r, s.bodyTimes.upload)
	up := &upload{release: func() {}}
	form := multipart.NewReader(http.MaxBytesReader(w, r.Body, mostForm), params["boundary"])
	for err == nil {
		var part *multipart.Part
		if part, err = form.NextRawPart(); err == nil {
			err = s.take(r.Context(), up, part)
		}
	}
	if err == io.EOF {
		err = up.complete()
	}
	if err != nil {
		up.release()
		return nil, uploadError(err)
	}
	return up, nil
}

// take adds a part to an upload.
func (s *Server) take(ctx context.Context, up *upload, part *multipart.Part) (err error) {
	switch part.FormName() {
	case partFile:
		if up.file != nil {
			return badPart(partFile, "duplicate_key", "is given twice")
		}
		_, disposition, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
		up.name, up.contentType = trawl.FileName(disposition["filename"]), part.Header.Get("Content-Type")
		up.file, err = s.takeFile(ctx, up, part)
	case partOptions:
		if up.options != nil {
			return badPart(partOptions, "duplicate_key", "is given twice")
		}
		if up.options, err = io.ReadAll(io.LimitReader(part, mostOptions+1)); len(up.options) > mostOptions {
			return badPart(partOptions, "invalid_value", "is larger than 1 MB")
		}
	default:
		return badPart(part.FormName(), codeUnknownKey, "is no part of an upload: those are file and options")
	}
	return err
}

// takeFile reads the file, and waits for room before it becomes a large one.
func (s *Server) takeFile(ctx context.Context, up *upload, part io.Reader) ([]byte, error) {
	buf := bytes.NewBuffer([]byte{}) // an empty file is one too
	if n, err := buf.ReadFrom(io.LimitReader(part, largeUpload)); err != nil || n < largeUpload {
		return buf.Bytes(), err
	}
	release, err := s.uploadRoom(ctx)
	if err != nil {
		return nil, trawl.Errorf(trawl.CodeUnavailable, "The server is busy with other large files. Try again in a moment.")
	}
	up.release = release
	_, err = buf.ReadFrom(io.LimitReader(part, trawl.MaxUpload-largeUpload+1))
	if err == nil && buf.Len() > trawl.MaxUpload {
		err = errUploadSize()
	}
	return buf.Bytes(), err
}

// uploadRoom waits for room for a large file. A team can take up all but one of the
// places, so that however slow it is, it does not keep out the others.
func (s *Server) uploadRoom(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, uploadWait)
	defer cancel()
	leave, _, err := s.senders.Acquire(ctx, visitOf(ctx).caller.Team.ID, cap(s.uploads)-1)
	if err != nil {
		return nil, err
	}
	select {
	case s.uploads <- struct{}{}:
		return sync.OnceFunc(func() { <-s.uploads; leave() }), nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}

// complete reports what an upload lacks.
func (up *upload) complete() error {
	switch {
	case up.file == nil:
		return badPart(partFile, "required", "is required")
	case len(up.file) == 0:
		return badPart(partFile, "invalid_value", "is empty")
	}
	return nil
}

func errUploadSize() error {
	return trawl.Errorf(trawl.CodeTooLarge, "The file is larger than %d MB.", trawl.MaxUpload>>20)
}

// uploadError is what a caller hears of a form that could not be read. Why that is
// so may quote the form, so the log does not have it.
func uploadError(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errUploadSize()
	}
	if _, ok := errors.AsType[*trawl.Error](err); ok {
		return err
	}
	return trawl.Errorf(trawl.CodeBadRequest, "The form could not be read: it is cut off, too slow or not of its type.")
}

// badPart is the error of a part that is wrong as a whole.
func badPart(name, code, message string) error {
	return trawl.Invalid([]trawl.Issue{{Code: code, Message: message, Path: []any{name}}})
}
