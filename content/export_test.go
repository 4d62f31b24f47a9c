package content

// Join exposes how addresses are made absolute to the tests.
func Join(page, ref string) string { return newBase(page, "").join(ref) }
