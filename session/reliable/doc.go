// Package reliable carries messages inside datagrams that are sent anyway. Messages arrive at the other end
// complete, in order and once, even if the network loses, duplicates or reorders datagrams. A [Channel] is one of
// the two ends. It opens no socket and reads no clock: bytes and time go in, bytes come out.
//
//   - Create an end: [New]. Both ends need the same [Config.MaxMessage].
//   - Send a message: [Channel.Send].
//   - Fill a datagram: [Channel.Append]. If there is nothing to send it writes nothing.
//   - Find out whether an extra datagram is worth sending: [Channel.Due].
//   - Read a datagram: [Channel.Consume], then [Channel.Next] until there are no messages.
//   - Check whether everything has arrived: [Channel.Pending] is 0.
//   - Follow the round trip: [Channel.SetTimeout].
//   - Limit fragments to small datagrams: Config.Fragment.
//   - Trade bytes for latency while little is sent: [Channel.SetEager].
//   - Get counters: [Channel.Stats].
//
// # How it works
//
// Messages are cut into fragments, numbered from 0 and never split again, so that a fragment can be resent by its
// number. At most [Window] fragments, counted from the oldest unacknowledged one, are in flight. The
// acknowledgement names the first fragment that has not arrived and, if there are gaps, the later ones that have.
// It is sent in the next section after a fragment arrived, new or duplicate, and not repeated: if it is lost, the
// fragment comes again.
//
// A fragment is resent when fragments of 3 later sections have been acknowledged, or after the time-out. The
// time-out doubles each time, up to [MaxTimeout] and at most Config.Doublings times, until an acknowledgement
// brings news. A datagram that was built but not sent counts as lost.
//
// # Wire form
//
// A section is the output of one Append. Its end can be found by decoding it. An Append with nothing to send writes
// nothing, and Consume of nothing reads nothing: if something else may follow in the datagram, the caller has to
// mark whether there is a section.
//
//	size    field         present
//	1       flags         always: bits 0 to 5 are the count of fragments,
//	                      bit 6 is "acknowledgement", bit 7 is "holes"; never 0
//	varint  arrived       with bit 6: the first fragment that has not arrived
//	1       size          with bit 7, which needs bit 6: bytes of holes, 1 to 32
//	size    holes         with bit 7: bit i%8 of byte i/8 is set if fragment
//	                      arrived+1+i has arrived; the last byte is not 0, and bit
//	                      255 never set
//	varint  first         with a count above 0: number of the first fragment
//
// and then, for each fragment, by ascending number:
//
//	size    field         present
//	varint  head          always: length*4 + continues*2 + gap. The length is 1 to
//	                      936; continues is 1 unless the message ends here; gap
//	                      is 0 in the first fragment
//	varint  skipped       with gap 1: how many numbers were left out after the
//	                      fragment before; 1 to 255
//	length  bytes         always
//
// Further rules: nothing is acknowledged that was not sent; a fragment's number is less than 256 above the first
// one that has not arrived at the reader; and the fragments of a message add up to at most MaxMessage bytes. A
// section that violates a rule ends the connection.
//
// A varint is an unsigned LEB128 number of at most 64 bits in its shortest form. Numbers are sent in full, not
// truncated to their low bits, so that a datagram of any age can be decoded. A message of 12 bytes takes 15 or 16
// bytes in its section (17 from the 16384th fragment on), an acknowledgement alone 2 or 3 (4 from there on).
//
// # A hostile peer
//
// Datagrams must have been authenticated: otherwise a stranger could acknowledge what never arrived. The peer
// itself may be hostile. Whatever it sends, an end holds at most [Window] fragments, 2*MaxMessage bytes of messages
// waiting for Next, and what its own application has sent. It allocates memory for bytes that have arrived, never
// for an announced length. Anything that no honest peer sends is an error, and ends all reading. If two copies of a
// fragment have different bytes, that is not noticed: the first copy counts.
//
// # Limitations
//
//   - There is no congestion control. The caller decides how many datagrams it sends and how
//     large they are; [Stats] says how much was resent.
//   - There is one stream: a lost fragment delays all messages behind it.
//   - An end does not notice a dead peer. To the sender, an application that takes no
//     messages looks like a network that loses everything. When the application takes them
//     again, it may take up to [MaxTimeout] for the rest to start moving.
package reliable
