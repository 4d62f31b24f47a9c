package main

import (
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/trawlhq/trawl/browser/chromium"
)

// The variables by which programs are told whom to trust. Go knows them; browsers
// do not, and are told.
const (
	authorityFile    = "SSL_CERT_FILE"
	authorityFolders = "SSL_CERT_DIR"
)

// authorities returns whom browsers trust besides those they know: those whom plain
// requests trust because the environment says so. A browser without them still
// serves most sites, so that what is wrong with them is logged.
func authorities(env map[string]string, log *slog.Logger) *chromium.Authorities {
	var files []string
	if file := env[authorityFile]; file != "" {
		files = append(files, file)
	}
	for _, folder := range filepath.SplitList(env[authorityFolders]) {
		found, _ := filepath.Glob(filepath.Join(folder, "*"))
		files = append(files, found...)
	}
	var all []*x509.Certificate
	for _, file := range files {
		certificates, err := readCertificates(file)
		if err != nil {
			log.Warn("certificates cannot be read", "file", file, "err", err)
		}
		for _, c := range certificates {
			if !slices.ContainsFunc(all, c.Equal) { // folders have them by several names
				all = append(all, c)
			}
		}
	}
	made, err := chromium.NewAuthorities(all)
	if err != nil {
		log.Warn("browsers trust nobody but those they know", "err", err)
	}
	return made
}

// readCertificates returns the certificates of a file, and passes over what is none.
func readCertificates(file string) (all []*x509.Certificate, err error) {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	for {
		var block *pem.Block
		if block, data = pem.Decode(data); block == nil {
			return all, err
		}
		if certificate, err := x509.ParseCertificate(block.Bytes); err == nil && block.Type == "CERTIFICATE" {
			all = append(all, certificate)
		}
	}
}
