package main

import (
	"testing"
	"time"
)

func TestSize(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want size
		back string // how it is printed
	}{
		{"0", 0, "0"},
		{"1", 1, "1"},
		{"512B", 512, "512"},
		{"1KiB", 1 << 10, "1KiB"},
		{"1.5 kib", 1536, "1536"},
		{"10GiB", 10 << 30, "10GiB"},
		{"10GB", 10e9, "9765625KiB"},
		{"2TiB", 2 << 40, "2TiB"},
	}
	for _, tt := range tests {
		var got size
		if err := got.UnmarshalText([]byte(tt.text)); err != nil || got != tt.want {
			t.Errorf("%q is %d, %v; want %d", tt.text, got, err, tt.want)
		}
		if got.String() != tt.back {
			t.Errorf("%q is printed as %q, want %q", tt.text, got, tt.back)
		}
	}
	for _, text := range []string{"", "GiB", "10 apples", "-1", "1e3", "0x10", "1.2.3GiB", "9999999TiB", "10GiB5"} {
		var got size
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %d bytes", text, got)
		}
	}
}

func FuzzSize(f *testing.F) {
	for _, text := range []string{"0", "10GiB", "1.5kb", "7 TB", "9007199254740993"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var first, second size
		if first.UnmarshalText([]byte(text)) != nil {
			return
		}
		if first < 0 {
			t.Fatalf("%q is negative", text)
		}
		if err := second.UnmarshalText([]byte(first.String())); err != nil || second != first {
			t.Fatalf("%q is %d, printed as %q, read as %d: %v", text, first, first, second, err)
		}
	})
}

func TestRounded(t *testing.T) {
	t.Parallel()
	for s, want := range map[size]string{0: "0 B", 1023: "1023 B", 1536: "1.5 KiB", 5 << 30: "5.0 GiB"} {
		if got := s.rounded(); got != want {
			t.Errorf("%d bytes are %q, want %q", int64(s), got, want)
		}
	}
}

func TestPrefixes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                         "",
		"127.0.0.0/8, ::1/128":     "127.0.0.0/8,::1/128",
		"198.51.100.7":             "198.51.100.7/32",
		"2001:db8::1":              "2001:db8::1/128",
		"198.51.100.7/24,":         "198.51.100.0/24",
		"2001:db8::/32,192.0.2.10": "2001:db8::/32,192.0.2.10/32",
	} {
		var got prefixes
		if err := got.UnmarshalText([]byte(text)); err != nil || got.String() != want {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"loopback", "192.0.2.0/33", "192.0.2", "192.0.2.1,x"} {
		var got prefixes
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %q", text, got)
		}
	}
}

func TestAmount(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0", "12", "unlimited"} {
		var got amount
		if err := got.UnmarshalText([]byte(text)); err != nil || got.String() != text {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-1", "many", "1.5"} {
		var got amount
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %q", text, got)
		}
	}
}

func TestShortDuration(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0:                              "0s",
		24 * time.Hour:                 "24h",
		90 * time.Minute:               "1h30m",
		10 * time.Minute:               "10m",
		time.Hour + 30*time.Second:     "1h0m30s",
		20*time.Second + 5*time.Second: "25s",
	} {
		if got := shortDuration(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
