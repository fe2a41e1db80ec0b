package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// ClientAddress returns the address of a request's sender: the peer or, if that
// is a configured proxy, the last address in X-Forwarded-For that is not one.
func ClientAddress(r *http.Request, proxies []netip.Prefix) string {
	peer := r.RemoteAddr
	if host, _, err := net.SplitHostPort(peer); err == nil {
		peer = host
	}
	if len(proxies) == 0 || !trusted(peer, proxies) {
		return peer
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	client := peer
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		client = hop.Unmap().WithZone("").String()
		if !trusted(client, proxies) {
			break
		}
	}
	return client
}

func trusted(address string, proxies []netip.Prefix) bool {
	addr, err := netip.ParseAddr(address)
	if err != nil {
		return false
	}
	for _, p := range proxies {
		if p.Contains(addr.Unmap()) {
			return true
		}
	}
	return false
}
