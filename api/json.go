package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"
)

// jsonFormat is how bodies are read and written. Syntax was checked at the gate.
var jsonFormat = huma.Format{
	Marshal: func(w io.Writer, v any) error {
		if own, ok := v.(interface{ writeJSON(io.Writer) error }); ok {
			return own.writeJSON(w)
		}
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(v)
	},
	Unmarshal: func(data []byte, v any) error {
		if generic, ok := v.(*any); ok {
			return decodeGeneric(data, generic)
		}
		return decodeTyped(data, v)
	},
}

// decodeGeneric decodes for validation. A number that no float can hold stays
// what it is, so that validation refuses it where it stands.
func decodeGeneric(data []byte, v *any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(v); err != nil {
		return err
	}
	*v = floats(*v)
	return nil
}

func floats(v any) any {
	switch v := v.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return f
		}
	case []any:
		for i := range v {
			v[i] = floats(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = floats(v[k])
		}
	}
	return v
}

// decodeTyped decodes what has been validated. Whole numbers written as 1e3 or
// 1000.0 are integers to a schema but not to Go: they are rewritten first.
func decodeTyped(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) || !strings.HasPrefix(mismatch.Value, "number") {
		return err
	}
	canonical := jsontext.Value(bytes.Clone(data))
	if err := canonical.Format(jsontext.CanonicalizeRawFloats(true)); err != nil {
		return err
	}
	return json.Unmarshal(canonical, v)
}

// duplicatePath returns the path of the key that a JSON object has twice.
func duplicatePath(err error) []any {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return []any{}
	}
	path := []any{}
	for token := range syntax.JSONPointer.Tokens() {
		path = append(path, pathElement(token))
	}
	return path
}

// pathElement turns an array index into a number.
func pathElement(token string) any {
	if i, err := strconv.Atoi(token); err == nil {
		return i
	}
	return token
}
