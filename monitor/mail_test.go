package monitor_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/monitor"
)

func TestMailOfChecks(t *testing.T) {
	t.Parallel()
	sent := make(chan monitor.Message, 10)
	w := open(t, beside{mail: mailerFunc(func(_ context.Context, m monitor.Message) (bool, error) {
		sent <- m
		return false, nil
	})}).start()
	w.site.set("/", "One thing is here.")
	m := w.watch(func(r *trawl.MonitorRequest) {
		r.Notification = &trawl.MonitorNotification{Email: &trawl.EmailNotification{Enabled: true, Recipients: []string{"Anna@site.example"}, IncludeDiffs: true}}
	}, "/")
	asks := testtime.Receive(t, "the mail that asks", sent)
	_, token, _ := strings.Cut(asks.Unsubscribe, "#")
	if asks.To != "anna@site.example" || !strings.Contains(asks.Text, "/monitor/confirm#"+token) {
		t.Fatalf("mail %+v", asks)
	}
	w.check(m) // who has not confirmed gets nothing
	for _, want := range []string{"confirmed", "already_confirmed"} {
		if got, err := w.Confirm(t.Context(), token); err != nil || got.Result != want || got.Email != "anna@site.example" || got.Monitor != "Test" {
			t.Errorf("%+v, %v", got, err)
		}
	}
	w.check(m) // nothing changed
	w.site.set("/", "Another thing is here.")
	w.check(m)
	news := testtime.Receive(t, "the mail of the change", sent)
	if !strings.Contains(news.Subject, "1 changed") || !strings.Contains(news.Text, "+Another thing is here.") || !strings.Contains(news.HTML, "Another thing is here.") {
		t.Errorf("mail %+v", news)
	}
	if got, err := w.Unsubscribe(t.Context(), token); err != nil || got.Result != "unsubscribed" {
		t.Errorf("%+v, %v", got, err)
	}
	w.site.set("/", "A third thing is here.")
	c, _ := w.check(m)
	told, err := w.Told(t.Context(), &c)
	if err != nil || told.Email == nil || told.Email.Attempted || len(sent) != 0 {
		t.Errorf("told %+v, %v; %d mails", told, err, len(sent))
	}
	if _, err := w.Confirm(t.Context(), strings.Repeat("0", 32)); trawl.ErrorCode(err) != trawl.CodeNotFound {
		t.Errorf("an unknown token: %v", err)
	}
}

// A mail server that is down is asked again later, for about a day, and a mail that
// arrived is not sent again.
func TestMailAgain(t *testing.T) {
	t.Parallel()
	attempts, up := 0, false
	w := open(t, beside{mail: mailerFunc(func(context.Context, monitor.Message) (bool, error) {
		if attempts++; up {
			return false, nil
		}
		return false, errors.New("the server is down")
	})})
	asked := func() string {
		t.Helper()
		m := w.watch(func(r *trawl.MonitorRequest) {
			r.Notification = &trawl.MonitorNotification{Email: &trawl.EmailNotification{Enabled: true, Recipients: []string{"a@b.example"}}}
		}, "/")
		id, err := w.store.MailOf(t.Context(), m.ID)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	id, waited := asked(), time.Duration(0)
	for {
		wait, err := w.Deliver(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if wait == 0 {
			break
		}
		waited += wait
	}
	if attempts != 8 || waited < 20*time.Hour || waited > 30*time.Hour {
		t.Errorf("given up after %d attempts and %s", attempts, waited)
	}
	attempts, up = 0, true
	id = asked()
	for range 3 {
		if wait, err := w.Deliver(t.Context(), id); err != nil || wait != 0 {
			t.Errorf("wait %s, %v", wait, err)
		}
	}
	if attempts != 1 {
		t.Errorf("sent %d times", attempts)
	}
}

// postbox is a mail server that takes what it is given.
type postbox struct {
	listener net.Listener
	took     chan string
	refuse   string

	certificate *tls.Config // with which it encrypts; nil means that it does not
	encrypted   bool        // from the beginning
	user        string      // who may send, as AUTH says it; empty means everyone
}

func newPostbox(t *testing.T, options ...func(*postbox)) *postbox {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &postbox{listener: listener, took: make(chan string, 10)}
	for _, option := range options {
		option(p)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { p.serve(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		wg.Wait()
	})
	return p
}

func (p *postbox) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	if p.encrypted {
		conn = tls.Server(conn, p.certificate)
	}
	secret, known := p.encrypted, p.user == ""
	r := bufio.NewReader(conn)
	say := func(line string) { _, _ = io.WriteString(conn, line+"\r\n") }
	say("220 here")
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		switch verb, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(line)), " "); verb {
		case "EHLO":
			say("250-here")
			if p.certificate != nil && !secret {
				say("250-STARTTLS")
			}
			say("250 AUTH PLAIN")
		case "STARTTLS":
			say("220 go on")
			conn = tls.Server(conn, p.certificate)
			r, secret = bufio.NewReader(conn), true
		case "AUTH":
			if known = secret && strings.TrimSpace(line) == p.user; !known {
				say("535 who are you")
				continue
			}
			say("235 welcome")
		case "MAIL":
			if !known || p.certificate != nil && !secret {
				say("530 not like this")
				continue
			}
			say("250 ok")
		case "RCPT":
			if p.refuse != "" {
				say(p.refuse)
				continue
			}
			say("250 ok")
		case "DATA":
			say("354 go on")
			var body strings.Builder
			for {
				line, err := r.ReadString('\n')
				if err != nil || line == ".\r\n" {
					break
				}
				body.WriteString(strings.TrimPrefix(line, "."))
			}
			p.took <- body.String()
			say("250 ok")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func TestSMTP(t *testing.T) {
	t.Parallel()
	p := newPostbox(t)
	address := "smtp://" + p.listener.Addr().String()
	s, err := monitor.NewSMTP(address + "?from=trawl@site.example&starttls=off")
	if err != nil {
		t.Fatal(err)
	}
	s.Dial = (&net.Dialer{}).DialContext
	message := monitor.Message{ID: "1", To: "Anna@site.example", Subject: "Größe\r\nBcc: x@y.example", Text: "Zeile\n.\nend", HTML: "<p>ä</p>"}
	if final, err := s.Send(t.Context(), message); err != nil || final {
		t.Fatal(final, err)
	}
	got, err := mail.ReadMessage(strings.NewReader(testtime.Receive(t, "a mail", p.took)))
	if err != nil {
		t.Fatal(err)
	}
	subject, _ := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject"))
	if subject != "Größe Bcc: x@y.example" || got.Header.Get("Bcc") != "" || got.Header.Get("To") != "anna@site.example" || got.Header.Get("Message-Id") != "<1@site.example>" {
		t.Errorf("headers %v", got.Header)
	}
	_, params, _ := mime.ParseMediaType(got.Header.Get("Content-Type"))
	part, err := multipart.NewReader(got.Body, params["boundary"]).NextRawPart()
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(quotedprintable.NewReader(part))
	if strings.ReplaceAll(string(text), "\r\n", "\n") != "Zeile\n.\nend" {
		t.Errorf("text %q", text)
	}
	for _, to := range []string{"a@b.example\r\nRCPT TO:<c@d.example>", "nobody", ""} {
		if final, err := s.Send(t.Context(), monitor.Message{ID: "1", To: to}); err == nil || !final {
			t.Errorf("%q: %v, %v", to, final, err)
		}
	}
	p.refuse = "550 no such user"
	if final, err := s.Send(t.Context(), message); err == nil || !final {
		t.Errorf("refused: %v, %v", final, err)
	}
	p.refuse = "450 later"
	if final, err := s.Send(t.Context(), message); err == nil || final {
		t.Errorf("put off: %v, %v", final, err)
	}
	strict, err := monitor.NewSMTP(address + "?from=trawl@site.example")
	if err != nil {
		t.Fatal(err)
	}
	strict.Dial = s.Dial
	if _, err := strict.Send(t.Context(), message); err == nil || !strings.Contains(err.Error(), "STARTTLS") {
		t.Errorf("without STARTTLS: %v", err)
	}
	for _, bad := range []string{"http://a.example", "smtp://", "smtp://a.example", "smtp://a.example?from=x"} {
		if _, err := monitor.NewSMTP(bad); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// Mail goes encrypted, and with a password only so, to a server that is who it should be.
func TestSMTPEncrypted(t *testing.T) {
	t.Parallel()
	site := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(site.Close)
	trusted := x509.NewCertPool()
	trusted.AddCert(site.Certificate())
	message := monitor.Message{ID: "1", To: "anna@site.example", Subject: "News", Text: "text", HTML: "<p>text</p>"}
	login := "AUTH PLAIN " + base64.StdEncoding.EncodeToString([]byte("\x00trawl\x00secret"))
	for name, test := range map[string]struct {
		scheme, password string
		roots            *x509.CertPool
		taken            bool
	}{
		"STARTTLS":                 {"smtp", "secret", trusted, true},
		"from the beginning":       {"smtps", "secret", trusted, true},
		"a wrong password":         {"smtp", "guess", trusted, false},
		"a server that is unknown": {"smtp", "secret", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPostbox(t, func(p *postbox) { p.certificate, p.encrypted, p.user = site.TLS, test.scheme == "smtps", login })
			s, err := monitor.NewSMTP(test.scheme + "://trawl:" + test.password + "@" + p.listener.Addr().String() + "?from=trawl@site.example")
			if err != nil {
				t.Fatal(err)
			}
			s.Dial, s.TLS = (&net.Dialer{}).DialContext, &tls.Config{RootCAs: test.roots}
			_, err = s.Send(t.Context(), message)
			if (err == nil) != test.taken {
				t.Fatalf("sent: %v", err)
			}
			if test.taken && !strings.Contains(testtime.Receive(t, "a mail", p.took), "Subject: News") {
				t.Error("another mail came")
			}
		})
	}
}

func TestFeed(t *testing.T) {
	t.Parallel()
	w := open(t, beside{}).start()
	w.site.set("/", "One thing is here.")
	m := w.watch(nil, "/")
	w.check(m)
	w.site.set("/", "Another thing is here & now.")
	w.check(m)
	address, err := w.FeedURL(t.Context(), "http://127.0.0.1", m.ID)
	if err != nil {
		t.Fatal(err)
	}
	key := address[strings.LastIndex(address, "/")+1:]
	feed, err := w.Feed(t.Context(), key, address)
	if err != nil || strings.Count(string(feed), "<entry>") != 2 || !strings.Contains(string(feed), "+Another thing is here &amp; now.") {
		t.Errorf("feed %s, %v", feed, err)
	}
	for _, wrong := range []string{m.ID, m.ID + ".", key + "x", ""} {
		if _, err := w.Feed(t.Context(), wrong, ""); trawl.ErrorCode(err) != trawl.CodeNotFound {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}
