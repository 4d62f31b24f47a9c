package epub

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/trawlhq/trawl/document/markup"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// local returns the name of an element without its namespace, about which books are
// careless.
func local(n *zipped.Node) string {
	_, name, ok := strings.Cut(n.Name, ":")
	if !ok {
		return n.Name
	}
	return name
}

// child returns the first child of that name, nil if there is none.
func child(n *zipped.Node, name string) *zipped.Node {
	for c := range n.All() {
		if local(c) == name {
			return c
		}
	}
	return nil
}

// xml reads a file as XML, in spite of document types: the entities that they
// define are not known.
func (r *reader) xml(name string) (*zipped.Node, error) {
	body, err := r.archive.Read(name)
	if len(body) == 0 && err != nil {
		return nil, err
	}
	root, wrong := zipped.Parse([]byte(markup.CutDoctype(string(body))))
	if root == nil {
		return nil, fmt.Errorf("read %q: %w", name, wrong)
	}
	return root, nil
}

// resolve returns the file that a reference in another file leads to, and the place
// within it.
func resolve(base, reference string) (file, fragment string) {
	reference, fragment, _ = strings.Cut(strings.TrimSpace(reference), "#")
	if plain, err := url.PathUnescape(reference); err == nil {
		reference = plain
	}
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	if reference == "" {
		return base, fragment
	}
	if strings.HasPrefix(reference, "/") {
		return strings.TrimLeft(path.Clean(reference), "/"), fragment
	}
	return strings.TrimLeft(path.Join("/", path.Dir(base), reference), "/"), fragment
}

// packageName finds the package document.
func (r *reader) packageName() string {
	container, _ := r.xml("META-INF/container.xml")
	for f := range child(container, "rootfiles").All() {
		if name, _ := resolve("", f.Get("full-path")); name != "" && r.archive.Has(name) {
			return name
		}
	}
	for _, name := range r.archive.Names() {
		if strings.HasSuffix(strings.ToLower(name), ".opf") {
			return name
		}
	}
	return ""
}

// item is a file of the manifest.
type item struct{ name, media, properties string }

// readPackage reads what the book consists of, and what it says of itself.
func (r *reader) readPackage() error {
	name := r.packageName()
	if name == "" {
		return fmt.Errorf("no package document: %w", tree.ErrDamaged)
	}
	root, err := r.xml(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: %w", err, tree.ErrDamaged)
		}
		return err
	}
	r.readInfo(child(root, "metadata"))
	items, order := r.manifest(name, child(root, "manifest"))
	r.readSpine(child(root, "spine"), items, order)
	if err := r.checkRights(); err != nil {
		return err
	}
	r.readGuide(name, child(root, "guide"))
	r.readContents(child(root, "spine").Get("toc"), items, order)
	return nil
}

// manifest reads the list of files, by their identifiers and in its order.
func (r *reader) manifest(base string, n *zipped.Node) (items map[string]item, order []string) {
	items, r.media = map[string]item{}, map[string]string{}
	for c := range n.All() {
		if local(c) != "item" {
			continue
		}
		name, _ := resolve(base, c.Get("href"))
		id := c.Get("id")
		if _, known := items[id]; known || !r.archive.Has(name) {
			continue // it is listed again, or somewhere else
		}
		items[id] = item{name, strings.ToLower(strings.TrimSpace(c.Get("media-type"))), c.Get("properties")}
		order = append(order, id)
		r.media[name] = items[id].media
	}
	return items, order
}

// isText tells whether a file can be a chapter.
func (i item) isText() bool {
	switch i.media {
	case "application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/x-dtbook+xml":
		return true
	case "":
		switch strings.ToLower(path.Ext(i.name)) {
		case ".xhtml", ".html", ".htm":
			return true
		}
	}
	return false
}

// readSpine reads the order of the chapters. Those that are beside it, such as notes
// and answers, come last. Without a spine it is the order of the manifest.
func (r *reader) readSpine(n *zipped.Node, items map[string]item, order []string) {
	var beside []string
	seen := map[string]bool{}
	r.skipped = map[string]bool{}
	for c := range n.All() {
		if local(c) != "itemref" {
			continue
		}
		i, ok := items[c.Get("idref")]
		if !ok {
			r.missing = true
			continue
		}
		key := strings.ToLower(i.name)
		if seen[key] || !i.isText() {
			continue
		}
		seen[key] = true
		if strings.EqualFold(c.Get("linear"), "no") {
			beside = append(beside, i.name)
		} else {
			r.spine = append(r.spine, i.name)
		}
	}
	r.spine = append(r.spine, beside...)
	if len(r.spine) > 0 {
		return
	}
	for _, id := range order {
		if i := items[id]; i.isText() && !seen[strings.ToLower(i.name)] {
			seen[strings.ToLower(i.name)] = true
			r.spine = append(r.spine, i.name)
		}
	}
}

// readGuide notes which chapters are covers, title pages and tables of contents.
func (r *reader) readGuide(base string, n *zipped.Node) {
	r.plates = map[string]bool{}
	for c := range n.All() {
		name, fragment := resolve(base, c.Get("href"))
		switch strings.ToLower(c.Get("type")) {
		case "cover", "title-page", "titlepage", "coverpage":
			r.plates[name] = true
		case "toc":
			r.skipped[name] = r.skipped[name] || fragment == ""
		}
	}
}

// checkRights tells whether the chapters are encrypted. Fonts often are, by
// algorithms that only veil them.
func (r *reader) checkRights() error {
	if !r.archive.Has("META-INF/encryption.xml") {
		return nil
	}
	root, err := r.xml("META-INF/encryption.xml")
	if err != nil {
		return nil // it is as if it were not there; chapters tell
	}
	encrypted := map[string]bool{}
	for c := range root.All() {
		if local(c) != "EncryptedData" {
			continue
		}
		switch child(c, "EncryptionMethod").Get("Algorithm") {
		case "http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC":
			continue
		}
		name, _ := resolve("", child(child(c, "CipherData"), "CipherReference").Get("URI"))
		encrypted[strings.ToLower(name)] = true
	}
	for _, name := range r.spine {
		if encrypted[strings.ToLower(name)] {
			return tree.ErrEncrypted
		}
	}
	return nil
}
