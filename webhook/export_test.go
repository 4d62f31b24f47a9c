package webhook

// RetryAfter lets a fuzz target see what becomes of any header.
var RetryAfter = retryAfter
