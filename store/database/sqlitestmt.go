package database

import (
	"context"
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
)

// mostStatements bounds the statements that a connection keeps prepared.
const mostStatements = 500

// connector opens connections that keep their statements prepared: to prepare one
// takes longer than to run it. It does so below database/sql, so that it serves
// River too.
type connector struct{ dsn string }

// Connect implements driver.Connector.
func (c connector) Connect(context.Context) (driver.Conn, error) {
	conn, err := c.Driver().Open(c.dsn)
	if err != nil {
		return nil, err
	}
	full, ok := conn.(sqliteConn)
	if !ok {
		return nil, errors.Join(errors.New("the driver of SQLite lacks something"), conn.Close())
	}
	return &preparedConn{sqliteConn: full, statements: map[string]*preparedStmt{}}, nil
}

// Driver implements driver.Connector.
func (c connector) Driver() driver.Driver { return &sqlite.Driver{} }

// sqliteConn is what a connection of the driver offers.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// preparedConn is a connection that keeps statements. Like all connections it is
// used by one goroutine at a time.
//
// Statements do not watch their context: most take some microseconds, less than
// watching would cost, and to interrupt one would cost the connection.
type preparedConn struct {
	sqliteConn
	statements map[string]*preparedStmt
}

// preparedStmt is a statement that is kept.
type preparedStmt struct {
	stmt interface {
		driver.Stmt
		driver.StmtExecContext
		driver.StmtQueryContext
	}
	busy bool // its rows are being read
}

// statement returns the kept statement of a query; nil if it has to do without.
// Without arguments the text may hold several statements and is not kept.
func (c *preparedConn) statement(query string, args []driver.NamedValue) (*preparedStmt, error) {
	if kept := c.statements[query]; kept != nil {
		if kept.busy {
			return nil, nil
		}
		return kept, nil
	}
	if len(args) == 0 || len(c.statements) >= mostStatements {
		return nil, nil
	}
	stmt, err := c.sqliteConn.PrepareContext(context.Background(), nameless(query))
	if err != nil {
		return nil, err
	}
	kept := &preparedStmt{}
	var ok bool
	if kept.stmt, ok = stmt.(interface {
		driver.Stmt
		driver.StmtExecContext
		driver.StmtQueryContext
	}); !ok {
		return nil, stmt.Close()
	}
	c.statements[query] = kept
	return kept, nil
}

// ExecContext implements driver.ExecerContext.
func (c *preparedConn) ExecContext(_ context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	kept, err := c.statement(query, args)
	if err != nil {
		return nil, err
	}
	if kept == nil {
		return c.sqliteConn.ExecContext(context.Background(), query, args)
	}
	return kept.stmt.ExecContext(context.Background(), args)
}

// QueryContext implements driver.QueryerContext.
func (c *preparedConn) QueryContext(_ context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	kept, err := c.statement(query, args)
	if err != nil {
		return nil, err
	}
	if kept == nil {
		return c.sqliteConn.QueryContext(context.Background(), query, args)
	}
	rows, err := kept.stmt.QueryContext(context.Background(), args)
	if err != nil {
		return nil, err
	}
	kept.busy = true
	return &preparedRows{rows, kept}, nil
}

// Close implements driver.Conn.
func (c *preparedConn) Close() error {
	var errs []error
	for _, kept := range c.statements {
		errs = append(errs, kept.stmt.Close())
	}
	return errors.Join(append(errs, c.sqliteConn.Close())...)
}

// preparedRows frees their statement when they are closed.
type preparedRows struct {
	driver.Rows
	kept *preparedStmt
}

// Close implements driver.Rows.
func (r *preparedRows) Close() error {
	r.kept.busy = false
	return r.Rows.Close()
}
