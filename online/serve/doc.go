// Package serve is a web server for games: a page, the rooms it meets in, and what
// operating them takes. "tickback play" is this package with flags.
//
//   - Make one: [New]. Run it: [Server.Serve], until its context ends.
//   - Or put its parts into a server of your own: [Server.Handler].
//   - Print its addresses: [Addresses].
//
// What it answers:
//
//   - /rooms: the WebSocket of package rooms
//   - /healthz: 200 while it serves, 503 while it shuts down
//   - everything else: the files of the page
//
// At addresses of their own: metrics for Prometheus ([Server.ServeMetrics]), and the
// redirect from port 80 to TLS ([Server.ServeRedirect]).
//
// Requests for another host name than the server's own are refused, except /healthz: see
// Hosts of rooms.Config.
//
// # Files
//
// A file with a sibling that ends in .br or .gz, and is not older, is sent compressed to
// those who take it; nothing is compressed while it is served. Each file has the hash of
// its content as its ETag, and browsers ask for it again each time, which costs nothing
// if it is the same. A name with a hash in it ("game.0a1b2c3d.wasm": 8 or more hexadecimal
// digits), or a query that begins the content's hash ("game.wasm?v=0a1b2c3d"), is kept for
// a year without asking.
//
// # TLS
//
// [TLS] takes a certificate from files, which are read again when they have changed, or gets
// one from an authority by ACME. Pages then come by HTTP/2, and WebSockets by HTTP/1.1 over
// TLS. Without it, browsers want a proxy with TLS before the server over the internet.
//
// # Connections
//
// 1024 connections may be open that are no WebSocket, whether they are idle, are being
// answered or have sent half a request. When there are more, one gives way: of the prefix (an
// IPv4 /24 or an IPv6 /56) that has most, the one whose last whole request is longest ago.
package serve
