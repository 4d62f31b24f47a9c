package schema

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// kinds is a set of types of JSON values. Whole numbers are told from others.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	integer
	fraction
	text
	array
	object

	number = integer | fraction
	every  = null | boolean | number | text | array | object
)

// kindOf returns the kind of a value, none of something that is not JSON.
func kindOf(value any) kinds {
	switch v := value.(type) {
	case nil:
		return null
	case bool:
		return boolean
	case string:
		return text
	case []any:
		return array
	case map[string]any:
		return object
	case json.Number:
		if !strings.ContainsAny(string(v), ".eE") {
			return integer
		}
		f, err := v.Float64()
		return kindOfFloat(f, err)
	case float64:
		return kindOfFloat(v, nil)
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return integer
	}
	return 0
}

func kindOfFloat(f float64, err error) kinds {
	if err == nil && f == math.Trunc(f) && !math.IsInf(f, 0) {
		return integer
	}
	return fraction
}

func kindsOfAll(values []any) (all kinds) {
	for _, value := range values {
		all |= kindOf(value)
	}
	return all
}

// kindsNamed reads the keyword type.
func kindsNamed(types any) (all kinds) {
	names, ok := types.([]any)
	if !ok {
		names = []any{types}
	}
	for _, name := range names {
		switch name {
		case "null":
			all |= null
		case "boolean":
			all |= boolean
		case "integer":
			all |= integer
		case "number":
			all |= number
		case "string":
			all |= text
		case "array":
			all |= array
		case "object":
			all |= object
		}
	}
	return all
}

// name returns the name of the one type in the set, apart from null.
func (k kinds) name() string {
	switch k &^ null {
	case boolean:
		return "boolean"
	case integer:
		return "integer"
	case number, fraction:
		return "number"
	case text:
		return "string"
	case array:
		return "array"
	case object:
		return "object"
	}
	return ""
}

// usable reports whether a number is one that can be reckoned with: the cost of
// exact arithmetic grows with the exponent.
func usable(n string) bool {
	const most = 400
	if n == "" || len(n) > most || (n[0] != '-' && (n[0] < '0' || n[0] > '9')) || !json.Valid([]byte(n)) {
		return false
	}
	e := strings.IndexAny(n, "eE")
	if e < 0 {
		return true
	}
	exponent, err := strconv.Atoi(n[e+1:])
	return err == nil && exponent >= -most && exponent <= most
}

// exact is what a comparison of numbers costs more than a look at a value: it is
// done without rounding.
const exact = 3

// sizeOf counts the values in a value that is known not to be deep.
func sizeOf(value any) int {
	size := 1
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			size += sizeOf(element)
		}
	case map[string]any:
		for _, element := range v {
			size += sizeOf(element)
		}
	case string:
		size += len(v) / 64
	case json.Number:
		size += exact
	}
	return size
}

// oddity is why a value cannot be looked at.
type oddity struct {
	path []any
	deep bool
}

// examine looks for what makes a value dangerous: depth, and numbers out of range.
func examine(value any, path []any) *oddity {
	if len(path) > maxNesting {
		return &oddity{deep: true}
	}
	switch v := value.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			if found := examine(v[name], append(path, name)); found != nil {
				return found
			}
		}
	case []any:
		for i, element := range v {
			if found := examine(element, append(path, i)); found != nil {
				return found
			}
		}
	case json.Number:
		if !usable(string(v)) {
			return &oddity{path: append([]any{}, path...)}
		}
	}
	return nil
}
