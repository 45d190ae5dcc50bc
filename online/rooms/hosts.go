//go:build !js

package rooms

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
)

// checkHosts returns an error if one of the texts cannot be the name of a host.
func checkHosts(hosts []string) error {
	for _, h := range hosts {
		if h == "" || len(h) > maxHost || strings.ContainsAny(h, " /:@[]?#\\") || strings.Contains(strings.TrimPrefix(h, "*."), "*") {
			return fmt.Errorf("rooms: host %q: must be a name, such as play.example.org or *.example.org, without a port", h)
		}
	}
	return nil
}

const maxHost = 253 // the maximum length of a name in DNS, in bytes

// hostOf returns the host of "host:port", in lower case and without the dot at the end.
func hostOf(hostport string) string {
	return strings.ToLower(strings.TrimSuffix((&url.URL{Host: hostport}).Hostname(), "."))
}

// AllowsHost reports whether a request with this Host header is for this server. A page whose owner made its name
// resolve to this server (DNS rebinding) has another name than ours, and could otherwise do everything here that our
// own page can. Numeric addresses are allowed: a page only has one as its host if it was loaded from there.
func (s *Server) AllowsHost(hostport string) bool {
	host := hostOf(hostport)
	if _, err := netip.ParseAddr(host); err == nil || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	return s.calls(host)
}

// calls reports whether a host is one of the server's configured names.
func (s *Server) calls(host string) bool {
	named := func(h string) bool {
		ok, _ := path.Match(strings.ToLower(h), host)
		return ok
	}
	return slices.ContainsFunc(s.cfg.Hosts, named) || s.cfg.MoreHosts != nil && slices.ContainsFunc(s.cfg.MoreHosts(), func(h string) bool {
		return checkHosts([]string{h}) == nil && named(h)
	})
}

// admits returns the reason why a request is refused, or nil: it is for another host than ours, or from a page that
// may not use the rooms. Programs send no origin, and may use any name.
func (s *Server) admits(r *http.Request) error {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return nil
	}
	if !s.AllowsHost(r.Host) {
		return fmt.Errorf("this server is not called %q", clip(hostOf(r.Host), maxShort))
	}
	u, err := url.Parse(origin)
	switch {
	case err != nil || u.Host == "":
		return fmt.Errorf("no page of the origin %q may use these rooms", clip(origin, maxShort))
	case strings.EqualFold(u.Host, r.Host) || s.ourName(u.Host):
		return nil
	}
	for _, pattern := range s.cfg.Origins {
		if ok, _ := path.Match(strings.ToLower(pattern), strings.ToLower(u.Host)); ok {
			return nil
		}
	}
	return fmt.Errorf("no page of the origin %q may use these rooms", clip(origin, maxShort))
}

// ourName reports whether a page's host is one of the server's names: a proxy may have changed the Host header of the
// request. The same name with another port is another page.
func (s *Server) ourName(hostport string) bool {
	if _, _, err := net.SplitHostPort(hostport); err == nil {
		return false
	}
	return s.calls(hostOf(hostport))
}
