package schema

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// finding is a problem as the validator locates it.
type finding struct {
	path  []string
	text  string
	fixed bool // another value is demanded: a sign that another branch was meant
}

// findings reads the errors of the validator, sorted and at most so many. Errors
// are as deep as the schema.
func findings(e *jsonschema.ValidationError, most int) []finding {
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		var all []finding
		for _, cause := range e.Causes {
			if all = append(all, findings(cause, most)...); len(all) > 50*most {
				all = first(all, most)
			}
		}
		return first(all, most)
	case *kind.AnyOf:
		return closest(e, most)
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			return closest(e, most)
		}
	case *kind.Required:
		return forEach(e, k.Missing, "is required", most)
	case *kind.Dependency:
		return forEach(e, k.Missing, "is required where there is "+brief(k.Prop, maxQuote), most)
	case *kind.DependentRequired:
		return forEach(e, k.Missing, "is required where there is "+brief(k.Prop, maxQuote), most)
	case *kind.AdditionalProperties:
		return forEach(e, k.Properties, "is not a property of the schema", most)
	}
	_, isConst := e.ErrorKind.(*kind.Const)
	_, isEnum := e.ErrorKind.(*kind.Enum)
	return []finding{{path: e.InstanceLocation, text: describe(e.ErrorKind), fixed: isConst || isEnum}}
}

func forEach(e *jsonschema.ValidationError, names []string, text string, most int) []finding {
	slices.Sort(names)
	var all []finding
	for _, name := range names[:min(len(names), most)] {
		all = append(all, finding{path: slices.Concat(e.InstanceLocation, []string{name}), text: text})
	}
	return all
}

// first keeps the first problems in order of their paths.
func first(all []finding, most int) []finding {
	slices.SortFunc(all, func(a, b finding) int {
		return cmp.Or(slices.CompareFunc(a.path, b.path, compareSteps), cmp.Compare(a.text, b.text))
	})
	return all[:min(len(all), most)]
}

func compareSteps(a, b string) int {
	i, errA := strconv.Atoi(a)
	j, errB := strconv.Atoi(b)
	if errA == nil && errB == nil {
		return cmp.Compare(i, j)
	}
	return cmp.Compare(a, b)
}

// closest reads the errors of a value that fits none of several branches: those
// of the branch that seems to have been meant, which has the fewest and the
// deepest.
func closest(e *jsonschema.ValidationError, most int) []finding {
	var best []finding
	var score int
	for _, cause := range e.Causes {
		if mismatch(cause, e.InstanceLocation) != nil {
			continue
		}
		found := findings(cause, most)
		if len(found) == 0 {
			continue
		}
		wrong := len(found)
		for _, f := range found {
			if f.fixed {
				wrong += most
			}
		}
		if best == nil || wrong < score || wrong == score && len(found[0].path) > len(best[0].path) {
			best, score = found, wrong
		}
	}
	if best != nil {
		return best
	}
	if k := mismatch(e, e.InstanceLocation); k != nil {
		return []finding{{path: e.InstanceLocation, text: describe(k)}}
	}
	return []finding{{path: e.InstanceLocation, text: "does not fit the schema"}}
}

// mismatch returns the types that a value should have if it is of the wrong type
// as a whole.
func mismatch(e *jsonschema.ValidationError, at []string) *kind.Type {
	if len(e.InstanceLocation) != len(at) {
		return nil
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		return k
	case *kind.AllOf, *kind.Group:
		for _, cause := range e.Causes {
			if found := mismatch(cause, at); found != nil {
				return found
			}
		}
	case *kind.AnyOf, *kind.OneOf:
		var union *kind.Type
		for _, cause := range e.Causes {
			found := mismatch(cause, at)
			if found == nil {
				return nil
			}
			if union == nil {
				union = &kind.Type{Got: found.Got}
			}
			union.Want = append(union.Want, found.Want...)
		}
		return union
	}
	return nil
}

// describe puts an error of the validator into words.
func describe(e jsonschema.ErrorKind) string {
	switch k := e.(type) {
	case *kind.Type:
		return describeType(k)
	case *kind.Enum:
		return "must be " + oneOf(k.Want)
	case *kind.Const:
		return "must be " + quoted(k.Want)
	case *kind.FalseSchema:
		return "is not allowed"
	case *kind.Not:
		return "must not fit what the schema excludes"
	case *kind.OneOf:
		return "fits more than one of the forms of which it may have one"
	case *kind.PropertyNames:
		return fmt.Sprintf("has a property whose name is not allowed: %s", brief(k.Property, maxQuote))
	case *kind.UniqueItems:
		return fmt.Sprintf("must not repeat an element: %d and %d are equal", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains, *kind.MinContains:
		return "lacks an element that the schema demands"
	case *kind.MaxContains:
		return "has too many elements of a form"
	case *kind.AdditionalItems:
		return fmt.Sprintf("has %s too many", count(k.Count, "element"))
	case *kind.Pattern:
		return "must match the pattern " + brief(k.Want, maxQuote)
	case *kind.InvalidJsonValue:
		return "is not a JSON value"
	}
	return describeBound(e)
}

// describeBound puts lengths and limits into words.
func describeBound(e jsonschema.ErrorKind) string {
	switch k := e.(type) {
	case *kind.MinLength:
		return fmt.Sprintf("must have at least %s, not %d", count(k.Want, "character"), k.Got)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %s, not %d", count(k.Want, "character"), k.Got)
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %s, not %d", count(k.Want, "element"), k.Got)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %s, not %d", count(k.Want, "element"), k.Got)
	case *kind.MinProperties:
		return fmt.Sprintf("must have at least %d properties, not %d", k.Want, k.Got)
	case *kind.MaxProperties:
		return fmt.Sprintf("must have at most %d properties, not %d", k.Want, k.Got)
	case *kind.Minimum:
		return "must be at least " + decimal(k.Want)
	case *kind.Maximum:
		return "must be at most " + decimal(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be more than " + decimal(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be less than " + decimal(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + decimal(k.Want)
	}
	return "does not fit the schema"
}

func describeType(k *kind.Type) string {
	want := slices.Clone(k.Want)
	slices.Sort(want)
	want = slices.Compact(want)
	if i := slices.Index(want, "null"); i >= 0 {
		want = append(slices.Delete(want, i, i+1), "null") // it is named last
	}
	for i, name := range want {
		want[i] = article(name)
	}
	got := article(k.Got)
	if k.Got == "number" && slices.Contains(k.Want, "integer") {
		got = "a fraction"
	}
	return fmt.Sprintf("must be %s, not %s", alternatives(want), got)
}

func article(name string) string {
	switch name {
	case "null":
		return name
	case "array", "integer", "object":
		return "an " + name
	}
	return "a " + name
}

func alternatives(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func oneOf(values []any) string {
	const most = 12
	if len(values) == 1 {
		return quoted(values[0])
	}
	var words []string
	for _, value := range values[:min(len(values), most)] {
		words = append(words, quoted(value))
	}
	if len(values) > most {
		words = append(words, "…")
	}
	return "one of " + strings.Join(words, ", ")
}

func quoted(value any) string {
	encoded, err := encode(value)
	if err != nil {
		return "another value"
	}
	return brief(string(encoded), maxQuote)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func decimal(r *big.Rat) string {
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}
