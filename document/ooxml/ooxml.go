// Package ooxml reads what the archives of Office have in common, whether they are
// texts or presentations: relations between parts, what a file says of itself,
// charts, diagrams, and the alternatives that files offer to older programs.
package ooxml

import (
	"path"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// Relation is what an id in a part refers to.
type Relation struct {
	Kind     string // the last element of its type: image, hyperlink, styles …
	Target   string // a part of the archive, or an address
	External bool
}

// Relations reads the relations of a part by their ids, those of the archive for "".
func Relations(archive *zipped.Archive, part string) map[string]Relation {
	dir, file := path.Split(part)
	root, _ := archive.XML(dir + "_rels/" + file + ".rels")
	relations := map[string]Relation{}
	for n := range root.All() {
		if n.Name != "rel:Relationship" {
			continue
		}
		rel := Relation{
			Kind:   path.Base(n.Get("Type")),
			Target: strings.TrimSpace(n.Get("Target")),
		}
		rel.External = n.Get("TargetMode") == "External" || rel.Kind == "hyperlink"
		if !rel.External {
			rel.Target = resolve(dir, rel.Target)
		}
		relations[n.Get("Id")] = rel
	}
	return relations
}

// resolve returns the part that a target means, seen from a folder.
func resolve(dir, target string) string {
	target, _, _ = strings.Cut(strings.ReplaceAll(target, `\`, "/"), "#")
	if strings.HasPrefix(target, "/") {
		return strings.TrimLeft(path.Clean(target), "/")
	}
	return strings.TrimLeft(path.Join("/", dir, target), "/")
}

// MainPart returns the name of the part that the archive begins with; that is the
// usual one if the archive does not say.
func MainPart(archive *zipped.Archive, usual string) string {
	for _, rel := range Relations(archive, "") {
		if rel.Kind == "officeDocument" && archive.Has(rel.Target) {
			return rel.Target
		}
	}
	return usual
}

// Info reads what a file says of itself.
func Info(archive *zipped.Archive) tree.Info {
	core, app := "docProps/core.xml", "docProps/app.xml"
	for _, rel := range Relations(archive, "") {
		switch rel.Kind {
		case "core-properties":
			core = rel.Target
		case "extended-properties", "extendedProperties":
			app = rel.Target
		}
	}
	root, _ := archive.XML(core)
	text := func(name string) string { return strings.Join(strings.Fields(root.Child(name).Content()), " ") }
	info := tree.Info{
		Title: text("dc:title"), Author: text("dc:creator"), Subject: text("dc:subject"),
		Keywords: text("cp:keywords"), Language: text("dc:language"),
		Created:  tree.Moment(root.Child("dcterms:created").Content()),
		Modified: tree.Moment(root.Child("dcterms:modified").Content()),
	}
	if info.Subject == "" {
		info.Subject = text("dc:description")
	}
	root, _ = archive.XML(app)
	info.Generator = text("ep:Application")
	return info
}

// Alternative returns that of several ways to say the same which is understood:
// known are the prefixes of the extensions that are, without their versions.
func Alternative(n *zipped.Node, known ...string) *zipped.Node {
	for c := range n.All() {
		if c.Name == "mc:Choice" && understood(c.Get("Requires"), known) {
			return c
		}
	}
	if fallback := n.Child("mc:Fallback"); fallback != nil {
		return fallback
	}
	return n.Child("mc:Choice")
}

// understood tells whether all extensions that a choice names are known.
func understood(extensions string, known []string) bool {
	for name := range strings.FieldsSeq(extensions) {
		if !slices.Contains(known, strings.TrimRight(name, "0123456789")) {
			return false
		}
	}
	return true
}
