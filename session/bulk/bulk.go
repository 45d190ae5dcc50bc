// Package bulk sends a large state in pieces, by messages that arrive whole, once and in order.
//
//   - [Sender]: a state to pieces
//   - [Receiver]: and back, from a sender that is not trusted
//
// How a state is announced, and what its messages look like, is up to the users.
package bulk

import (
	"fmt"

	"github.com/tickback/tickback/internal/pieces"
	"github.com/tickback/tickback/wire/datagram"
)

// Piece is the maximum size of a piece in bytes. Pieces begin at multiples of it, except the first one of a state of
// which the receiver has a part.
const Piece = pieces.Size

// Sender cuts a state into pieces. The zero value has nothing to send.
type Sender struct {
	state []byte
	sent  int
}

// Begin starts to send a state, of which the receiver has this many bytes. The state must not be modified.
func (s *Sender) Begin(state []byte, have int) { s.state, s.sent = state, have }

// Done reports whether everything has been sent.
func (s *Sender) Done() bool { return s.sent == len(s.state) }

// Piece returns the number of the piece that is next, counted in multiples of [Piece]; ok is false if a part of it
// has been sent, or nothing is left.
func (s *Sender) Piece() (n int, ok bool) { return s.sent / Piece, !s.Done() && s.sent%Piece == 0 }

// Next returns the next piece, or nil if nothing is left.
func (s *Sender) Next() (b []byte) {
	if s.Done() {
		return nil
	}
	b = s.state[s.sent:min(len(s.state), s.sent-s.sent%Piece+Piece)]
	if s.sent += len(b); s.Done() {
		*s = Sender{} // it may be large
	}
	return b
}

// SizeError means that a state is empty, or larger than what is accepted.
type SizeError struct{ Size, Most int }

// Error gives both sizes in bytes.
func (e *SizeError) Error() string {
	return fmt.Sprintf("its state has %d bytes, and we take 1 to %d", e.Size, e.Most)
}

// Receiver puts a state together. It takes no more bytes than were announced. The zero value expects nothing.
type Receiver struct {
	bytes    []byte
	size     int
	unpacker pieces.Unpacker
}

// Begin expects a state of this size in bytes. If that is not 1 to most, the error is a [*SizeError].
func (r *Receiver) Begin(size, most int) error {
	if size < 1 || size > most {
		return &SizeError{size, most}
	}
	r.bytes, r.size = r.bytes[:0], size
	return nil
}

// Bytes returns what has arrived, valid until the next Begin.
func (r *Receiver) Bytes() []byte { return r.bytes }

// Whole reports whether the state is complete.
func (r *Receiver) Whole() bool { return r.size > 0 && len(r.bytes) == r.size }

// Rewind continues after the first have bytes. If they have not arrived, the error is [datagram.ErrRange].
func (r *Receiver) Rewind(have int) error {
	if have < 0 || have > len(r.bytes) {
		return datagram.ErrRange
	}
	r.bytes = r.bytes[:have]
	return nil
}

// Add adds the next bytes. If there are none, or more than are left, the error is [datagram.ErrRange].
func (r *Receiver) Add(b []byte) error {
	if len(b) == 0 || len(b) > r.size-len(r.bytes) {
		return datagram.ErrRange
	}
	r.bytes = append(r.bytes, b...)
	return nil
}

// AddPacked adds the next piece, compressed by package pieces; see Add.
func (r *Receiver) AddPacked(b []byte) (err error) {
	left := r.size - len(r.bytes)
	if len(b) == 0 || left == 0 {
		return datagram.ErrRange
	}
	if r.bytes, err = r.unpacker.Unpack(r.bytes, b, left); err != nil {
		return fmt.Errorf("%w: %w", datagram.ErrRange, err)
	}
	return nil
}
