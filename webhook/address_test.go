package webhook_test

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/webhook"
)

// noResolver fails the test when a name is looked up.
type noResolver struct{ testing.TB }

func (r noResolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	r.Errorf("%s was looked up", host)
	return nil, errors.New("not here")
}

const notAllowed = "The webhook's address is not allowed."

func TestCheckURL(t *testing.T) {
	t.Parallel()
	closed := egress.New(egress.Config{Resolver: noResolver{t}, Log: slog.New(slog.DiscardHandler)})
	v4 := egress.New(egress.Config{Resolver: noResolver{t}, Log: slog.New(slog.DiscardHandler), Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	v6 := egress.New(egress.Config{Resolver: noResolver{t}, Log: slog.New(slog.DiscardHandler), Allow: []netip.Prefix{netip.MustParsePrefix("::1/128")}})
	for address, test := range map[string]struct {
		guard *egress.Guard
		want  string
	}{
		"https://hooks.example.com/in?x=1":    {closed, ""},
		"hooks.example.com/without/scheme":    {closed, ""},
		"https://user:password@hooks.example": {closed, ""},
		"https://1.1.1.1/":                    {closed, ""},
		"http://[2606:4700::1111]:8080/":      {closed, ""},
		"http://127.0.0.1.example.com/":       {closed, ""},
		"http://inside.test/":                 {closed, ""},
		"http://127.0.0.1/":                   {closed, notAllowed},
		"127.0.0.1:8080":                      {closed, notAllowed},
		"http://2130706433/":                  {closed, notAllowed},
		"http://0x7f.1/":                      {closed, notAllowed},
		"http://0177.0.0.1/":                  {closed, notAllowed},
		"http://127.0.0.1./":                  {closed, notAllowed},
		"http://127。0。0。1/":                   {closed, notAllowed},
		"http://0/":                           {closed, notAllowed},
		"http://[::1]/":                       {closed, notAllowed},
		"http://[::ffff:10.0.0.1]/":           {closed, notAllowed},
		"http://[::]:80/":                     {closed, notAllowed},
		"http://169.254.169.254/latest/meta":  {closed, notAllowed},
		"http://user@10.0.0.1/":               {closed, notAllowed},
		"http://192.168.0.1/":                 {closed, notAllowed},
		"http://[fd00:ec2::254]/":             {closed, notAllowed},
		"http://localhost/":                   {closed, notAllowed},
		"http://A.LOCALHOST.:3000/":           {closed, notAllowed},
		"http://a.localhost/":                 {closed, notAllowed},
		"http://127.0.0.1:2/":                 {v4, ""},
		"http://localhost:3/":                 {v4, ""},
		"http://127.0.0.2/":                   {v4, notAllowed},
		"http://[::1]:2/":                     {v4, notAllowed},
		"http://name.example:25/":             {v4, notAllowed},
		"http://localhost:2/":                 {v6, ""},
		"":                                    {closed, trawl.ErrURLInvalid.Error()},
		"ftp://hooks.example.com/":            {closed, trawl.ErrURLProtocol.Error()},
		"http://nodots/":                      {closed, trawl.ErrURLHost.Error()},
		"http://hooks.example.com:99999/":     {closed, trawl.ErrURLInvalid.Error()},
		"http://hooks.example.com/a%zz":       {closed, trawl.ErrURLInvalid.Error()},
		"http://[::1%25lo]/":                  {closed, trawl.ErrURLInvalid.Error()},
	} {
		err := webhook.CheckURL(address, test.guard)
		if test.want == "" {
			if err != nil {
				t.Errorf("%s: %v, want it to pass", address, err)
			}
			continue
		}
		e, ok := errors.AsType[*trawl.Error](err)
		if !ok || e.Code != trawl.CodeBadRequest || e.Message != test.want || len(e.Issues) != 1 || trawl.DottedPath(e.Issues[0].Path) != "webhook.url" {
			t.Errorf("%s: %#v, want %q", address, err, test.want)
		}
	}
}

// FuzzCheckURL holds that nothing is looked up, whatever the address.
func FuzzCheckURL(f *testing.F) {
	f.Add("http://127.0.0.1/")
	f.Add("localhost:80")
	f.Add("http://0x7f.1/%")
	f.Fuzz(func(t *testing.T, address string) {
		strict := egress.New(egress.Config{Resolver: noResolver{t}, Log: slog.New(slog.DiscardHandler)})
		if err := webhook.CheckURL(address, strict); err != nil && trawl.ErrorCode(err) != trawl.CodeBadRequest {
			t.Errorf("%q: %v", address, err)
		}
	})
}
