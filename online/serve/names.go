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

// machineNames are those by which others of the same network may reach this machine.
func machineNames() []string {
	name, err := os.Hostname()
	if err != nil || name == "" || strings.ContainsFunc(name, notInName) {
		return nil
	}
	if strings.Contains(name, ".") {
		return []string{name}
	}
	return []string{name, name + ".local"}
}

func notInName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '.' && r != '_'
}

// named reports whether a request is for a name, of which a browser may remember something:
// not a numeric address, and not this machine alone.
func named(hostport string) bool {
	host := (&url.URL{Host: hostport}).Hostname()
	_, err := netip.ParseAddr(host)
	return err != nil && host != "" && host != "localhost" && !strings.HasSuffix(host, ".localhost")
}

// strictly tells browsers to use nothing but TLS for half a year.
const strictly = "max-age=15552000"

// redirect answers a request without TLS with the same place with it.
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
			// Of what is asked for nothing counts but the path and the query: a target such as
			// "x:.evil.example/" would go on where the name ends.
			to := url.URL{Scheme: "https", Host: host + port, Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
			if to.Path == "" {
				to.Path = "/"
			}
			http.Redirect(w, r, to.String(), http.StatusPermanentRedirect)
		}
	}
}
