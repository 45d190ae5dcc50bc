//go:build !js

package rooms

// The names of the server's limits for refusals, as they are counted in [Stats].
const (
	limitConnects       = "connects"        // connections per minute, from an address or its neighbours
	limitAllConnects    = "all-connects"    // connections per minute, from all addresses
	limitConnections    = "connections"     // connections at a time, from an address or its neighbours
	limitAllConnections = "all-connections" // connections at a time, from all addresses
	limitRooms          = "rooms"           // rooms at a time, of an address or its neighbours
	limitAllRooms       = "all-rooms"       // rooms at a time, of all addresses
	limitMessages       = "messages"        // messages of one member
	limitPings          = "pings"           // pings of one member
	limitUnread         = "unread"          // messages queued for one member
	limitEntry          = "entry"           // connections that do not send a first message in time
	limitHost           = "host"            // requests for another host, or from a page of another origin
)

// Limits lists the names of the server's limits for refusals, as they are counted in
// [Stats].
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
