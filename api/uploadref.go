package api

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/scrape/source"
	"github.com/trawlhq/trawl/store"
)

// uploadTime is how long there is to send a file and to have it parsed.
const uploadTime = 10 * time.Minute

// UploadStore keeps files that are sent before the request to parse them.
type UploadStore interface {
	CreateUpload(ctx context.Context, u store.Upload) error
	Upload(ctx context.Context, id string) (store.Upload, error)
	FillUpload(ctx context.Context, id string, data []byte) error
	TakeUpload(ctx context.Context, teamID, id string) (store.Upload, []byte, error)
}

// UploadRequest is the body of POST /v2/parse/upload-url.
type UploadRequest struct {
	Filename    string `json:"filename" required:"true" doc:"Name of the file." minLength:"1" maxLength:"512"`
	ContentType string `json:"contentType,omitempty" doc:"Its media type." maxLength:"255"`
	Size        int64  `json:"declaredSizeBytes,omitempty" doc:"Its size." minimum:"1" maximum:"52428800"`
	Sender
}

type uploadURLInput struct{ Body UploadRequest }

type (
	// UploadURL is the answer to POST /v2/parse/upload-url.
	UploadURL struct {
		Success
		Data UploadTarget `json:"data"`
	}
	// UploadTarget says where to send a file, and how.
	UploadTarget struct {
		URL       string            `json:"uploadUrl" doc:"Where to send the file."`
		Ref       string            `json:"uploadRef" doc:"What stands for the file in POST /v2/parse. It works once."`
		Method    string            `json:"method" doc:"How to send it." enum:"PUT"`
		Headers   map[string]string `json:"headers" doc:"Headers to send with it."`
		ExpiresAt string            `json:"expiresAt" doc:"Until when it can be sent and parsed." format:"date-time"`
		MaxBytes  int64             `json:"maxSizeBytes" doc:"How large it may be."`
	}
)

// uploadURL answers POST /v2/parse/upload-url.
func (s *Server) uploadURL(ctx context.Context, in *uploadURLInput) (*UploadURL, error) {
	req, v := &in.Body, visitOf(ctx)
	if err := readable(req.Filename); err != nil {
		return nil, err
	}
	now := s.Now()
	u := store.Upload{
		ID: uuid.NewString(), TeamID: v.caller.Team.ID, Name: trawl.FileName(req.Filename), ContentType: req.ContentType, Size: req.Size, ExpiresAt: now.Add(uploadTime),
	}
	ref, err := s.signUpload(ctx, u)
	if err == nil {
		err = s.Store.CreateUpload(ctx, u)
	}
	if err != nil {
		return nil, err
	}
	target := UploadTarget{
		URL: s.baseURL(v.request) + "/v2/parse/upload/" + u.ID + "?uploadRef=" + url.QueryEscape(ref), Ref: ref, Method: http.MethodPut,
		Headers: map[string]string{"Content-Type": "application/octet-stream"}, ExpiresAt: timestamp(u.ExpiresAt), MaxBytes: trawl.MaxUpload,
	}
	if u.ContentType != "" {
		target.Headers["Content-Type"] = u.ContentType
	}
	return &UploadURL{Success: yes, Data: target}, nil
}

// readable refuses a name that says that nothing reads the file. One without an
// extension says nothing.
func readable(name string) error {
	extension := strings.ToLower(filepath.Ext(name))
	if extension == "" || slices.ContainsFunc(source.FileTypes(), func(t source.FileType) bool { return slices.Contains(t.Extensions, extension) }) {
		return nil
	}
	return source.ErrFileType()
}

// uploadRef is what a reference to an upload says.
type uploadRef struct {
	ID      string `json:"id"`
	Team    string `json:"team"`
	Expires int64  `json:"exp"` // in milliseconds since 1970
}

// signUpload returns the reference to an upload: what it says, and a signature.
func (s *Server) signUpload(ctx context.Context, u store.Upload) (string, error) {
	secret, err := s.Store.Secret(ctx, "uploads")
	if err != nil {
		return "", err
	}
	payload, err := json.Marshal(uploadRef{u.ID, u.TeamID, u.ExpiresAt.UnixMilli()})
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(payload)
	return text + "." + signature(secret, text), nil
}

func signature(secret []byte, text string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// checkUpload returns what a reference says, if it is one of this server and has not
// expired.
func (s *Server) checkUpload(ctx context.Context, ref string) (uploadRef, error) {
	secret, err := s.Store.Secret(ctx, "uploads")
	if err != nil {
		return uploadRef{}, err
	}
	var u uploadRef
	text, sign, _ := strings.Cut(ref, ".")
	payload, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || !hmac.Equal([]byte(sign), []byte(signature(secret, text))) || json.Unmarshal(payload, &u) != nil {
		return uploadRef{}, badUpload("Invalid uploadRef.")
	}
	if s.Now().UnixMilli() >= u.Expires {
		return uploadRef{}, badUpload("The uploadRef has expired.")
	}
	return u, nil
}

func badUpload(message string) error { return trawl.Errorf(trawl.CodeBadRequest, "%s", message) }

// receiveFile answers PUT /v2/parse/upload/{id}. The reference stands for a key; nothing
// is read of the body before it is known to be good.
func (s *Server) receiveFile(w *answer, r *http.Request) {
	if err := s.fillUpload(w, r); err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = jsonFormat.Marshal(w, yes)
}

func (s *Server) fillUpload(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	ref, err := s.checkUpload(ctx, r.URL.Query().Get("uploadRef"))
	if err != nil {
		return err
	}
	if ref.ID != strings.ToLower(r.PathValue("id")) {
		return badUpload("The uploadRef is that of another upload.")
	}
	u, err := s.Store.Upload(ctx, ref.ID)
	if err != nil {
		return uploadStoreError(err)
	}
	v := visitOf(ctx)
	v.caller.Team.ID = u.TeamID
	s.recognise(ctx)
	arriveWithin(w, r, s.bodyTimes.upload)
	most := int64(trawl.MaxUpload)
	if u.Size > 0 {
		most = u.Size
	}
	if r.ContentLength > most {
		return errLargeUpload(most)
	}
	up := &upload{release: func() {}}
	defer func() { up.release() }()
	data, err := s.takeFile(ctx, up, http.MaxBytesReader(w, r.Body, most))
	_, large := errors.AsType[*http.MaxBytesError](err)
	switch {
	case large:
		return errLargeUpload(most)
	case trawl.ErrorCode(err) == trawl.CodeUnavailable:
		return err
	case err != nil:
		return badUpload("The file could not be read: it is cut off or too slow.")
	case len(data) == 0:
		return badUpload("The file is empty.")
	}
	return uploadStoreError(s.Store.FillUpload(ctx, ref.ID, data))
}

func errLargeUpload(most int64) error {
	return trawl.Errorf(trawl.CodeBadRequest, "The file is larger than %d bytes.", most)
}

// uploadStoreError is what callers see of an upload that is not there any more.
func uploadStoreError(err error) error {
	switch trawl.ErrorCode(err) {
	case trawl.CodeNotFound:
		return trawl.Errorf(trawl.CodeNotFound, "Upload not found.")
	case trawl.CodeGone:
		return badUpload("The uploadRef was used already or has expired, or no file was sent yet.")
	}
	return err
}

// receiveRef reads a body of JSON that names an upload, and takes the file.
func (s *Server) receiveRef(w http.ResponseWriter, r *http.Request) (*upload, trawl.ParseRequest, error) {
	ctx := r.Context()
	fail := func(err error) (*upload, trawl.ParseRequest, error) { return nil, trawl.ParseRequest{}, err }
	arriveWithin(w, r, s.bodyTimes.caller)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostOptions))
	if err != nil {
		return fail(errBody(err))
	}
	visitOf(ctx).body = body
	if err := checkJSON(body); err != nil {
		return fail(err)
	}
	var fields map[string]json.RawMessage
	var text string
	if json.Unmarshal(body, &fields) != nil || json.Unmarshal(fields["uploadRef"], &text) != nil {
		return fail(trawl.Invalid([]trawl.Issue{{Code: "required", Message: "is required", Path: []any{"uploadRef"}}}))
	}
	delete(fields, "uploadRef")
	rest, err := json.Marshal(fields)
	if err != nil {
		return fail(err)
	}
	options, err := s.parseOptions(ctx, "", rest)
	if err != nil {
		return fail(err)
	}
	ref, err := s.checkUpload(ctx, text)
	if err != nil {
		return fail(err)
	}
	if ref.Team != visitOf(ctx).caller.Team.ID {
		return fail(badUpload("Invalid uploadRef."))
	}
	up, err := s.takeUpload(ctx, ref)
	return up, options, err
}

// takeUpload takes a file that was sent before, once there is room for it.
func (s *Server) takeUpload(ctx context.Context, ref uploadRef) (*upload, error) {
	release, err := s.uploadRoom(ctx)
	if err != nil {
		return nil, trawl.Errorf(trawl.CodeUnavailable, "The server is busy with other large files. Try again in a moment.")
	}
	u, data, err := s.Store.TakeUpload(ctx, ref.Team, ref.ID)
	if err != nil {
		release()
		return nil, uploadStoreError(err)
	}
	return &upload{file: data, name: u.Name, contentType: u.ContentType, release: release}, nil
}

// addReceiver puts the route into the table that files are sent to.
func addReceiver(s *Server, r route) {
	addPlain(s, r, http.StatusOK, "Addresses of this path come from POST /v2/parse/upload-url, complete with their signature. They need no key and expire.", s.receiveFile)
	op := s.huma.OpenAPI().Paths[r.path].Put
	text := &huma.Schema{Type: huma.TypeString}
	op.Parameters = []*huma.Param{
		{Name: "id", In: "path", Required: true, Schema: text, Description: "Id of the upload."},
		{Name: "uploadRef", In: "query", Required: true, Schema: text, Description: "What makes the address valid."},
	}
	op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
	}}
	op.Responses["200"].Content = map[string]*huma.MediaType{"application/json": {Schema: s.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Success](), true, "Success")}}
}
