// Package trawl is the domain of the service: what a caller may ask for, what
// it gets back, who it is and what it pays. It holds types, their defaults and
// their validation, and performs no I/O: every other package of the module
// imports this one, and this one imports none of them.
//
// A request is decoded into [ScrapeRequest] (its UnmarshalJSON fills in the
// defaults), checked by its Validate method, carried out by package scrape and
// answered with a [Document]. Whatever goes wrong on the way is an [Error],
// whose Code decides the HTTP status and whose Message is safe to show.
//
// Bounds that a schema can express (minimum, maximum, enum, length) are struct
// tags on the types; package api turns them into validation and into the
// OpenAPI document. Rules that span several fields are in the Validate methods.
package trawl

// Version is the version of this build; the release build sets it with -ldflags.
var Version = "0.1.0-dev"
