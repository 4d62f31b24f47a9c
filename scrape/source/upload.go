package source

import (
	"context"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/fetch"
)

// Upload is a file that came with its request.
type Upload struct {
	Name        string
	ContentType string // as the sender has it; may be empty
	Body        []byte
}

// Receive makes a page of an upload.
func (s *Source) Receive(ctx context.Context, u Upload) (*Page, error) {
	kind := document.Sniff(u.Body, u.Name, u.ContentType)
	if kind == document.Unknown {
		return nil, ErrFileType()
	}
	p := &Page{
		Body: u.Body, Kind: File, File: kind,
		Head: Head{URL: u.Name, Status: http.StatusOK, ContentType: u.mediaType(kind), FetchedAt: s.Now()},
	}
	if kind == document.HTML || len(u.Body) == 0 {
		p.Kind = Text
	}
	if len(p.Body) > fetch.LargeBytes {
		var err error
		if p.release, err = s.Room(ctx); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// mediaType is the content type of a file: by what it is, not by what its sender
// calls it. Only XHTML is not told from HTML by its content, nor is the encoding of
// either, if it does not say so itself.
func (u *Upload) mediaType(kind document.Kind) string {
	switch kind {
	case document.HTML:
	case document.Image:
		return http.DetectContentType(u.Body)
	default:
		return kind.ContentType()
	}
	media := kind.ContentType()
	if strings.EqualFold(path.Ext(u.Name), ".xhtml") {
		media = "application/xhtml+xml"
	}
	if _, sent, err := mime.ParseMediaType(u.ContentType); err == nil && sent["charset"] != "" {
		return mime.FormatMediaType(media, map[string]string{"charset": sent["charset"]})
	}
	return media
}

// FileType is a kind of files that can be parsed.
type FileType struct {
	Kind       document.Kind
	Extensions []string // how their names end; what decides is their content
}

// FileTypes lists the kinds of files that can be parsed.
func FileTypes() []FileType {
	return []FileType{
		{document.HTML, []string{".html", ".htm", ".xhtml"}}, {document.PDF, []string{".pdf"}},
		{document.DOCX, []string{".docx", ".docm", ".dotx"}}, {document.DOC, []string{".doc"}},
		{document.ODT, []string{".odt"}}, {document.RTF, []string{".rtf"}},
		{document.XLSX, []string{".xlsx", ".xlsm"}}, {document.XLS, []string{".xls"}},
		{document.ODS, []string{".ods"}}, {document.CSV, []string{".csv"}},
		{document.Image, []string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff"}},
		{document.PPTX, []string{".pptx", ".pptm", ".ppsx"}}, {document.PPT, []string{".ppt"}}, {document.ODP, []string{".odp"}},
		{document.XLSB, []string{".xlsb"}}, {document.EPUB, []string{".epub"}},
		{document.EML, []string{".eml"}}, {document.MSG, []string{".msg"}},
	}
}

// ErrFileType is the error of a file that no reader is for.
func ErrFileType() error {
	var extensions []string
	for _, of := range FileTypes() {
		extensions = append(extensions, of.Extensions...)
	}
	return trawl.Errorf(trawl.CodeFileType, "Unsupported upload type. Files of these types can be read: %s.", strings.Join(extensions, ", "))
}
