//go:build !js

package rooms

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

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
