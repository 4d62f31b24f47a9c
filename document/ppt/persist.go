package ppt

import (
	"fmt"

	"github.com/trawlhq/trawl/document/tree"
)

// What the stream Current User says of the presentation.
const (
	tokenAt   = 12
	editAt    = 16
	encrypted = 0xF3D1C4DF
)

// readPlaces finds out where the records of the presentation are. Each time that it was
// saved a list was appended, which refers to the one before.
func (r *reader) readPlaces(current data) error {
	if current.u32(tokenAt) == encrypted {
		return tree.ErrEncrypted
	}
	at := current.u32(editAt)
	if r.main.recordAt(at).kind != userEdit {
		at = r.lastEdit()
	}
	r.places = map[int]int{}
	for seen := map[int]bool{}; !seen[at]; {
		seen[at] = true
		edit := r.main.recordAt(at)
		if edit.kind != userEdit {
			break
		}
		if edit.u32(28) != 0 { // how it is encrypted
			return tree.ErrEncrypted
		}
		if r.docID == 0 {
			r.docID = edit.u32(16)
		}
		r.addPlaces(r.main.recordAt(edit.u32(12)))
		if at = edit.u32(8); at == 0 {
			break
		}
	}
	if len(r.places) == 0 {
		return fmt.Errorf("no list of records: %w", tree.ErrDamaged)
	}
	return nil
}

// lastEdit finds the last list if nothing says where it is.
func (r *reader) lastEdit() int {
	found, at := -1, 0
	for at+headerLength <= len(r.main) {
		rec := r.main.recordAt(at)
		if rec.kind == userEdit {
			found = at
		}
		at += headerLength + len(rec.data)
	}
	return found
}

// addPlaces takes the places of a list that no later one has. They come in rows of
// records with consecutive numbers.
func (r *reader) addPlaces(list record) {
	if list.kind != persist {
		return
	}
	for at := 0; at+4 <= len(list.data); {
		head := list.u32(at)
		number, count := head&0xFFFFF, head>>20
		for i := range count {
			if at+8+4*i > len(list.data) {
				return
			}
			if _, known := r.places[number+i]; !known {
				r.places[number+i] = list.u32(at + 4 + 4*i)
			}
		}
		at += 4 + 4*count
	}
}

// record returns the record of a number.
func (r *reader) record(number int) record {
	at, ok := r.places[number]
	if !ok {
		return record{}
	}
	return r.main.recordAt(at)
}
