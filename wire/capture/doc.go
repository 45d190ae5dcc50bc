// Package capture contains only tests. They read everything that the peers of real sessions send, to the last byte,
// with a decoder that follows only the tables of docs/reference/wire.md, and check that it contains what the peers have
// agreed on. The decoder shares no code with package datagram.
//
// This shows that the page is complete: other peers will understand a peer that is written from it. The tests of
// package session check what the page says about times, and about who sends what when.
package capture
