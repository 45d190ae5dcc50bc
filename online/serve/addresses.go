package serve

import (
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
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
	all, err := net.InterfaceAddrs()
	if err != nil {
		return everywhere(nil, ap.Port())
	}
	return everywhere(all, ap.Port())
}

// everywhere returns the URLs of a listener at all addresses of a machine with these addresses.
func everywhere(all []net.Addr, port uint16) []string {
	list := []string{"http://localhost:" + strconv.Itoa(int(port)) + "/"}
	var found []netip.Addr
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			found = append(found, p.Addr().Unmap())
		}
	}
	slices.SortFunc(found, netip.Addr.Compare) // IPv4 first
	for _, a := range found {
		if !a.IsLoopback() && !a.IsLinkLocalUnicast() {
			list = append(list, urlOf(a, port))
		}
	}
	return slices.Compact(list)
}

// URLs returns the URLs at which the server can be reached by a listener: with TLS those of its certificate's names,
// if it has any, otherwise those of [Addresses].
func (s *Server) URLs(at net.Addr) (list []string) {
	if s.secure == nil {
		return Addresses(at)
	}
	port := ""
	if ap, err := netip.ParseAddrPort(at.String()); err == nil && ap.Port() != 443 {
		port = ":" + strconv.Itoa(int(ap.Port()))
	}
	for _, h := range s.secure.hosts() {
		if !strings.HasPrefix(h, "*") {
			list = append(list, "https://"+h+port+"/")
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, u := range Addresses(at) {
		list = append(list, "https"+strings.TrimPrefix(u, "http"))
	}
	return list
}

// IsLoopback reports whether only this machine can reach a listener.
func IsLoopback(at net.Addr) bool {
	ap, err := netip.ParseAddrPort(at.String())
	return err == nil && ap.Addr().Unmap().IsLoopback()
}

func urlOf(ip netip.Addr, port uint16) string {
	return "http://" + netip.AddrPortFrom(ip, port).String() + "/"
}
