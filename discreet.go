package trawl

import "context"

type discreetKey struct{}

// Discreetly returns a context for work under zero data retention: whoever sees
// it must not write to the log what the work is about.
func Discreetly(ctx context.Context) context.Context {
	return context.WithValue(ctx, discreetKey{}, true)
}

// Discreet reports whether the context came from [Discreetly].
func Discreet(ctx context.Context) bool {
	return ctx.Value(discreetKey{}) != nil
}
