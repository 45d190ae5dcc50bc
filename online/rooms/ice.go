//go:build !js

package rooms

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// checkICE returns an error for a URL of a STUN or TURN server that browsers would reject (RFC 7064 and 7065): with
// one such URL, no player could connect to any other.
func checkICE(url string) error {
	scheme, rest, _ := strings.Cut(url, ":")
	rest, query, asked := strings.Cut(rest, "?")
	turn := scheme == "turn" || scheme == "turns"
	good := turn || scheme == "stun" || scheme == "stuns"
	if asked {
		good = good && turn && (query == "transport=udp" || query == "transport=tcp")
	}
	if i := strings.LastIndexByte(rest, ':'); i > strings.LastIndexByte(rest, ']') {
		port, err := strconv.ParseUint(rest[i+1:], 10, 16)
		good = good && err == nil && port > 0
		rest = rest[:i]
	}
	if !good || rest == "" || strings.ContainsAny(rest, "/ @") {
		return fmt.Errorf("rooms: ICE server %q: must be stun:HOST:PORT or turn:HOST:PORT", url)
	}
	return nil
}

// signed reports whether each member gets its own credentials for a server.
func (c *Config) signed(s *ICEServer) bool {
	return c.TURNSecret != "" && slices.ContainsFunc(s.URLs, func(u string) bool { return strings.HasPrefix(u, "turn") })
}

// iceFor returns the servers for one member. The credentials of TURN servers are those of the "REST API for access to
// TURN services" (draft-uberti-behave-turn-rest), which coturn and others check: they are signed with the secret, for
// a name and until a time. With the name, a TURN server can count and limit the traffic of a member.
func (c *Config) iceFor(name string, now time.Time) []ICEServer {
	list := make([]ICEServer, len(c.ICE))
	for i, server := range c.ICE {
		if c.signed(&server) {
			server.Username = strconv.FormatInt(now.Add(c.TURNLifetime).Unix(), 10) + ":" + name
			mac := hmac.New(sha1.New, []byte(c.TURNSecret))
			mac.Write([]byte(server.Username))
			server.Credential = base64.StdEncoding.EncodeToString(mac.Sum(nil))
		}
		list[i] = server
	}
	return list
}

// renewICE gives members new credentials when half of the lifetime of the old ones is over.
func (h *hub) renewICE(r *room, now time.Time) {
	for _, m := range r.members {
		if m.line != nil && now.Sub(m.served) >= h.cfg.TURNLifetime/2 {
			m.line.push(encode(reply{Kind: kindICE, ICE: h.serve(m, now)}))
		}
	}
}

// serve returns the servers for a member, and records the time.
func (h *hub) serve(m *member, now time.Time) []ICEServer {
	m.served = now
	return h.cfg.iceFor(m.turn, now)
}
