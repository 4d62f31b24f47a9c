package api

import (
	"context"
	"fmt"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trawlhq/trawl"
)

// FileStore keeps the pictures and PDFs that scrapes made.
type FileStore interface {
	// Secret returns what addresses of a kind are signed with; theirs is files.
	Secret(ctx context.Context, name string) ([]byte, error)
	// File returns one; if it is not there, the error has CodeNotFound.
	File(ctx context.Context, id string) (trawl.File, error)
}

type fileInput struct {
	Name      string `path:"name" doc:"Id of the file, with .png, .jpg or .pdf."`
	Expires   string `query:"expires" doc:"When the address expires, in seconds since 1970."`
	Signature string `query:"signature" doc:"What makes the address valid."`
}

// fileOutput is a file for anyone to show but not to run: whatever a page got
// into it, a browser that is led to it treats it as a lone picture or PDF.
type fileOutput struct {
	ContentType  string `header:"Content-Type"`
	Length       string `header:"Content-Length"`
	CacheControl string `header:"Cache-Control"`
	Disposition  string `header:"Content-Disposition"`
	Policy       string `header:"Content-Security-Policy"`
	Resource     string `header:"Cross-Origin-Resource-Policy"`
	Body         []byte
}

// file answers GET /v2/files/{name}. The signature stands for a key; the store is
// asked only if it is right.
func (s *Server) file(ctx context.Context, in *fileInput) (*fileOutput, error) {
	secret, err := s.Store.Secret(ctx, "files")
	if err != nil {
		return nil, err
	}
	now := s.Now()
	id, contentType, err := trawl.CheckFile(secret, in.Name, in.Expires, in.Signature, now)
	if err != nil {
		return nil, err
	}
	file, err := s.Store.File(ctx, id)
	if err != nil {
		return nil, err
	}
	left := int64(file.ExpiresAt.Sub(now).Seconds())
	return &fileOutput{
		ContentType:  contentType,
		Length:       strconv.Itoa(len(file.Data)),
		CacheControl: fmt.Sprintf("private, immutable, max-age=%d", left),
		Disposition:  `inline; filename="` + in.Name + `"`,
		Policy:       "default-src 'none'; sandbox",
		Resource:     "cross-origin",
		Body:         file.Data,
	}, nil
}

// addFiles puts the route of files into the table, and their types into the
// OpenAPI document.
func addFiles(s *Server, r route) {
	addRaw(s, r, s.file)
	op := s.huma.OpenAPI().Paths[r.path].Get
	op.Description = "Scrapes return addresses of this path, complete with their signature. They need no key and expire."
	content := map[string]*huma.MediaType{}
	for _, name := range []string{trawl.TypePNG, trawl.TypeJPEG, trawl.TypePDF} {
		content[name] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	op.Responses["200"].Content = content
}
