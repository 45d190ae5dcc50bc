// Package capture has tests alone: they read all that the peers of real sessions
// send with a decoder that knows nothing but the tables of docs/reference/wire.md, to the last
// byte, and find in it what the peers have agreed on. The decoder shares no code
// with package datagram.
//
// The page is thereby complete: who writes a peer from it will be understood. What it
// says about times, and about who sends what when, the tests of package session
// check.
package capture
