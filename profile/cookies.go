package profile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/browser/chromium"
)

// cookieFile has the cookies that a browser forgets when it ends. Many logins are
// such cookies.
const cookieFile = "session-cookies.json"

// Bounds of what is kept of them. A browser has hardly more.
const (
	mostCookies     = 4000
	mostCookieBytes = 16 << 20 // of their names and values
	mostFileBytes   = 64 << 20 // of the file: escapes are longer than what they stand for
)

var errNotFile = errors.New("not a plain file")

// Keep writes the cookies that a browser would forget into its home. The browser
// still runs, but nothing is to be done in it any more.
func Keep(ctx context.Context, conn *cdp.Conn, home *chromium.Home) error {
	all, err := protocol.Call(ctx, conn.Browser(), storage.GetCookies, storage.GetCookiesParams{})
	if err != nil {
		return fmt.Errorf("keep cookies: %w", err)
	}
	data, err := jsonv2.Marshal(passing(all.Cookies), jsonv2.AllowInvalidUTF8(true))
	if err == nil {
		err = writeCookies(home, data)
	}
	if err != nil {
		return fmt.Errorf("keep cookies: %w", err)
	}
	return nil
}

// passing returns the cookies without an expiry, in the form in which they can be
// set again. Those of documents without an origin cannot be.
func passing(all []*network.Cookie) []*network.CookieParam {
	list, size := []*network.CookieParam{}, 0
	for _, c := range all {
		if c == nil || !c.Session || c.PartitionKeyOpaque {
			continue
		}
		if size += len(c.Name) + len(c.Value); size > mostCookieBytes || len(list) == mostCookies {
			break
		}
		list = append(list, &network.CookieParam{
			Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite,
			Priority: c.Priority, SourceScheme: c.SourceScheme, SourcePort: c.SourcePort, PartitionKey: c.PartitionKey,
		})
	}
	return list
}

// writeCookies makes the file anew, in place of whatever has its name.
func writeCookies(home *chromium.Home, data []byte) error {
	root, err := openFolder(home)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.RemoveAll(cookieFile); err != nil {
		return err
	}
	file, err := root.OpenFile(cookieFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

// Restore gives a browser that was just started in a home the cookies that its
// predecessor would have forgotten. Those that it does not take are left out.
func Restore(ctx context.Context, conn *cdp.Conn, home *chromium.Home) error {
	data, err := readCookies(home)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var list []*network.CookieParam
	if err == nil {
		err = jsonv2.Unmarshal(data, &list)
	}
	if err != nil {
		return fmt.Errorf("restore cookies: %w", err)
	}
	batch := conn.Batch(ctx)
	var waits []func(any) error
	for _, cookie := range list[:min(len(list), mostCookies)] {
		if cookie != nil {
			waits = append(waits, batch.Add(conn.Browser(), storage.SetCookies.Method, storage.SetCookiesParams{Cookies: []*network.CookieParam{cookie}}))
		}
	}
	for _, wait := range waits {
		err := wait(nil)
		if _, refused := errors.AsType[*cdp.Error](err); err != nil && !refused {
			return fmt.Errorf("restore cookies: %w", err)
		}
	}
	return nil
}

// readCookies reads the file, and removes it: what it says is soon out of date.
func readCookies(home *chromium.Home) ([]byte, error) {
	root, err := openFolder(home)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Lstat(cookieFile)
	if err != nil {
		return nil, err
	}
	if !isPlain(info) {
		return nil, errNotFile
	}
	file, err := open(root, cookieFile, info)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, mostFileBytes))
	return data, errors.Join(err, root.Remove(cookieFile))
}
