package capture_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// recording is everything that the peers of a session have sent, and what they have agreed on.
type recording struct {
	seats  []rollback.PlayerSet
	width  int
	sent   []sentDatagram
	offers map[uint32]session.Parameters
	agreed map[inputKey]givenInput // as the first peer saw it
	others []string                // where another peer agreed on something else

	desynced  bool               // the peers' states differ
	parted    bool               // some have continued without others, or begun later
	newcomers rollback.PlayerSet // who has joined
	log       []session.Entry    // as the first peer has applied it
}

// players returns how many players the match has.
func (t *recording) players() (n int) {
	for _, s := range t.seats {
		n += s.Len()
	}
	return n
}

type sentDatagram struct {
	from, to int
	bytes    []byte
}

// inputKey is a player's frame of a match.
type inputKey struct {
	match  uint32
	player int
	frame  uint32
}

type givenInput struct{ input, orders string }

// record plays a session, and records it.
func record[I comparable](t *testing.T, s fleet.Setup[gameState, I], width int, encode func([]byte, I) []byte, play func(f *fleet.Fleet[gameState, I])) *recording {
	t.Helper()
	trace := &recording{width: width, offers: map[uint32]session.Parameters{}, agreed: map[inputKey]givenInput{}}
	var f *fleet.Fleet[gameState, I]
	s.Hooks = func(peer int, h *session.Hooks[gameState, I]) {
		h.Start = func(session.Parameters) (func(*gameState), error) {
			return func(s *gameState) { s.Peer = uint8(peer) }, nil
		}
		h.Agreed = func(a *rollback.Agreed[I]) {
			_, match := f.Peers[peer].Proposal()
			if alone := len(a.Statuses) - 1; countOf(a.Statuses, rollback.Disconnected) >= alone {
				return // there is nobody to send anything to
			}
			for p := range a.Inputs {
				if a.Statuses[p] == rollback.Disconnected {
					continue // nobody has sent anything
				}
				k := inputKey{match, p, uint32(a.Frame)}
				in := givenInput{input: string(encode(nil, a.Inputs[p]))}
				if a.Orders != nil {
					in.orders = string(a.Orders[p])
				}
				if before, ok := trace.agreed[k]; ok && before != in {
					trace.others = append(trace.others, fmt.Sprintf("peer %d agreed on %v as %x, not %x", peer, k, in, before))
				}
				trace.agreed[k] = in
			}
		}
	}
	f, err := fleet.New(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.Peers {
		trace.seats = append(trace.seats, s.Seats[p.Index])
	}
	f.OnSend = func(from, to int, b []byte) {
		if p, match := f.Peers[0].Proposal(); match != 0 {
			trace.offers[match] = p
		}
		trace.sent = append(trace.sent, sentDatagram{from, to, bytes.Clone(b)})
	}
	play(f)
	trace.log = slices.Clone(f.Peers[0].Log())
	return trace
}

// countOf returns how many players have a status.
func countOf(list []rollback.Status, s rollback.Status) (n int) {
	for _, is := range list {
		if is == s {
			n++
		}
	}
	return n
}
