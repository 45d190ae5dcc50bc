package serve

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// machineNames returns the names by which others on the same network may reach this machine.
func machineNames() []string {
	name, err := os.Hostname()
	if err != nil {
		return nil
	}
	return namesOf(name)
}

// namesOf returns the names of a machine that calls itself so: without a domain also its mDNS name, and none if a browser
// could not use it.
func namesOf(name string) []string {
	switch {
	case name == "" || strings.ContainsFunc(name, notInName):
		return nil
	case strings.Contains(name, "."):
		return []string{name}
	}
	return []string{name, name + ".local"}
}

func notInName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '.' && r != '_'
}

// named reports whether a request is for a public name, and not for a numeric address or for localhost. Only for a
// public name should a browser store settings.
func named(hostport string) bool {
	host := (&url.URL{Host: hostport}).Hostname()
	_, err := netip.ParseAddr(host)
	return err != nil && host != "" && host != "localhost" && !strings.HasSuffix(host, ".localhost")
}

// strictly is the header that tells browsers to use only TLS for half a year.
const strictly = "max-age=15552000"

// redirect redirects a request without TLS to the same address with TLS.
func (s *Server) redirect(secure net.Addr) http.HandlerFunc {
	port := ""
	if ap, err := netip.ParseAddrPort(secure.String()); err == nil && ap.Port() != 443 {
		port = ":" + strconv.Itoa(int(ap.Port()))
	}
	return func(w http.ResponseWriter, r *http.Request) {
		asks(r)
		switch {
		case !s.rooms.AllowsHost(r.Host):
			http.Error(w, "this server does not answer by this name", http.StatusMisdirectedRequest)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.Error(w, "use https", http.StatusBadRequest)
		default:
			host := (&url.URL{Host: r.Host}).Hostname()
			if strings.Contains(host, ":") {
				host = "[" + host + "]"
			}
			// Only the path and the query of the request target are used: a target such as "x:.evil.example/" would
			// otherwise extend the host name.
			to := url.URL{Scheme: "https", Host: host + port, Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
			if to.Path == "" {
				to.Path = "/"
			}
			http.Redirect(w, r, to.String(), http.StatusPermanentRedirect)
		}
	}
}
