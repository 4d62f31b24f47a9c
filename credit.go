package trawl

import "time"

// TokensPerCredit converts credits to the tokens in which usage is also reported.
const TokensPerCredit = 15

// Charge is an entry in the ledger of a team. Its ID makes it idempotent: a
// charge that is already there is not made again.
type Charge struct {
	ID      string
	TeamID  string
	KeyID   string
	Kind    string // what was paid for, for example scrape
	Credits int64
	At      time.Time
}

// InsufficientCredits is the error of a team whose balance does not cover a request.
func InsufficientCredits() *Error {
	return Errorf(CodePayment, "Insufficient credits to perform this request. Ask the operator of this server to grant more.")
}

// UsagePeriod is what a team, or one of its keys, used within a month.
type UsagePeriod struct {
	Start   time.Time
	End     time.Time
	Key     string // name of the key; empty when keys are not told apart
	Credits int64
}

// UsageDay is what a key of a team used for one kind of request on a day (in UTC).
type UsageDay struct {
	Day       time.Time
	KeyNumber int64 // 0 if no key was needed, or it is unknown
	KeyName   string
	Endpoint  string
	Credits   int64
	Requests  int64 // that were paid for; the pages of jobs count with their job
}
