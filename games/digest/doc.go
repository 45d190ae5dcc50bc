// Package digest identifies the code that determines the course of a match with the games of this repository: the
// rules of a game, the engine, and the protocol. Peers whose builds differ refuse each other, and see which part
// differs.
//
// The builds are digests of the source, without comments, tests and layout. A test fails when they are not those
// of the source, and "make digest" writes them; so do the targets that build the games.
package digest

// Build returns the build of a game, such as "rules 0123abcd, engine 4567cdef, wire 89abef01": at most 64 bytes,
// as [tickback.Options] requires.
func Build(rules string) string {
	return "rules " + rules + ", engine " + engine + ", wire " + wire
}
