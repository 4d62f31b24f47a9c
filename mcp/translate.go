package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
)

// How the official server words what the API words differently: formats are names,
// and the options of a format or parser are an argument beside them.

// optionArguments are the arguments with options, by the name that they belong to.
var optionArguments = map[string]map[string]string{
	"formats": {"json": "jsonOptions", "query": "queryOptions", "screenshot": "screenshotOptions"},
	"parsers": {"pdf": "pdfOptions"},
}

// optionSchemas are the schemas of the API that they are taken from.
var optionSchemas = map[string]string{
	"jsonOptions": "FormatJson", "queryOptions": "FormatQuery", "screenshotOptions": "FormatScreenshot", "pdfOptions": "ParserPdf",
}

// unnamed are formats that cannot be asked for by name alone, or that models have no use for.
var unnamed = []string{"attributes", "question", "highlights", "deterministicJson", "rawBase64", "video"}

// optionFields returns the arguments with options as schemas.
func optionFields(d *spec, names ...string) object {
	fields := object{}
	for _, name := range names {
		schema := d.plain(object{"$ref": "#/components/schemas/" + optionSchemas[name]})
		delete(properties(schema), "type")
		if required, ok := schema["required"].([]any); ok {
			schema["required"] = without(required, "type")
		}
		fields[name] = schema
	}
	return fields
}

func without(list []any, dropped ...any) []any {
	rest := []any{}
	for _, item := range list {
		keep := true
		for _, d := range dropped {
			keep = keep && item != d
		}
		if keep {
			rest = append(rest, item)
		}
	}
	return rest
}

// namedFormats returns formats as names.
func namedFormats(d *spec, schema any) object {
	list := d.plain(schema)
	items, _ := list["items"].(object)
	names, _ := items["enum"].([]any)
	dropped := make([]any, len(unnamed))
	for i, name := range unnamed {
		dropped[i] = name
	}
	items["enum"] = without(names, dropped...)
	list["description"] = "What to make of the page: names of formats; markdown unless chosen."
	return list
}

// options puts names and their options together as the API wants them.
func options(args map[string]json.RawMessage) error {
	for list, named := range optionArguments {
		var names []any
		if raw, ok := args[list]; ok {
			if err := json.Unmarshal(raw, &names); err != nil {
				return fmt.Errorf("the argument %q must be a list of names", list)
			}
		}
		for i, name := range names {
			text, _ := name.(string)
			raw, ok := args[named[text]]
			if !ok {
				continue
			}
			chosen := object{}
			if err := json.Unmarshal(raw, &chosen); err != nil || chosen == nil {
				return fmt.Errorf("the argument %q must be an object", named[text])
			}
			chosen["type"] = text
			names[i] = chosen
		}
		for _, argument := range named {
			delete(args, argument)
		}
		if len(names) > 0 {
			args[list], _ = json.Marshal(names)
		} else {
			delete(args, list) // an empty list is none
		}
	}
	return nil
}

// translateScrape is for tools whose arguments are options of a scrape.
func translateScrape(c *call) error { return options(c.args) }

// translateNested is for tools that have them within scrapeOptions.
func translateNested(c *call) error {
	raw, ok := c.args["scrapeOptions"]
	if !ok {
		return nil
	}
	var nested map[string]json.RawMessage
	if err := json.Unmarshal(raw, &nested); err != nil || nested == nil {
		return errors.New(`the argument "scrapeOptions" must be an object`)
	}
	if err := options(nested); err != nil {
		return err
	}
	c.put("scrapeOptions", nested)
	return nil
}

// translateCrawl also puts the headers of a webhook to its address.
func translateCrawl(c *call) error {
	var address string
	var headers map[string]string
	if err := c.take("webhookHeaders", &headers); err != nil {
		return err
	}
	if raw, ok := c.args["webhook"]; ok && json.Unmarshal(raw, &address) != nil {
		return errors.New(`the argument "webhook" must be an address`)
	}
	if address != "" && len(headers) > 0 {
		c.put("webhook", object{"url": address, "headers": headers})
	}
	return translateNested(c)
}

// pageFields are the options of a scrape that models get to see.
var pageFields = []string{
	"onlyMainContent", "redactPII", "includeTags", "excludeTags", "waitFor", "actions", "mobile", "skipTlsVerification", "removeBase64Images",
	"location", "storeInCache", "zeroDataRetention", "maxAge", "lockdown", "proxy", "profile",
}

// pageArguments returns formats, parsers and their options as arguments, for the
// body of a route that has them.
func pageArguments(d *spec, body object) object {
	fields := object{}
	if schema, ok := properties(body)["formats"]; ok {
		fields["formats"] = namedFormats(d, schema)
		maps.Copy(fields, optionFields(d, "jsonOptions", "queryOptions", "screenshotOptions"))
	}
	if schema, ok := properties(body)["parsers"]; ok {
		fields["parsers"] = d.plain(schema)
		maps.Copy(fields, optionFields(d, "pdfOptions"))
	}
	return fields
}

// nestedPage returns scrapeOptions as an argument.
func nestedPage(d *spec) object {
	body := d.resolved(object{"$ref": "#/components/schemas/ScrapeOptions"})
	fields := pageArguments(d, body)
	for _, name := range pageFields {
		if schema, ok := properties(body)[name]; ok {
			fields[name] = d.plain(schema)
		}
	}
	return object{"scrapeOptions": object{
		"type": "object", "properties": fields, "additionalProperties": false, "description": "How each page is scraped; the arguments of firecrawl_scrape.",
	}}
}
