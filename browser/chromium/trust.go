package chromium

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/x509"
	"database/sql"
	"encoding/asn1"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the database is one of SQLite
)

// Chromium on Linux trusts the authorities that it was built with, and those in a
// database of NSS in its home. What writes such databases, certutil, is rarely
// installed. The format is that of PKCS #11 objects in a table: a row for each
// object, a column for each attribute, named by its number. Digests are those that
// it asks for; nothing depends on their strength.
const (
	trustFolder = ".pki/nssdb" // Chromium prefers it to where it would make one
	trustFile   = "cert9.db"

	trustTable = `CREATE TABLE nssPublic (id PRIMARY KEY UNIQUE ON CONFLICT ABORT,
		a0, a1, a2, a3, a11, a80, a81, a82, a101, a102, a170, ace536358, ace536359, ace53635a, ace53635b, ace536360, ace5363b4, ace5363b5)`
	trustIndexes = `CREATE INDEX issuer ON nssPublic (a81); CREATE INDEX subject ON nssPublic (a101);
		CREATE INDEX label ON nssPublic (a3); CREATE INDEX ckaid ON nssPublic (a102)`

	// A certificate: kind, kept, private, label, value, format, issuer, serial number,
	// subject, id, may be changed.
	trustedCertificate = `INSERT INTO nssPublic (id, a0, a1, a2, a3, a11, a80, a81, a82, a101, a102, a170)
		VALUES (?, x'00000001', x'01', x'00', ?, ?, x'00000000', ?, ?, ?, ?, x'01')`

	// What it is trusted for: as an authority for servers; for clients, code and mail
	// it has to be verified as any other. It is found by issuer, number and digests.
	trustedFor = `INSERT INTO nssPublic (id, a0, a1, a2, a3, a81, a82, a170, ace536358, ace536359, ace53635a, ace53635b, ace536360, ace5363b4, ace5363b5)
		VALUES (?, x'ce534353', x'01', x'00', x'a5005a', ?, ?, x'01', x'ce534352', x'ce53435b', x'ce53435b', x'ce53435b', x'00', ?, ?)`
)

// Authorities are trusted by browsers to certify sites, besides those that they
// know. A nil one has none. They count on Linux only.
type Authorities struct{ database []byte }

// NewAuthorities returns authorities by their certificates.
func NewAuthorities(certificates []*x509.Certificate) (*Authorities, error) {
	if len(certificates) == 0 {
		return nil, nil
	}
	ctx := context.Background() // nothing is waited for
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("write authorities: %w", err)
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("write authorities: %w", err)
	}
	defer conn.Close()
	a := &Authorities{}
	if err = insertAuthorities(ctx, conn, certificates); err == nil {
		err = conn.Raw(func(driver any) (err error) {
			a.database, err = driver.(interface{ Serialize() ([]byte, error) }).Serialize()
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("write authorities: %w", err)
	}
	return a, nil
}

// trust makes a browser in this home trust authorities. A home that was used before
// has them already. What is in it the browser may have changed, so nothing there is
// followed.
func (h *Home) trust(a *Authorities) error {
	if a == nil {
		return nil
	}
	root, err := os.OpenRoot(h.dir)
	if err != nil {
		return fmt.Errorf("write authorities: %w", err)
	}
	defer root.Close()
	for _, folder := range []string{filepath.Dir(trustFolder), trustFolder} {
		switch err := root.Mkdir(folder, 0o700); {
		case errors.Is(err, fs.ErrExist):
			return nil
		case err != nil:
			return fmt.Errorf("write authorities: %w", err)
		}
	}
	file := filepath.Join(trustFolder, trustFile)
	if err := root.WriteFile(file, a.database, 0o600); err != nil {
		return fmt.Errorf("write authorities: %w", err)
	}
	return errors.Join(h.Own(filepath.Join(h.dir, file)), h.Own(filepath.Join(h.dir, trustFolder)), h.Own(filepath.Join(h.dir, filepath.Dir(trustFolder))))
}

// insertAuthorities fills an empty database.
func insertAuthorities(ctx context.Context, conn *sql.Conn, certificates []*x509.Certificate) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, statement := range []string{trustTable, trustIndexes} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	for i, certificate := range certificates {
		if err := insertAuthority(ctx, tx, 2*i+1, certificate); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// insertAuthority adds a certificate and the trust in it, as the objects id and id+1.
func insertAuthority(ctx context.Context, tx *sql.Tx, id int, c *x509.Certificate) error {
	serial, err := asn1.Marshal(c.SerialNumber)
	if err != nil {
		return err
	}
	key, one, five := sha1.Sum(c.RawSubjectPublicKeyInfo), sha1.Sum(c.Raw), md5.Sum(c.Raw)
	label := fmt.Appendf(nil, "authority %d", id)
	if _, err := tx.ExecContext(ctx, trustedCertificate, id, label, c.Raw, c.RawIssuer, serial, c.RawSubject, key[:]); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, trustedFor, id+1, c.RawIssuer, serial, one[:], five[:])
	return err
}
