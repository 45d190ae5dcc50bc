//go:build !js

package rooms

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// checkICE refuses what no browser would take as the URL of a STUN or TURN server (RFC 7064
// and 7065): one such would keep all players from all others.
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

// iceFor returns the servers for one member. The credentials of TURN servers are those
// of the "REST API for access to TURN services" (draft-uberti-behave-turn-rest), which
// coturn and others check: who knows the secret signs until when they are good.
func (c *Config) iceFor(now time.Time) []ICEServer {
	list := make([]ICEServer, len(c.ICE))
	for i, server := range c.ICE {
		if c.TURNSecret != "" && len(server.URLs) > 0 && strings.HasPrefix(server.URLs[0], "turn") {
			server.Username = strconv.FormatInt(now.Add(c.TURNLifetime).Unix(), 10) + ":tickback"
			mac := hmac.New(sha1.New, []byte(c.TURNSecret))
			mac.Write([]byte(server.Username))
			server.Credential = base64.StdEncoding.EncodeToString(mac.Sum(nil))
		}
		list[i] = server
	}
	return list
}
