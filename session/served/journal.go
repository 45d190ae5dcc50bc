package served

import (
	"encoding/binary"
	"fmt"
	"iter"
	"time"

	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// Journal keeps what a match needs to go on after the process of its server has died; see [ServerConfig.Journal].
// Package journal has implementations. What the records contain is the server's affair, and written down in
// docs/reference/journal.md. All methods are called by the goroutine that calls the server. They must not wait.
type Journal interface {
	// Records yields the records that were appended, in order, by this process or by earlier ones. A record is valid
	// until the next one is yielded. An error is the last thing that is yielded.
	Records() iter.Seq2[[]byte, error]
	// Append appends a record of at least one byte. It keeps no reference to it.
	Append(record []byte)
	// Durable returns how many of the records that this process has appended will be found by Records even if the
	// process ends now. An error says why no more will ever be.
	Durable() (records uint64, err error)
}

// JournalError means that a match cannot go on from its journal, or not without it.
type JournalError struct {
	// Record is the number of the record that is wrong, from 1; 0 if it is none of them.
	Record uint64
	err    error
}

// Error names the record and the problem.
func (e *JournalError) Error() string {
	if e.Record == 0 {
		return "served: the journal: " + e.err.Error()
	}
	return fmt.Sprintf("served: record %d of the journal: %v", e.Record, e.err)
}

// Unwrap returns the problem: [ErrJournalEnded], a *session.MismatchError, or an error of the journal or the game.
func (e *JournalError) Unwrap() error { return e.err }

// Kinds of records, by their first byte. All numbers are little-endian.
const (
	recordBegin    = 1 + iota // size (2), a Welcome of that size with the items, an offer
	recordKeyframe            // tick (4), chain (8), hash (8), players that are in (2), an ID (8) of each place, the state
	recordTick                // the next tick, coded by package agreed; from a keyframe on, it is coded without a predecessor
	recordHashed              // hash (8) of the state after the tick, and a tick
	recordSeat                // player (1), ID (8): a client has got a place
	recordToken               // the token from now on, or nothing: it was revoked
	recordEnd                 // the end of the match, as it is sent to clients
)

// journalPoll is how often a server asks whether what it waits for is durable.
const journalPoll = time.Millisecond

// journalPatience is how long records may take to be durable before there is an event.
const journalPatience = time.Second

// keeper writes the journal of a match, and knows what is waiting for it.
type keeper struct {
	to       Journal // nil: nothing is kept
	every    Frame
	patience time.Duration // how long ticks wait for it; 0: as long as it takes
	writer   agreed.Writer
	shape    agreed.Shape
	appended uint64
	b        []byte

	untold  bool          // a tick has run, and nobody has been told
	last    stream.Frame  // that tick, which is passed on when it is durable; without Encoded there is none
	copied  agreed.Frame  // its memory
	held    bool          // the next tick waits until everything is durable
	since   time.Duration // when that began
	waiting bool          // there was an event

	back returning
}

func (k *keeper) append(record []byte) {
	k.b = record[:0]
	k.to.Append(record)
	k.appended++
}

// begin records what is played.
func (k *keeper) begin(items *datagram.Items, offer *datagram.Offer) {
	if k.to == nil {
		return
	}
	w := datagram.Welcome{Version: datagram.Version, Items: *items}
	b := w.Append([]byte{recordBegin, 0, 0})
	binary.LittleEndian.PutUint16(b[1:], uint16(len(b)-3))
	k.append(offer.Append(b))
	k.writer.Init(k.shape)
}

// keyframe records the newest state, from which the match can go on.
func (k *keeper) keyframe(f Frame, w world, in PlayerSet, c *clients, chain *stream.Chain) error {
	hash, err := w.Hash()
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	b := le.AppendUint32(append(k.b[:0], recordKeyframe), uint32(f))
	b = le.AppendUint16(le.AppendUint64(le.AppendUint64(b, chain.Value()), hash), uint16(in))
	for p := range k.shape.Players {
		b = le.AppendUint64(b, c.ids[p])
	}
	if b, err = w.Marshal(b, f); err != nil {
		return err
	}
	k.append(b)
	k.writer.Init(k.shape)
	return nil
}

// due reports whether a keyframe is due before tick f.
func (k *keeper) due(f Frame) bool { return k.to != nil && f > 0 && f%k.every == 0 }

// tick records a tick that has run, and keeps a copy of it.
func (k *keeper) tick(f *stream.Frame) {
	b := append(k.b[:0], recordTick)
	if f.Hashed {
		b[0] = recordHashed
		b = binary.LittleEndian.AppendUint64(b, f.Hash)
	}
	k.append(k.writer.Append(b, f.Encoded))
	inputs, orders := append(k.copied.Inputs[:0], f.Encoded.Inputs...), k.copied.Orders[:0]
	for _, o := range f.Encoded.Orders {
		orders = append(orders, append([]byte(nil), o...))
	}
	k.copied = *f.Encoded
	if k.copied.Inputs = inputs; f.Encoded.Orders != nil {
		k.copied.Orders = orders
	}
	k.last = *f
	k.last.Encoded = &k.copied
}

// seat records who has got a place.
func (k *keeper) seat(p Player, id uint64) {
	if k.to != nil {
		k.append(binary.LittleEndian.AppendUint64(append(k.b[:0], recordSeat, byte(p)), id))
	}
}

// token records which token admits clients from now on; nil means none.
func (k *keeper) token(token []byte) {
	if k.to != nil {
		k.append(append(append(k.b[:0], recordToken), token...))
	}
}

// end records how the match has ended.
func (k *keeper) end(o *stream.Outcome) {
	if k.to != nil {
		k.append(appendEnd(append(k.b[:0], recordEnd), o))
	}
}

// holds asks whether something that was appended is not durable yet, and for how long. The error says that it never
// will be.
func (k *keeper) holds(now time.Duration) (waited time.Duration, err error) {
	n, err := k.to.Durable()
	if held := n < k.appended; held && !k.held {
		k.held, k.since = true, now
	} else if !held {
		k.held = false
	}
	return now - k.since, err
}
