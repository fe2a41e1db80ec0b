package webhook

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"cradle/internal/fault"
)

// Guard decides which addresses may be sent to: public ones over https, and
// those that the operator allows, also over http.
type Guard struct {
	hosts    map[string]bool
	networks []netip.Prefix
}

// NewGuard parses the allowed host names, addresses and CIDR ranges.
func NewGuard(allowed []string) (*Guard, error) {
	g := &Guard{hosts: map[string]bool{}}
	for _, text := range allowed {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		if network, err := netip.ParsePrefix(text); err == nil {
			g.networks = append(g.networks, network.Masked())
		} else if addr, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil {
			g.networks = append(g.networks, netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen()))
		} else if host := bareHost(text); validHost(host) {
			g.hosts[host] = true
		} else {
			return nil, fmt.Errorf("webhook allow: %q is no host, address or range", text)
		}
	}
	return g, nil
}

const mostHost = 253

// bareHost is a host in lower case without a trailing dot.
func bareHost(host string) string { return strings.ToLower(strings.TrimSuffix(host, ".")) }

// validHost accepts only ASCII names.
func validHost(host string) bool {
	return len(host) <= mostHost && strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-._") == "" &&
		!slices.Contains(strings.Split(host, "."), "")
}

// allowsHost reports whether the operator allows a host by name.
func (g *Guard) allowsHost(host string) bool {
	host = bareHost(host)
	if g.hosts[host] {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && g.allowsAddress(addr)
}

func (g *Guard) allowsAddress(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	for _, n := range g.networks {
		if n.Contains(addr) {
			return true
		}
	}
	return false
}

// mostURL is the longest URL an endpoint may have.
const mostURL = 2000

// CheckURL refuses a URL that must not be sent to. Names are resolved, and
// checked again, only when a delivery is made.
func (g *Guard) CheckURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Opaque != "" || len(text) > mostURL || !plain(text) || !validPort(u.Port()) {
		return fault.Fieldf("url", "must be an https address of at most %d characters, not %q", mostURL, shortened(text))
	}
	host := bareHost(u.Hostname())
	allowed := g.allowsHost(host)
	switch {
	case u.User != nil:
		return fault.Fieldf("url", "must not contain a user name or password")
	case u.Fragment != "":
		return fault.Fieldf("url", "must not contain a fragment")
	case u.Scheme != "https" && !(u.Scheme == "http" && allowed):
		return fault.Fieldf("url", "must begin with https://")
	case allowed:
		return nil
	}
	return checkHost(host)
}

// plain reports whether a text can be stored and shown unchanged.
func plain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return r == ' ' || !unicode.IsGraphic(r) })
}

func validPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil && n > 0
}

func checkHost(host string) error {
	if addr, err := netip.ParseAddr(host); err == nil {
		if !public(addr) {
			return fault.Fieldf("url", "must be reachable from the internet: %s is not a public address", host)
		}
		return nil
	}
	if numeric(host) {
		return fault.Fieldf("url", "must have a host name: the numeric address %s is not accepted", host)
	}
	for _, local := range []string{"localhost", "local", "internal"} {
		if host == local || strings.HasSuffix(host, "."+local) {
			return fault.Fieldf("url", "must be reachable from the internet: %s is a local name", host)
		}
	}
	if !validHost(host) {
		return fault.Fieldf("url", "must have a host name: %q is not a valid one", shortened(host))
	}
	return nil
}

// numeric reports whether a host is an IPv4 address in one of the spellings that
// some resolvers accept: 2130706433, 0x7f.1, 127.1.
func numeric(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if strings.HasPrefix(last, "0x") {
		return strings.Trim(last[2:], "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}

// refusedNetworks are the networks that are not public, beyond those that netip
// knows. 168.63.129.16 looks public, but a cloud's machines reach their host by
// it.
var refusedNetworks = func() []netip.Prefix {
	var networks []netip.Prefix
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "168.63.129.16/32", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
		"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "3fff::/20",
	} {
		networks = append(networks, netip.MustParsePrefix(text))
	}
	return networks
}()

var (
	assigned6 = netip.MustParsePrefix("2000::/3") // all that is allocated for the public internet
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
	to4       = netip.MustParsePrefix("2002::/16")
)

// public reports whether an address is on the public internet.
func public(addr netip.Addr) bool {
	if addr.Zone() != "" {
		return false
	}
	addr = addr.Unmap()
	if inner, wraps := wrapped(addr); wraps {
		return public(inner)
	}
	if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.Is6() && !assigned6.Contains(addr) {
		return false
	}
	for _, n := range refusedNetworks {
		if n.Contains(addr) {
			return false
		}
	}
	return true
}

// wrapped returns the IPv4 address inside a NAT64 or 6to4 address.
func wrapped(addr netip.Addr) (netip.Addr, bool) {
	b := addr.As16()
	switch {
	case nat64.Contains(addr):
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case to4.Contains(addr):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	}
	return netip.Addr{}, false
}

// dialer connects only to allowed addresses: it checks each after its name is
// resolved and before connecting.
func (g *Guard) dialer(base net.Dialer) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		d := base
		if !g.allowsHost(host) {
			d.Control = g.refuseLocal
		}
		return d.DialContext(ctx, network, address)
	}
}

func (g *Guard) refuseLocal(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%s is no address", address)
	}
	if !public(at.Addr()) && !g.allowsAddress(at.Addr()) {
		return fmt.Errorf("%s is not a public address", at.Addr())
	}
	return nil
}

func shortened(text string) string {
	const most = 100
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
