package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
)

// mostFile is how large a file may be that is read.
const mostFile = 50 << 20

// uploadRoute is where files are announced that a caller uploads.
const uploadRoute = "POST /v2/parse/upload-url"

// parseFile has the service read a file of this machine.
func parseFile(ctx context.Context, c *call) ([]byte, error) {
	var path, kind string
	if err := errors.Join(c.take("filePath", &path), c.take("contentType", &kind)); err != nil {
		return nil, err
	}
	content, err := readFile(path)
	if err != nil {
		return nil, err
	}
	c.put("origin", c.origin())
	options, err := json.Marshal(c.args)
	if err != nil {
		return nil, err
	}
	form, label, err := formOf(filepath.Base(path), kind, content, options)
	if err != nil {
		return nil, err
	}
	found, err := c.exchangeWith(ctx, request{method: http.MethodPost, path: "/v2/parse", body: form, contentType: label})
	if err != nil {
		return nil, err
	}
	return found.ok()
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the file cannot be read: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", path)
	case info.Size() > mostFile:
		return nil, fmt.Errorf("the file is larger than %d MB", mostFile>>20)
	}
	return os.ReadFile(path)
}

// formOf returns a file and what to make of it as a form, and the form's media type.
func formOf(name, kind string, content, options []byte) (form []byte, label string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", multipart.FileContentDisposition("file", name))
	if kind == "" || strings.ContainsAny(kind, "\r\n") {
		kind = "application/octet-stream"
	}
	header.Set("Content-Type", kind)
	part, err := w.CreatePart(header)
	if err == nil {
		_, err = part.Write(content)
	}
	if err == nil {
		err = w.WriteField("options", string(options))
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), w.FormDataContentType(), err
}

// parseUpload says how to upload a file of the caller's machine, or has the service
// read one that was uploaded.
func parseUpload(ctx context.Context, c *call) ([]byte, error) {
	if c.args["uploadRef"] != nil {
		for _, name := range []string{"filePath", "contentType", "declaredSizeBytes"} {
			delete(c.args, name)
		}
		return c.post(ctx, "/v2/parse", c.args)
	}
	var path, kind string
	var size int64
	if err := errors.Join(c.take("filePath", &path), c.take("contentType", &kind), c.take("declaredSizeBytes", &size)); err != nil {
		return nil, err
	}
	if path == "" {
		return nil, errors.New("give filePath, or in the second call uploadRef")
	}
	want := object{"filename": filepath.Base(filepath.ToSlash(path))}
	if kind != "" {
		want["contentType"] = kind
	}
	if size > 0 {
		want["declaredSizeBytes"] = size
	}
	return c.announce(ctx, path, want)
}

// announce asks where the file may be uploaded, and puts that into words.
func (c *call) announce(ctx context.Context, path string, want object) ([]byte, error) {
	encoded, err := json.Marshal(want)
	if err != nil {
		return nil, err
	}
	_, route, _ := strings.Cut(uploadRoute, " ")
	found, err := c.exchangeWith(ctx, request{method: http.MethodPost, path: route, body: encoded})
	if err != nil {
		return nil, err
	}
	body, err := found.ok()
	if err != nil {
		return nil, err
	}
	var place struct {
		Data struct {
			UploadURL    string            `json:"uploadUrl"`
			UploadRef    string            `json:"uploadRef"`
			Method       string            `json:"method"`
			Headers      map[string]string `json:"headers,omitempty"`
			ExpiresAt    string            `json:"expiresAt"`
			MaxSizeBytes int64             `json:"maxSizeBytes"`
			Command      string            `json:"command"`
		}
	}
	if err := json.Unmarshal(body, &place); err != nil {
		return nil, err
	}
	upload := &place.Data
	words := []string{"curl", "-sS", "-X", upload.Method}
	for name, value := range upload.Headers {
		words = append(words, "-H", quoted(name+": "+value))
	}
	upload.Command = strings.Join(append(words, "--data-binary", quoted("@"+path), quoted(upload.UploadURL)), " ")
	c.put("uploadRef", upload.UploadRef)
	return json.Marshal(object{
		"success": true, "mode": "upload", "message": "Run the command where the file is. Then call the tool again as nextToolCall says.",
		"upload": upload, "nextToolCall": object{"name": c.tool.name, "arguments": c.args},
		"notes": []string{"The upload needs no key.", "The reference is good for one file, until " + upload.ExpiresAt + "."},
	})
}

// quoted is a word of a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
