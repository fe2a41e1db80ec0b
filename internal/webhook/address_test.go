package webhook

import (
	"net"
	"strings"
	"testing"

	"cradle/internal/fault"
)

func guardFor(t testing.TB, allowed ...string) *Guard {
	t.Helper()
	g, err := NewGuard(allowed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// local are addresses that must never be sent to.
var local = []string{
	"0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1",
	"169.254.0.1", "169.254.169.254", "100.64.0.1", "100.100.100.200", "100.127.255.255", "192.0.0.192", "168.63.129.16",
	"192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "192.88.99.1",
	"224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
	"::", "::1", "::7f00:1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0.0.0.0",
	"::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b:1::1", "64:ff9b:1::7f00:1",
	"2002:7f00:1::", "2002:a00:1::1", "2002:c0a8:1::1", "2002:a9fe:a9fe::1", "2001::1", "2001:0:7f00:1::", "2001:db8::1", "3fff::1",
	"fe80::1", "fe80::1%eth0", "2606:4700::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "ff0e::1", "100::1", "5f00::1", "4000::1",
}

var open = []string{
	"1.1.1.1", "8.8.8.8", "93.184.216.34", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1", "198.17.255.255", "198.20.0.1",
	"223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "2606:4700:4700::1111", "2a00:1450:4001::1",
}

func TestOnlyPublicAddressesAreDialled(t *testing.T) {
	g := guardFor(t)
	for _, addr := range local {
		if err := g.refuseLocal("tcp", net.JoinHostPort(addr, "443"), nil); err == nil {
			t.Errorf("%s is dialled", addr)
		}
	}
	for _, addr := range open {
		if err := g.refuseLocal("tcp", net.JoinHostPort(addr, "443"), nil); err != nil {
			t.Errorf("%s: %v", addr, err)
		}
	}
	for _, text := range []string{"", "example.org:443", "127.0.0.1", "1.1.1.1:https"} {
		if err := g.refuseLocal("tcp", text, nil); err == nil {
			t.Errorf("%q passes for an address", text)
		}
	}
}

func TestURLsWithLocalAddressesAreRefused(t *testing.T) {
	g := guardFor(t)
	for _, addr := range local {
		host := strings.Replace(addr, "%", "%25", 1)
		if strings.Contains(addr, ":") {
			host = "[" + host + "]"
		}
		for _, url := range []string{"https://" + host, "https://" + host + ":8443/hooks", "https://" + strings.ToUpper(host) + "/"} {
			if err := g.CheckURL(url); fault.KindOf(err) != fault.Invalid {
				t.Errorf("%s: %v", url, err)
			}
		}
	}
}

func TestURLsThatAreTaken(t *testing.T) {
	g := guardFor(t)
	for _, url := range []string{
		"https://example.org", "https://example.org/", "https://example.org:8443/a/b?c=d&e=%20", "HTTPS://EXAMPLE.ORG/", "https://example.org./",
		"https://example.org:/", "https://8.8.8.8/", "https://[2606:4700:4700::1111]/", "https://xn--bcher-kva.example/", "https://a_b.example.org/",
		"https://example.org/bücher", "https://localhost.example.org/", "https://internal.example.org/", "https://notlocalhost/", "https://10.0.0.1.nip.io/",
		"https://example.org/" + strings.Repeat("a", mostURL-len("https://example.org/")),
	} {
		if err := g.CheckURL(url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestURLsThatAreRefused(t *testing.T) {
	g := guardFor(t)
	for why, urls := range map[string][]string{
		"no address": {
			"", " ", "example.org", "//example.org", "/hooks", "https://", "https:///hooks", "https:example.org", "https://:443/", "mailto:a@example.org",
			"https://example.org/" + strings.Repeat("a", mostURL),
		},
		"another scheme": {
			"http://example.org/", "HTTP://example.org/", "http://8.8.8.8/", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "javascript:alert(1)",
		},
		"userinfo": {
			"https://user@example.org/", "https://user:password@example.org/", "https://@example.org/", "https://example.org@127.0.0.1/",
			"https://example.org:80@127.0.0.1/", `https://example.org\@127.0.0.1/`, "https://example.org%40127.0.0.1/",
		},
		"a name of this machine or its network": {
			"https://localhost/", "https://LOCALHOST/", "https://localhost:8443/", "https://localhost./", "https://localhost../", "https://a.localhost/",
			"https://a.b.localhost./", "https://printer.local/", "https://printer.LOCAL./", "https://metadata.google.internal/", "https://internal/",
			"https://local/", "https://x.internal.../",
		},
		"an address in another spelling": {
			"https://2130706433/", "https://0x7f.1/", "https://0X7F.1/", "https://127.1/", "https://127.0.1/", "https://017700000001/", "https://0177.0.0.1/",
			"https://0x7f000001/", "https://0x7f.0x0.0x0.0x1/", "https://127.0.0.0x1/", "https://0/", "https://0x/", "https://08.8.8.8/", "https://1.1/",
			"https://127.0.0.1./", "https://127.0.0.1../", "https://[127.0.0.1]/", "https://127.0.0.1%2f/", "https://4294967296/",
		},
		"letters that some turn into others": {
			"https://１２７.0.0.1/", "https://127.0.0.１/", "https://ｌｏｃａｌｈｏｓｔ/", "https://①②⑦.0.0.①/", "https://localhost。/", "https://127。0。0。1/",
			"https://bücher.example/", "https://%6cocalhost/", "https://%31%32%37.0.0.1/", "https://%EF%BC%91.example/", "https://exa%00mple.org/",
		},
		"letters that cannot be kept": {
			"https://exa mple.org/", "https://example.org/a b", "https://example.org/\n", "https://example.org/\x00", "https://example.org/\x7f",
			"https://example.org/\xff", "https://example.org/\u202e", "https://example.org/\u009b",
		},
		"no host name": {
			"https://.example.org/", "https://a..example.org/", "https://./", "https://[::1", "https://::1/", "https://[]/", "https://[fe80::1%25]/",
			"https://example.org,127.0.0.1/", "https://*.example.org/", "https://" + strings.Repeat("a.", 130) + "org/",
		},
		"a port that is none": {
			"https://example.org:0/", "https://example.org:65536/", "https://example.org:-1/", "https://example.org:https/", "https://example.org:443:443/",
			"https://127.0.0.1:443./",
		},
		"a fragment": {"https://example.org#fragment", "https://example.org/#@127.0.0.1"},
	} {
		for _, url := range urls {
			if err := g.CheckURL(url); fault.KindOf(err) != fault.Invalid {
				t.Errorf("%s: %q: %v", why, url, err)
			}
		}
	}
}

func TestWhatAnOperatorAllows(t *testing.T) {
	for _, c := range []struct {
		allowed   []string
		good, bad []string
	}{
		{[]string{"127.0.0.1", "::1"},
			[]string{"http://127.0.0.1:9000/", "https://127.0.0.1/", "http://[::1]:9000/", "http://[::ffff:127.0.0.1]/", "https://example.org/"},
			[]string{"http://127.0.0.2/", "https://127.0.0.2/", "http://localhost/", "http://example.org/", "http://user@127.0.0.1/", "http://127.1/", "ftp://127.0.0.1/", "http://127.0.0.1/#f"}},
		{[]string{"[::1]"}, []string{"http://[::1]/"}, []string{"http://127.0.0.1/"}},
		{[]string{"10.1.0.0/16", "fd00::/8"},
			[]string{"http://10.1.255.255/", "https://10.1.0.0/", "http://[fd12::1]/"},
			[]string{"http://10.2.0.1/", "https://10.2.0.1/", "https://[fe80::1]/"}},
		{[]string{"10.1.2.3/16"}, []string{"http://10.1.9.9/"}, []string{"http://10.2.0.1/"}},
		{[]string{" localhost ", "", "Receiver.Internal."},
			[]string{"http://localhost:1/", "http://LOCALHOST./", "https://receiver.internal/", "http://receiver.internal./"},
			[]string{"http://a.localhost/", "https://other.internal/", "http://127.0.0.1/"}},
	} {
		g := guardFor(t, c.allowed...)
		for _, url := range c.good {
			if err := g.CheckURL(url); err != nil {
				t.Errorf("with %q: %s: %v", c.allowed, url, err)
			}
		}
		for _, url := range c.bad {
			if err := g.CheckURL(url); fault.KindOf(err) != fault.Invalid {
				t.Errorf("with %q: %s: %v", c.allowed, url, err)
			}
		}
	}
	for _, text := range []string{"127.0.0.1:80", "http://localhost", "10.0.0.0/33", "*.example.org", "a b", "a..b", ".", "bücher.example", "local/host"} {
		if _, err := NewGuard([]string{text}); err == nil {
			t.Errorf("%q can be allowed", text)
		}
	}
}

// Names are checked again once they are resolved. Here it is localhost, in place
// of any name that its owner points to this machine.
func TestNamesAreCheckedWhenTheyAreDialled(t *testing.T) {
	receiver := listenOn(t)
	for _, c := range []struct {
		allowed string
		reaches bool
	}{
		{"", false},
		{"10.0.0.0/8", false},
		{"127.0.0.1", true},
		{"127.0.0.0/8", true},
		{"localhost", true},
	} {
		dial := guardFor(t, c.allowed).dialer(net.Dialer{})
		_, port, _ := net.SplitHostPort(receiver)
		conn, err := dial(t.Context(), "tcp4", "localhost:"+port)
		if (err == nil) != c.reaches || err != nil && !strings.Contains(err.Error(), "127.0.0.1 is not a public address") {
			t.Errorf("with %q allowed: %v", c.allowed, err)
		}
		if conn != nil {
			conn.Close()
		}
	}
	if _, err := guardFor(t).dialer(net.Dialer{})(t.Context(), "tcp", "no port"); err == nil {
		t.Error("an address without a port is dialled")
	}
}

// listenOn accepts connections on this machine and returns the address.
func listenOn(t testing.TB) (address string) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}
