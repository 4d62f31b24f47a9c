//go:build clients

package clients_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// What the conformance suite of the Model Context Protocol wants to find at a server
// that it tests, by the names and values that it looks for.

var (
	pixel, _ = base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")
	silence  = []byte("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x44\xac\x00\x00\x88\x58\x01\x00\x02\x00\x10\x00data\x00\x00\x00\x00")
)

const (
	watchedURI  = "test://watched-resource"
	staticText  = "This is the content of the static text resource."
	embeddedURI = "test://embedded-resource"
)

// fixtureOptions is what a server must be able to do before anything is added.
func fixtureOptions(o *sdk.ServerOptions) {
	o.SubscribeHandler = func(context.Context, *sdk.SubscribeRequest) error { return nil }
	o.UnsubscribeHandler = func(context.Context, *sdk.UnsubscribeRequest) error { return nil }
	o.CompletionHandler = func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
		return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{"paris", "park"}, Total: 2}}, nil
	}
	o.Capabilities = nil
}

// addFixtures adds everything else.
func addFixtures(s *sdk.Server) {
	for _, t := range fixtureTools() {
		if t.schema == nil {
			t.schema = map[string]any{"type": "object", "properties": map[string]any{}}
		}
		s.AddTool(&sdk.Tool{Name: t.name, Description: "A fixture: " + t.name, InputSchema: t.schema}, t.run)
	}
	addFixtureResources(s)
	addFixturePrompts(s)
}

type fixtureTool struct {
	name   string
	schema any
	run    sdk.ToolHandler
}

func content(parts ...sdk.Content) sdk.ToolHandler {
	return func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: parts}, nil
	}
}

func said(format string, values ...any) (*sdk.CallToolResult, error) {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: fmt.Sprintf(format, values...)}}}, nil
}

func fixtureTools() []fixtureTool {
	picture, sound := &sdk.ImageContent{Data: pixel, MIMEType: "image/png"}, &sdk.AudioContent{Data: silence, MIMEType: "audio/wav"}
	embedded := &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: embeddedURI, MIMEType: "text/plain", Text: "This is an embedded resource content."}}
	mixed := &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "test://mixed-content-resource", MIMEType: "application/json", Text: `{"test":"data","value":123}`}}
	asks := func(argument string) any {
		return map[string]any{"type": "object", "properties": map[string]any{argument: map[string]any{"type": "string"}}, "required": []string{argument}}
	}
	return []fixtureTool{
		{"test_simple_text", nil, content(&sdk.TextContent{Text: "This is a simple text response for testing."})},
		{"test_image_content", nil, content(picture)},
		{"test_audio_content", nil, content(sound)},
		{"test_embedded_resource", nil, content(embedded)},
		{"test_multiple_content_types", nil, content(&sdk.TextContent{Text: "Multiple content types test:"}, picture, mixed)},
		{"test_error_handling", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			result, err := said("This tool intentionally returns an error for testing")
			result.IsError = true
			return result, err
		}},
		{"test_tool_with_logging", nil, logging},
		{"test_tool_with_progress", nil, progressing},
		{"test_sampling", asks("prompt"), sampling},
		{"test_elicitation", asks("message"), elicitation},
		{"test_elicitation_sep1034_defaults", nil, elicit(defaultsSchema)},
		{"test_elicitation_sep1330_enums", nil, elicit(enumsSchema)},
		{"test_reconnection", nil, reconnecting},
		{"json_schema_2020_12_tool", json.RawMessage(fullSchema), content(&sdk.TextContent{Text: "fits"})},
	}
}

const fullSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"}},"additionalProperties":false}`

const defaultsSchema = `{"type":"object","properties":{"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},
"score":{"type":"number","default":95.5},"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}}}`

const enumsSchema = `{"type":"object","properties":{
"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}}`

func logging(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		if err := r.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "info", Data: text}); err != nil {
			return nil, err
		}
	}
	return said("logged")
}

func progressing(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	for _, done := range []float64{0, 50, 100} {
		err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: done, Total: 100})
		if err != nil {
			return nil, err
		}
	}
	return said("%v", r.Params.GetProgressToken())
}

func sampling(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var args struct{ Prompt string }
	if err := json.Unmarshal(r.Params.Arguments, &args); err != nil {
		return nil, err
	}
	answer, err := r.Session.CreateMessage(ctx, &sdk.CreateMessageParams{
		MaxTokens: 100, Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: args.Prompt}}},
	})
	if err != nil {
		return nil, err
	}
	text, _ := answer.Content.(*sdk.TextContent)
	return said("LLM response: %v", text)
}

func elicitation(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return elicit(`{"type":"object","properties":{"username":{"type":"string"},"email":{"type":"string"}},"required":["username","email"]}`)(ctx, r)
}

func elicit(schema string) sdk.ToolHandler {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		answer, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Please answer.", RequestedSchema: json.RawMessage(schema)})
		if err != nil {
			return nil, err
		}
		given, err := json.Marshal(answer.Content)
		if err != nil {
			return nil, err
		}
		return said("User response: action=%s, content=%s", answer.Action, given)
	}
}

// reconnecting has the client come back for the answer.
func reconnecting(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if r.Extra != nil && r.Extra.CloseSSEStream != nil {
		r.Extra.CloseSSEStream(sdk.CloseSSEStreamArgs{RetryAfter: 50 * time.Millisecond})
	}
	time.Sleep(100 * time.Millisecond)
	return said("Reconnection test completed")
}

func addFixtureResources(s *sdk.Server) {
	read := func(kind, text string, blob []byte) sdk.ResourceHandler {
		return func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: kind, Text: text, Blob: blob}}}, nil
		}
	}
	s.AddResource(&sdk.Resource{URI: "test://static-text", Name: "static-text", Description: "A text.", MIMEType: "text/plain"}, read("text/plain", staticText, nil))
	s.AddResource(&sdk.Resource{URI: "test://static-binary", Name: "static-binary", Description: "A picture.", MIMEType: "image/png"}, read("image/png", "", pixel))
	s.AddResource(&sdk.Resource{URI: watchedURI, Name: "watched", Description: "Can be subscribed to.", MIMEType: "text/plain"}, read("text/plain", "Watched resource content", nil))
	s.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template", Description: "Data by id.", MIMEType: "application/json"},
		func(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			var id string
			if _, err := fmt.Sscanf(r.Params.URI, "test://template/%3s", &id); err != nil {
				return nil, sdk.ResourceNotFoundError(r.Params.URI)
			}
			return read("application/json", fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id), nil)(ctx, r)
		})
}

func addFixturePrompts(s *sdk.Server) {
	add := func(name string, arguments []string, parts func(map[string]string) []sdk.Content) {
		p := &sdk.Prompt{Name: name, Description: "A fixture: " + name}
		for _, a := range arguments {
			p.Arguments = append(p.Arguments, &sdk.PromptArgument{Name: a, Description: "An argument.", Required: true})
		}
		s.AddPrompt(p, func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			result := &sdk.GetPromptResult{}
			for _, part := range parts(r.Params.Arguments) {
				result.Messages = append(result.Messages, &sdk.PromptMessage{Role: "user", Content: part})
			}
			return result, nil
		})
	}
	text := func(format string, values ...any) sdk.Content {
		return &sdk.TextContent{Text: fmt.Sprintf(format, values...)}
	}
	add("test_simple_prompt", nil, func(map[string]string) []sdk.Content {
		return []sdk.Content{text("This is a simple prompt for testing.")}
	})
	add("test_prompt_with_arguments", []string{"arg1", "arg2"}, func(args map[string]string) []sdk.Content {
		return []sdk.Content{text("Prompt with arguments: arg1='%s', arg2='%s'", args["arg1"], args["arg2"])}
	})
	add("test_prompt_with_embedded_resource", []string{"resourceUri"}, func(args map[string]string) []sdk.Content {
		resource := &sdk.ResourceContents{URI: args["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing."}
		return []sdk.Content{&sdk.EmbeddedResource{Resource: resource}, text("Please process the embedded resource above.")}
	})
	add("test_prompt_with_image", nil, func(map[string]string) []sdk.Content {
		return []sdk.Content{&sdk.ImageContent{Data: pixel, MIMEType: "image/png"}, text("Please analyze the image above.")}
	})
}
