package content

import (
	"github.com/trawlhq/trawl/content/address"
)

// Join exposes how addresses are made absolute to the tests.
func Join(page, ref string) string { return address.NewBase(page, "").Join(ref) }
