package api

import (
	"errors"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trawlhq/trawl"
)

// ReadActions reads a JSON array of actions by the rules for a request with
// them. An error names what is wrong by its path in the request.
func ReadActions(data []byte) ([]trawl.Action, error) {
	useErrorShape() // which also says how names are compared
	if err := checkJSON(data); err != nil {
		return nil, err
	}
	var list any
	if err := decodeGeneric(data, &list); err != nil {
		return nil, err
	}
	registry := huma.NewMapRegistry(schemaPrefix, huma.DefaultSchemaNamer)
	describeTypes(registry)
	schema := &huma.Schema{Type: huma.TypeArray, Items: registry.Schema(reflect.TypeFor[trawl.Action](), true, "Action")}
	schema.PrecomputeMessages()
	const location = "body.actions"
	found := &huma.ValidateResult{}
	huma.Validate(registry, schema, huma.NewPathBuffer([]byte(location), len(location)), huma.ModeWriteToServer, list, found)
	var issues []trawl.Issue
	for _, err := range found.Errors {
		if detail, ok := errors.AsType[*huma.ErrorDetail](err); ok {
			issues = append(issues, issueOf(detail, map[string]any{"actions": list}))
		}
	}
	if err := trawl.Invalid(issues); err != nil {
		return nil, err
	}
	var actions []trawl.Action
	if err := decodeTyped(data, &actions); err != nil {
		return nil, err
	}
	return actions, nil
}
