// Package serve is a web server for games: a page, the rooms it meets in, and what
// operating them takes. "tickback play" is this package with flags.
//
//   - Make one: [New]. Run it: [Server.Serve], until its context ends.
//   - Or put its parts into a server of your own: [Server.Handler].
//   - Tell people where it is: [Addresses].
//
// What it answers:
//
//   - /rooms: the WebSocket of package rooms
//   - /healthz: 200 while it serves, 503 while it shuts down
//   - /metrics: figures for Prometheus
//   - everything else: the files of the page
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
// # Limitations
//
//   - It speaks HTTP/1.1 without TLS: over the internet, browsers want a proxy with TLS
//     before it.
package serve
