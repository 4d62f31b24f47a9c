package monitor

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/smtp"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
)

// SMTP sends mail by the server of the operator.
type SMTP struct {
	From string // address of the sender
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	Now  func() time.Time
	TLS  *tls.Config // nil means the usual one

	host, port string
	encrypted  bool // from the beginning
	plain      bool // without encryption, if the server offers none
	user       *url.Userinfo
}

// sendTime bounds one attempt to send a mail.
const sendTime = time.Minute

// NewSMTP reads the address of a mail server: smtp://user:password@host:587, where the
// connection is encrypted by STARTTLS, or smtps://…:465, where it is from the beginning.
// The parameter from is the address of the sender; starttls=off goes without encryption,
// and is meant for a server on the same machine.
func NewSMTP(address string) (*SMTP, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("is not an address such as smtp://user:password@mail.example.com:587?from=trawl@example.com")
	}
	s := &SMTP{host: u.Hostname(), port: u.Port(), encrypted: u.Scheme == "smtps", plain: u.Query().Get("starttls") == "off", user: u.User, Now: time.Now}
	if s.port == "" {
		s.port = "587"
		if s.encrypted {
			s.port = "465"
		}
	}
	s.From = u.Query().Get("from")
	if s.From == "" && u.User != nil {
		s.From = u.User.Username()
	}
	if s.From = trawl.MailAddress(s.From); s.From == "" {
		return nil, errors.New("needs the address of the sender: ?from=trawl@example.com")
	}
	return s, nil
}

// Send implements Mailer. What the server refuses for good is final.
func (s *SMTP) Send(ctx context.Context, m Message) (final bool, err error) {
	to := trawl.MailAddress(m.To)
	if to == "" {
		return true, errors.New("the recipient is no mail address")
	}
	body, err := s.write(m, to)
	if err != nil {
		return true, err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	err = s.send(ctx, to, body)
	refusal, refused := errors.AsType[*textproto.Error](err)
	return refused && refusal.Code >= 500 && refusal.Code < 600, err
}

// send takes a message to the server.
func (s *SMTP) send(ctx context.Context, to string, body []byte) error {
	conn, err := s.Dial(ctx, "tcp", net.JoinHostPort(s.host, s.port))
	if err != nil {
		return fmt.Errorf("the mail server cannot be reached: %w", err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	client, err := s.greet(conn)
	if err != nil {
		return err
	}
	defer client.Close()
	if err := client.Mail(s.From); err != nil {
		return err
	}
	if err := client.Rcpt(to); err != nil {
		return err
	}
	w, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(body); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	_ = client.Quit() // the server has the message
	return nil
}

// greet begins to speak with the server, encrypted and as a user it knows.
func (s *SMTP) greet(conn net.Conn) (*smtp.Client, error) {
	config := s.TLS.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	config.ServerName = s.host
	if s.encrypted {
		conn = tls.Client(conn, config)
	}
	client, err := smtp.NewClient(conn, s.host)
	if err != nil {
		return nil, err
	}
	offered, _ := client.Extension("STARTTLS")
	if !s.encrypted && !s.plain {
		if !offered {
			return nil, errors.New("the mail server does not offer STARTTLS")
		}
		if err := client.StartTLS(config); err != nil {
			return nil, err
		}
	}
	if s.user == nil {
		return client, nil
	}
	password, _ := s.user.Password()
	return client, client.Auth(smtp.PlainAuth("", s.user.Username(), password, s.host))
}

// write makes the bytes of a message, in plain text and as HTML.
func (s *SMTP) write(m Message, to string) ([]byte, error) {
	var b bytes.Buffer
	parts := multipart.NewWriter(&b)
	_, domain, _ := strings.Cut(s.From, "@")
	headers := [][2]string{
		{"From", s.From}, {"To", to}, {"Subject", mime.QEncoding.Encode("utf-8", strings.Join(strings.Fields(m.Subject), " "))},
		{"Date", s.Now().UTC().Format(time.RFC1123Z)}, {"Message-ID", "<" + m.ID + "@" + domain + ">"},
		{"MIME-Version", "1.0"}, {"Auto-Submitted", "auto-generated"},
		{"Content-Type", mime.FormatMediaType("multipart/alternative", map[string]string{"boundary": parts.Boundary()})},
	}
	if m.Unsubscribe != "" {
		headers = append(headers, [2]string{"List-Unsubscribe", "<" + m.Unsubscribe + ">"})
	}
	var head bytes.Buffer
	for _, h := range headers {
		if strings.ContainsAny(h[1], "\r\n") {
			return nil, errors.New("a header of the mail has a line break")
		}
		head.WriteString(h[0] + ": " + h[1] + "\r\n")
	}
	head.WriteString("\r\n")
	for _, part := range []struct{ kind, text string }{{"text/plain", m.Text}, {"text/html", m.HTML}} {
		w, err := parts.CreatePart(textproto.MIMEHeader{
			"Content-Type": {part.kind + "; charset=utf-8"}, "Content-Transfer-Encoding": {"quoted-printable"},
		})
		if err != nil {
			return nil, err
		}
		encoder := quotedprintable.NewWriter(w)
		if _, err := encoder.Write([]byte(part.text)); err != nil {
			return nil, err
		}
		if err := encoder.Close(); err != nil {
			return nil, err
		}
	}
	if err := parts.Close(); err != nil {
		return nil, err
	}
	return append(head.Bytes(), b.Bytes()...), nil
}
