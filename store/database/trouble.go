package database

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Refused reports whether a database does not take what was to be stored, now or
// later. Any other error is trouble of the database itself (it is full, read-only,
// locked, gone, its disk fails), in which the same may be stored some other time.
func Refused(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_RANGE:
			return true
		}
		return false
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && len(e.Code) == 5 {
		switch e.Code[:2] {
		case "22", "23", "42", "54": // data, integrity, syntax and access, limits of the program
			return true
		}
	}
	return false
}

// InTrouble reports whether an error is that of a database that is in trouble.
func InTrouble(err error) bool {
	_, embedded := errors.AsType[*sqlite.Error](err)
	_, answered := errors.AsType[*pgconn.PgError](err)
	_, unreachable := errors.AsType[*pgconn.ConnectError](err)
	return (embedded || answered || unreachable) && !Refused(err)
}
