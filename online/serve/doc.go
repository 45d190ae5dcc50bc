// Package serve is a web server for games: a page, the rooms for its players, and what operating them takes.
// "tickback play" is this package with flags.
//
//   - Make one: [New]. Run it: [Server.Serve], until its context ends.
//   - Or put its parts into a server of your own: [Server.Handler].
//   - Print its addresses: [Addresses].
//
// It answers:
//
//   - /rooms: the WebSocket of package rooms
//   - /healthz: 200 while it serves, 503 while it shuts down
//   - everything else: the files of the page
//
// At separate addresses: metrics for Prometheus ([Server.ServeMetrics]), and the redirect from port 80 to TLS
// ([Server.ServeRedirect]).
//
// Requests for another host name than the server's own are refused, except /healthz: see Hosts of rooms.Config.
//
// # Files
//
// A file with a sibling that ends in .br or .gz, and is not older, is sent compressed to clients that accept it;
// nothing is compressed while it is served. Each file has the hash of its content as its ETag, and browsers
// revalidate it each time, which costs little if it is unchanged. A file with a hash in its name
// ("game.0a1b2c3d.wasm": 8 or more hexadecimal digits), or requested with the beginning of its content's hash as a
// query ("game.wasm?v=0a1b2c3d"), is cached for a year without revalidation.
//
// # TLS
//
// [TLS] takes a certificate from files, which are read again when they have changed, or gets one from an authority by
// ACME. Pages are then served over HTTP/2, and WebSockets over HTTP/1.1, both with TLS. Without it, a server on the
// internet needs a proxy with TLS in front of it, because browsers require TLS.
//
// # Connections
//
// Besides WebSockets, 1024 connections may be open, whether they are idle, are being answered or have sent half a
// request. When there are more, one is closed: of the prefix (an IPv4 /24 or an IPv6 /56) that has most, the one
// whose last complete request is longest ago.
package serve
