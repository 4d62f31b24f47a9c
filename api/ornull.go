package api

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// orNull is an object in an answer, or null. The framework knows that only of plain
// values.
type orNull[T any] struct{ value *T }

// MarshalJSON writes the object.
func (n orNull[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// Schema implements huma.SchemaProvider.
func (orNull[T]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{r.Schema(reflect.TypeFor[T](), true, ""), {Type: "null"}}}
}
