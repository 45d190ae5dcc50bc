package serve

import (
	"net"
	"net/netip"
	"slices"
	"strconv"
)

// Addresses returns the URLs at which a listener can be reached: the one for this machine
// first, then those of its networks if it listens beyond loopback.
func Addresses(at net.Addr) []string {
	ap, err := netip.ParseAddrPort(at.String())
	if err != nil {
		return []string{"http://" + at.String() + "/"}
	}
	ip := ap.Addr().Unmap()
	if !ip.IsUnspecified() {
		return []string{urlOf(ip, ap.Port())}
	}
	list := []string{"http://localhost:" + strconv.Itoa(int(ap.Port())) + "/"}
	all, err := net.InterfaceAddrs()
	if err != nil {
		return list
	}
	var found []netip.Addr
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			found = append(found, p.Addr().Unmap())
		}
	}
	slices.SortFunc(found, netip.Addr.Compare) // IPv4 first
	for _, a := range found {
		if !a.IsLoopback() && !a.IsLinkLocalUnicast() {
			list = append(list, urlOf(a, ap.Port()))
		}
	}
	return slices.Compact(list)
}

// IsLoopback reports whether only this machine can reach a listener.
func IsLoopback(at net.Addr) bool {
	ap, err := netip.ParseAddrPort(at.String())
	return err == nil && ap.Addr().Unmap().IsLoopback()
}

func urlOf(ip netip.Addr, port uint16) string {
	return "http://" + netip.AddrPortFrom(ip, port).String() + "/"
}
