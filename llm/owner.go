package llm

import "context"

type ownerKey struct{}

// For returns a context for questions that are put on behalf of an owner. Where
// more is asked than the endpoint may be asked at a time, owners take turns; and
// what somebody waits for (live) does not wait behind the owner's other work.
func For(ctx context.Context, owner string, live bool) context.Context {
	if live {
		owner += " live"
	}
	return context.WithValue(ctx, ownerKey{}, owner)
}

func ownerOf(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}
