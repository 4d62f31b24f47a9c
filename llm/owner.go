package llm

import "context"

type ownerKey struct{}

// For returns a context for questions that are put on behalf of an owner. Where
// more is asked than the endpoint may be asked at a time, owners take turns.
func For(ctx context.Context, owner string) context.Context {
	return context.WithValue(ctx, ownerKey{}, owner)
}

func ownerOf(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}
