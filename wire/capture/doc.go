// Package capture contains only tests. They read everything that the peers of real
// sessions send, to the last byte, with a decoder that knows only the tables of
// docs/reference/wire.md, and find in it what the peers have agreed on. The decoder
// shares no code with package datagram.
//
// So the page is complete: a peer that is written from it will be understood. The tests
// of package session check what the page says about times, and about who sends what when.
package capture
