package v1

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Document returns a document as the first version writes it: data is also there as
// extract, and a diff is an object. Nobody knows of a stored document by which of its
// names the data was asked for. A document without either is returned as it is.
func Document(doc []byte) []byte {
	if !bytes.Contains(doc, []byte(`"json":`)) && !bytes.Contains(doc, []byte(`"changeTracking":`)) {
		return doc
	}
	// Only these values are looked into; all others are copied. The buffer of the
	// decoder is the document itself.
	decoder := jsontext.NewDecoder(bytes.NewBuffer(doc), jsontext.AllowDuplicateNames(true))
	if open, err := decoder.ReadToken(); err != nil || open.Kind() != '{' {
		return doc
	}
	out, copied := make([]byte, 0, len(doc)+len(doc)/4), 0
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			return doc
		}
		key := name.String()
		value, err := decoder.ReadValue()
		if err != nil {
			return doc
		}
		end := int(decoder.InputOffset())
		switch key {
		case "json":
			out = append(out, doc[copied:end]...)
			out = append(append(out, `,"extract":`...), value...)
			copied = end
		case "changeTracking":
			out = append(out, doc[copied:end-len(value)]...)
			out = append(out, changes(value)...)
			copied = end
		}
	}
	return append(out, doc[copied:]...)
}

// changes puts the two forms of a diff into one object.
func changes(value []byte) []byte {
	tracking, ok := readObject(value)
	if !ok || tracking["diff"] == nil {
		return value
	}
	diff := object{"text": tracking["diff"], "json": tracking["diffJson"]}
	if diff["json"] == nil {
		delete(diff, "json")
	}
	delete(tracking, "diffJson")
	tracking["diff"] = diff.encode()
	return tracking.encode()
}
