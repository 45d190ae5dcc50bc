//go:build !js

package rooms

// The names of the limits by which a server refuses, as they are counted in [Stats].
const (
	limitConnects       = "connects"        // connections a minute, of an address or its neighbours
	limitAllConnects    = "all-connects"    // of all
	limitConnections    = "connections"     // at a time, of an address or its neighbours
	limitAllConnections = "all-connections" // of all
	limitRooms          = "rooms"           // at a time, of an address or its neighbours
	limitAllRooms       = "all-rooms"       // of all
	limitMessages       = "messages"        // of one member
	limitPings          = "pings"           // of one member
	limitUnread         = "unread"          // queued for one member
	limitEntry          = "entry"           // connections that send nothing
	limitHost           = "host"            // requests for another host, and from pages of another origin
)

// Limits lists the limits by which a server refuses, as they are counted in [Stats].
func Limits() []string {
	return []string{
		limitConnects, limitAllConnects, limitConnections, limitAllConnections, limitRooms, limitAllRooms,
		limitMessages, limitPings, limitUnread, limitEntry, limitHost,
	}
}

// limited counts a refusal by a limit, and makes its error.
func (h *hub) limited(limit string, reason error, format string, args ...any) error {
	h.stats.Limited[limit]++
	return refuse(reason, format, args...)
}
