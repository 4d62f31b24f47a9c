package trawl

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// File is a picture or a PDF that a scrape made. It belongs to a team, but whoever
// has its address can read it until it expires: the address is signed.
type File struct {
	ID          string
	TeamID      string
	ContentType string // one of those that are listed here
	Data        []byte
	ExpiresAt   time.Time
}

// Content types of files.
const (
	TypePNG  = "image/png"
	TypeJPEG = "image/jpeg"
	TypePDF  = "application/pdf"
)

// fileEndings are the ends of files' names, by content type.
var fileEndings = map[string]string{TypePNG: ".png", TypeJPEG: ".jpg", TypePDF: ".pdf"}

// Address returns where the file can be read until it expires, on the server with
// that base address. It is the same whenever and wherever it is made.
func (f *File) Address(base string, secret []byte) string {
	name, expires := f.ID+fileEndings[f.ContentType], strconv.FormatInt(f.ExpiresAt.Unix(), 10)
	return base + "/v2/files/" + name + "?expires=" + expires + "&signature=" + signFile(secret, name, expires)
}

// DataURI returns the file itself in the form of an address.
func (f *File) DataURI() string {
	return "data:" + f.ContentType + ";base64," + base64.StdEncoding.EncodeToString(f.Data)
}

// CheckFile reads the parts of a file's address. The error has CodeNotFound unless
// [File.Address] made it with the same secret, and CodeGone if the file has expired.
func CheckFile(secret []byte, name, expires, signature string, now time.Time) (id, contentType string, err error) {
	if !hmac.Equal([]byte(signature), []byte(signFile(secret, name, expires))) {
		return "", "", Errorf(CodeNotFound, "File not found")
	}
	until, err := strconv.ParseInt(expires, 10, 64)
	if err == nil && now.Unix() >= until {
		return "", "", Errorf(CodeGone, "File expired")
	}
	for contentType, ending := range fileEndings {
		if id, ok := strings.CutSuffix(name, ending); ok && err == nil {
			return id, contentType, nil
		}
	}
	return "", "", Errorf(CodeNotFound, "File not found")
}

// signFile signs an address. Neither part can have a line end in an address that
// was signed, so no two have the same text.
func signFile(secret []byte, name, expires string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(name + "\n" + expires))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
