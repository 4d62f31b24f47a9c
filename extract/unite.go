package extract

import (
	"slices"
	"strings"
)

// maxRivals bounds how many things with the same name are compared with one.
const maxRivals = 32

// unite adds the items of another list. An item of one page is the same as at
// most one of those before: a page that lists two things means two.
func (n *node) unite(other *node) {
	if n.index == nil {
		n.index = &itemIndex{map[string][]*node{}, map[string][]*node{}}
		for _, item := range n.items {
			n.index.add(item)
		}
	}
	var rest []*node
	for _, item := range other.items {
		if twin := n.index.exact(item); twin != nil {
			twin.absorb(item)
		} else {
			rest = append(rest, item)
		}
	}
	for _, item := range rest {
		if same := n.index.same(item); same != nil {
			same.absorb(item)
			n.index.add(same)
		} else {
			n.items = append(n.items, item)
			n.index.add(item)
		}
	}
}

// absorb merges an item into the one that it is the same as.
func (n *node) absorb(item *node) {
	origin := item.origin
	*n = *n.merge(item)
	n.origin = origin
}

// itemIndex finds items by their value, and by what identifies them.
type itemIndex struct {
	values     map[string][]*node
	identities map[string][]*node
}

// add makes an item known. One that has changed is found by what it was, too.
func (x *itemIndex) add(item *node) {
	put := func(index map[string][]*node, key string) {
		if list := index[key]; len(list) < maxRivals && !slices.Contains(list, item) {
			index[key] = append(list, item)
		}
	}
	put(x.values, item.key())
	for field, value := range item.identity() {
		put(x.identities, field+"\x00"+value)
	}
}

// exact returns an item with the same value that this page has not met yet.
func (x *itemIndex) exact(item *node) *node {
	for _, twin := range x.values[item.key()] {
		if twin.origin != item.origin {
			return twin
		}
	}
	return nil
}

// same returns an item that is the same thing and that this page has not met
// yet.
func (x *itemIndex) same(item *node) *node {
	identity := item.identity()
	for _, name := range identifying {
		value, ok := identity[name]
		if !ok {
			continue
		}
		for _, rival := range x.identities[name+"\x00"+value] {
			if rival.origin != item.origin && agree(identity, rival.identity()) {
				return rival
			}
		}
	}
	return nil
}

// agree reports whether two things do not differ in what identifies them.
func agree(a, b map[string]string) bool {
	for name, value := range a {
		if other, ok := b[name]; ok && other != value {
			return false
		}
	}
	return true
}

// identifying are the names of fields that tell one thing from another, the
// surest first.
var identifying = []string{
	"id", "uuid", "sku", "gtin", "ean", "upc", "isbn", "issn", "doi", "asin", "mpn", "partnumber", "productid", "itemid", "jobid",
	"url", "link", "href", "permalink", "website", "email", "username", "handle", "slug",
	"name", "title", "fullname", "firstname", "lastname", "productname", "companyname", "jobtitle", "headline", "question", "model", "symbol", "code",
}

// withoutJoints drops what joins the words of a name.
func withoutJoints(r rune) rune {
	if r == '_' || r == '-' || r == ' ' {
		return -1
	}
	return r
}

// identity returns the fields of an object that identify it.
func (n *node) identity() map[string]string {
	identity := map[string]string{}
	for key, field := range n.fields {
		name := strings.ToLower(strings.Map(withoutJoints, key))
		if !field.isLeaf() || !slices.Contains(identifying, name) {
			continue
		}
		if value := field.key(); len(value) > 1 {
			identity[name] = strings.TrimSuffix(value, "/")
		}
	}
	return identity
}
