package gateway

import (
	"bytes"
	"io"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func TestNegotiate(t *testing.T) {
	for header, want := range map[string]string{
		"":                              "",
		"gzip":                          "gzip",
		"zstd":                          "zstd",
		"GZIP":                          "gzip",
		"gzip, zstd":                    "zstd",
		"gzip, deflate, br, zstd":       "zstd",
		"gzip;q=1, zstd;q=0.5":          "gzip",
		"gzip;q=0.5, zstd;q=0.8":        "zstd",
		"gzip ; q=0.5 , zstd; q=0.2":    "gzip",
		"gzip;q=0":                      "",
		"gzip;q=0, zstd":                "zstd",
		"gzip;Q=0":                      "",
		"br":                            "",
		"deflate, br":                   "",
		"identity":                      "",
		"identity;q=0":                  "",
		"identity, gzip;q=0.5":          "",
		"identity;q=0.2, gzip;q=0.5":    "gzip",
		"*":                             "zstd",
		"*;q=0":                         "",
		"*;q=0.5, zstd;q=0":             "gzip",
		"gzip, *;q=0":                   "gzip",
		"gzip;q=nonsense":               "",
		"gzip;q=NaN":                    "",
		", ,gzip,":                      "gzip",
		"xgzip, gzipx":                  "",
		"gzip;level=3;q=0, identity":    "",
		strings.Repeat("x,", 50) + "br": "",
	} {
		if got := negotiate(header); got != want {
			t.Errorf("%q: got %q, want %q", header, got, want)
		}
	}
}

func TestCompressedAnswersAreTheSameBytes(t *testing.T) {
	body := []byte(strings.Repeat(`{"name":"Äthylen"},`, 1000))
	for range 2 { // the second time with a reused encoder
		unzipped, err := gzip.NewReader(bytes.NewReader(compress("gzip", body)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(unzipped); err != nil || !bytes.Equal(got, body) {
			t.Errorf("gzip: %v", err)
		}
		plain, err := zstd.NewReader(bytes.NewReader(compress("zstd", body)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(plain); err != nil || !bytes.Equal(got, body) {
			t.Errorf("zstd: %v", err)
		}
		plain.Close()
	}
}

func TestIfNoneMatch(t *testing.T) {
	const tag = `"abc"`
	for _, c := range []struct {
		name    string
		headers []string
		want    bool
	}{
		{"none", nil, false},
		{"the tag", []string{`"abc"`}, true},
		{"another tag", []string{`"abd"`}, false},
		{"a weak tag compares weakly", []string{`W/"abc"`}, true},
		{"any", []string{"*"}, true},
		{"one of several", []string{`"x", W/"y" ,"abc"`}, true},
		{"in a second header", []string{`"x"`, `"abc"`}, true},
		{"without quotes", []string{"abc"}, false},
		{"as a part", []string{`"abcd"`}, false},
		{"empty", []string{""}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := matches(c.headers, tag); got != c.want {
				t.Errorf("%q: %v", c.headers, got)
			}
		})
	}
}

func TestClientAddress(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, c := range []struct {
		name      string
		peer      string
		forwarded []string
		proxies   []netip.Prefix
		want      string
	}{
		{"no proxy configured", "192.0.2.1:5", []string{"203.0.113.9"}, nil, "192.0.2.1"},
		{"IPv6", "[2001:db8::1]:5", nil, nil, "2001:db8::1"},
		{"the peer is no proxy", "192.0.2.1:5", []string{"203.0.113.9"}, proxies, "192.0.2.1"},
		{"behind a proxy", "10.0.0.1:5", []string{"203.0.113.9"}, proxies, "203.0.113.9"},
		{"behind a proxy that says nothing", "10.0.0.1:5", nil, proxies, "10.0.0.1"},
		{"behind two proxies", "10.0.0.1:5", []string{"203.0.113.9, 10.0.0.2"}, proxies, "203.0.113.9"},
		{"a forged first hop", "10.0.0.1:5", []string{"198.51.100.1, 203.0.113.9"}, proxies, "203.0.113.9"},
		{"several headers are one list", "10.0.0.1:5", []string{"198.51.100.1", "203.0.113.9", "10.0.0.3"}, proxies, "203.0.113.9"},
		{"only proxies", "10.0.0.1:5", []string{"10.0.0.3, 10.0.0.2"}, proxies, "10.0.0.3"},
		{"nonsense ends the walk", "10.0.0.1:5", []string{"203.0.113.9, unknown, 10.0.0.2"}, proxies, "10.0.0.2"},
		{"only nonsense", "10.0.0.1:5", []string{"unknown"}, proxies, "10.0.0.1"},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:5", []string{"::ffff:203.0.113.9"}, proxies, "203.0.113.9"},
		{"an IPv6 proxy", "[fd00::1]:5", []string{"2001:db8::7"}, proxies, "2001:db8::7"},
		{"a zone is not repeated", "10.0.0.1:5", []string{"fe80::1%\xff"}, proxies, "fe80::1"},
		{"a peer without a port", "192.0.2.1", nil, proxies, "192.0.2.1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = c.peer
			r.Header["X-Forwarded-For"] = c.forwarded
			if got := ClientAddress(r, c.proxies); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain Ä":               "plain Ä",
		"a\x00b\nc\x1b[31m\x7f": "abc[31m",
		"\xff\xfeok":            "ok",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := printable(strings.Repeat("ä", longest)); len(got) > longest+4 {
		t.Errorf("%d bytes", len(got))
	}
}
