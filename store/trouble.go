package store

import "github.com/trawlhq/trawl/store/database"

// Refused reports whether the database does not take what was to be stored, now or
// later. Any other error means that the database is in trouble.
func Refused(err error) bool { return database.Refused(err) }

// InTrouble reports whether an error is that of a database that is in trouble.
func InTrouble(err error) bool { return database.InTrouble(err) }
