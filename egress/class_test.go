package egress_test

import (
	"net/netip"
	"testing"

	"github.com/trawlhq/trawl/egress"
)

func TestClassify(t *testing.T) {
	t.Parallel()
	// Each row holds the first and last address of a block, or samples of it.
	for _, row := range []struct {
		class     egress.Class
		addresses []string
	}{
		{egress.Public, []string{
			"1.0.0.0", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
			"128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255",
			"172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
			"2000::", "2001:200::", "2001:4860:4860::8888", "2003::", "2606:4700::1111", "3ffe::1", "3fff:1000::",
			"::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
		}},
		{egress.Unspecified, []string{"0.0.0.0", "0.0.0.1", "0.255.255.255", "::", "::ffff:0.0.0.0", "64:ff9b::"}},
		{egress.Loopback, []string{"127.0.0.0", "127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1"}},
		{egress.Private, []string{
			"10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255",
			"::ffff:10.0.0.1", "64:ff9b::c0a8:1",
		}},
		{egress.Shared, []string{"100.64.0.0", "100.100.100.200", "100.127.255.255"}},
		{egress.LinkLocal, []string{"169.254.0.0", "169.254.169.254", "169.254.255.255", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "fe80::", "febf:ffff::"}},
		{egress.Platform, []string{"168.63.129.16"}},
		{egress.Protocol, []string{
			"192.0.0.0", "192.0.0.192", "192.0.0.255", "192.31.196.1", "192.52.193.1", "192.175.48.1",
			"2001:1::1", "2001:3::", "2001:4:112::", "2001:1ff:ffff::", "2620:4f:8000::1",
		}},
		{egress.Documentation, []string{"192.0.2.0", "198.51.100.7", "203.0.113.255", "2001:db8::", "2001:db8:ffff::", "3fff::", "3fff:fff:ffff::"}},
		{egress.Benchmark, []string{"198.18.0.0", "198.19.255.255", "2001:2::", "2001:2:0:ffff::"}},
		{egress.Tunnel, []string{"192.88.99.0", "192.88.99.255", "2001::", "2001:0:ffff::", "2002::", "2002:808:808::", "2002:7f00:1::", "2002:ffff::"}},
		{egress.Translation, []string{"64:ff9b:1::", "64:ff9b:1:ffff::7f00:1"}},
		{egress.Compatible, []string{"::2", "::127.0.0.1", "::8.8.8.8", "::ffff:ffff"}},
		{egress.Multicast, []string{"224.0.0.0", "239.255.255.255", "ff00::", "ff02::1", "ffff::"}},
		{egress.Reserved, []string{
			"240.0.0.0", "255.255.255.254", "::1:0:0", "64:ff9b::1:0:0", "64:ff9b:2::", "100:0:0:1::", "200::", "1fff::",
			"4000::", "5eff::", "6000::", "fbff::", "fe00::",
		}},
		{egress.Broadcast, []string{"255.255.255.255", "::ffff:255.255.255.255"}},
		{egress.Discard, []string{"100::", "100::ffff:ffff:ffff:ffff"}},
		{egress.Identifier, []string{"2001:10::", "2001:1f::", "2001:20::", "2001:2f::", "2001:30::", "2001:3f::"}},
		{egress.SegmentRouting, []string{"5f00::", "5f00:ffff::"}},
		{egress.UniqueLocal, []string{"fc00::", "fd00:ec2::254", "fdff::"}},
		{egress.SiteLocal, []string{"fec0::", "feff::"}},
		{egress.Scoped, []string{"fe80::1%eth0", "2606:4700::1111%1", "::1%lo"}},
	} {
		for _, text := range row.addresses {
			if got := egress.Classify(netip.MustParseAddr(text)); got != row.class {
				t.Errorf("%s is %s, want %s", text, got, row.class)
			}
		}
	}
	if got := egress.Classify(netip.Addr{}); got != egress.Invalid {
		t.Errorf("the zero address is %s, want %s", got, egress.Invalid)
	}
}

func TestClassString(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for class := egress.Public; class <= egress.Reserved; class++ {
		name := class.String()
		if name == "" || name == "unknown" || seen[name] {
			t.Errorf("class %d has no name of its own: %q", class, name)
		}
		seen[name] = true
	}
	if got := (egress.ClosedPort + 1).String(); got != "unknown" {
		t.Errorf("name of a class that does not exist = %q", got)
	}
}

// FuzzClassify holds the table against what package netip knows on its own, and
// against the rule that a wrapped address is what it wraps.
func FuzzClassify(f *testing.F) {
	f.Add([]byte{127, 0, 0, 1})
	f.Add([]byte{0x20, 0x01, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		addr, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		class := egress.Classify(addr)
		plain := addr.Unmap()
		if class == egress.Public && (!plain.IsGlobalUnicast() || plain.IsPrivate()) {
			t.Errorf("%s counts as public", addr)
		}
		if got := egress.Classify(netip.AddrFrom16(addr.As16())); got != class {
			t.Errorf("%s is %s, but %s when mapped", addr, class, got)
		}
	})
}
