package main

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// list is a comma-separated setting; a flag may also be given several times.
type list []string

// UnmarshalText appends the elements of a comma-separated text.
func (l *list) UnmarshalText(text []byte) error {
	for element := range strings.SplitSeq(string(text), ",") {
		if element = strings.TrimSpace(element); element != "" {
			*l = append(*l, element)
		}
	}
	return nil
}

// String returns the elements with commas between them.
func (l list) String() string { return strings.Join(l, ",") }

// prefixes is a comma-separated list of networks; an address alone stands for
// the network of that one address.
type prefixes []netip.Prefix

// UnmarshalText appends the networks of a comma-separated text.
func (p *prefixes) UnmarshalText(text []byte) error {
	var elements list
	if err := elements.UnmarshalText(text); err != nil {
		return err
	}
	for _, element := range elements {
		prefix, err := parsePrefix(element)
		if err != nil {
			return fmt.Errorf("%q is not a network such as 10.0.0.0/8", element)
		}
		*p = append(*p, prefix)
	}
	return nil
}

func parsePrefix(text string) (netip.Prefix, error) {
	if strings.Contains(text, "/") {
		prefix, err := netip.ParsePrefix(text)
		return prefix.Masked(), err
	}
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	return addr.Prefix(addr.BitLen())
}

// String returns the networks with commas between them.
func (p prefixes) String() string {
	texts := make(list, len(p))
	for i, prefix := range p {
		texts[i] = prefix.String()
	}
	return texts.String()
}

// ports is a comma-separated list of ports.
type ports []uint16

// UnmarshalText appends the ports of a comma-separated text.
func (p *ports) UnmarshalText(text []byte) error {
	var elements list
	if err := elements.UnmarshalText(text); err != nil {
		return err
	}
	for _, element := range elements {
		port, err := strconv.ParseUint(element, 10, 16)
		if err != nil || port == 0 {
			return fmt.Errorf("%q is not a port such as 6000", element)
		}
		*p = append(*p, uint16(port))
	}
	return nil
}

// String returns the ports with commas between them.
func (p ports) String() string {
	texts := make(list, len(p))
	for i, port := range p {
		texts[i] = strconv.Itoa(int(port))
	}
	return texts.String()
}

// size is a number of bytes, written like 512MiB or 10GB.
type size int64

type unit struct {
	name  string
	bytes int64
}

// units are the units of a size; those of 1024 come first, as they are the ones
// that sizes are printed in.
func units() []unit {
	return []unit{
		{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
		{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1},
	}
}

// UnmarshalText reads a whole or decimal number and its unit; bytes need none.
func (s *size) UnmarshalText(text []byte) error {
	malformed := fmt.Errorf("%q is not a size such as 10GiB", text)
	end := strings.LastIndexAny(string(text), "0123456789") + 1
	number, suffix := string(text[:end]), strings.TrimSpace(string(text[end:]))
	factor := int64(1)
	if suffix != "" {
		factor = 0
		for _, u := range units() {
			if strings.EqualFold(u.name, suffix) {
				factor = u.bytes
			}
		}
	}
	if factor == 0 || strings.Trim(number, "0123456789.") != "" {
		return malformed
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return malformed
	}
	if value *= float64(factor); value >= math.MaxInt64 {
		return fmt.Errorf("%q is too large", text)
	}
	*s = size(value)
	return nil
}

// String returns the size in the largest unit of 1024 that divides it.
func (s size) String() string {
	for _, u := range units()[:4] {
		if s != 0 && int64(s)%u.bytes == 0 {
			return strconv.FormatInt(int64(s)/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// rounded returns the size for people: one decimal in the unit that fits.
func (s size) rounded() string {
	for _, u := range units()[:4] {
		if int64(s) >= u.bytes {
			return fmt.Sprintf("%.1f %s", float64(s)/float64(u.bytes), u.name)
		}
	}
	return fmt.Sprintf("%d B", int64(s))
}

// amount is a number of credits, or unlimited, which is nil.
type amount struct{ credits *int64 }

// UnmarshalText reads a number or the word unlimited.
func (a *amount) UnmarshalText(text []byte) error {
	if string(text) == "unlimited" {
		a.credits = nil
		return nil
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 0 {
		return errors.New(`expected a number of credits or "unlimited"`)
	}
	a.credits = &n
	return nil
}

// String returns the number or the word unlimited.
func (a amount) String() string {
	if a.credits == nil {
		return "unlimited"
	}
	return strconv.FormatInt(*a.credits, 10)
}

// shortDuration returns the duration without the zeroes that time.Duration
// prints behind whole hours and minutes.
func shortDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
