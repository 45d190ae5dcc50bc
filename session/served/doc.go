// Package served plays matches that a server owns. A [Server] closes ticks at its own pace, with the inputs that
// have arrived (package sequencer), runs them, and sends each client what its player may know (package sight). A
// [Client] runs ahead of what it has received, so that its inputs arrive in time, and rolls back when a prediction
// was wrong. Nobody waits for anybody.
//
// Both work like a session.Session: they open no socket and read no clock. Datagrams and time go in,
// datagrams and events come out.
//
// # Places
//
// A client connects like a spectator: a Hello, a Welcome with a cookie, an Attach that proves the address and, if
// the server has a token, that the client knows it. An Attach with a non-empty set of players asks for a place; the
// server's answer says which one it is. A client that comes back with the same ID gets the place that it had,
// unless it has been taken. Other machines are spectators: they get the agreed stream of package spectate.
//
// A restarted server has forgotten its clients and its match. They notice by the number of its run, which is in the
// Welcome, and start over: see again.go.
//
// # Wire form
//
// docs/reference/sight.md has the complete form, for other implementations. In short:
//
// Datagrams are those of a spectator (docs/reference/wire.md) with bit 3 of the first byte set, and a body after
// the control stream. All numbers of several bytes are little-endian, and varints are those of package datagram.
// The body of a client:
//
//	size      field    meaning
//	1         flags    bit 0: updates shall be plain; bit 1: it holds a state; bit 2: inputs follow;
//	                   bit 3: with bit 1, it asks for a whole state, and takes no updates of that one
//	2         next     the low bits of the tick after its last input here, or of its next one
//	varint    ahead    with bit 1: how many ticks the newest state that it holds is before next, signed
//	varint    count    with bit 2: how many inputs follow, 1 to 511, for the ticks before next
//	rest      inputs   with bit 2: coded as in a session datagram, from zeros before the first one, and
//	                   before the first one after a gap
//
// The body of the server, after a tick:
//
//	size      field    meaning
//	1         flags    bits 0 to 3: how many margins follow; bit 4: it has inputs of the client;
//	                   bit 5: an update follows; bit 6: next has one byte; bit 7: the margins are
//	                   those of the last ticks before taken, which is there
//	1 or 2    next     the low bits of its next tick, which is the number of its newest state
//	varint    taken    with bit 4: the first tick without an input of the client, less next, signed
//	varint    tick     of each margin, without bit 7: its tick, less that of the margin before, or
//	                   next, signed
//	varint    early    and how early the input of that tick came, signed
//	rest      update   with bit 5: of the newest state; see package sight
//
// One byte of next is enough for a client that holds a state less than 64 ticks older, and that ignores datagrams
// that have been overtaken by 48 others: next is at most 63 more, and at most 192 less, than the number of the
// newest state that the client knows. The server writes two bytes if the client may hold no such state, or if
// updates are more than 3 ticks apart.
//
// The number early is in units of 500 µs if it is less than 32. Above that there are 8 steps per doubling:
// 32 + 8*o + s means (8 + s) * 4 * 2^o units. A negative number means late. Margins are rounded towards late.
//
// With full sight the baseline of an update may be newer than any state that the client has acknowledged, so that a
// client with a long round trip gets the inputs of the last 300 ms instead of those of a round trip. A client that
// does not hold the baseline ignores the update. When its acknowledgements are overdue, updates are relative to the
// newest state that it has acknowledged.
//
// The messages of the control stream, by their first byte:
//
//	1  begin   an offer, as in docs/reference/wire.md: the current match; with partial sight
//	           without its seed, and without the hash of state 0
//	2  place   player (1), tick (4): the client's player, and its first tick
//	3  state   number (4), size (4): a whole state follows in chunks; see package sight
//	4  chunk   its bytes, at most 8192
//	5  orders  tick (4), bytes: from a client, for that tick, or the next one if that has run
//	6  end     result (8), finished (1), players that are gone (2), summary of the match; with
//	           partial sight its hash is of what the player may know, and its chain 0
//	7  bye     text, at most 256 bytes: nothing more comes
//	8  differs number (4): from a client whose version of this state differs, and that requests
//	           the server's, once
//	9  truth   number (4), size (4), text: that state follows in parts; the text describes the
//	           server's machine
//	10 part    its bytes, at most 8192
//	11 slipped periods (4): by how much all further ticks are postponed
//	12 token   revoked (1), text: a bye to a machine whose token is not valid here
//
// # Trust
//
// The server trusts nothing: an input counts for the player of the connection on which it arrived, for a tick that
// has not run, once, and if the game's Check allows it. An acknowledgement of a state that was not sent to the
// client is ignored. A client that violates the protocol loses its connection. Missing inputs of a client are
// replaced by its last one for a quarter of a second.
//
// The work that a client can cause per tick is bounded: the number of its datagrams that are read, the number of
// ticks simulated from a baseline, the rate of whole states, and one older state in all. The number of places per
// IP address is limited. Everything by which a client gains nothing is counted: see [Faults] and [ServerCounts].
//
// A client whose address changes is challenged at the new one, as peers of a session are, and moved after its
// answer.
package served
