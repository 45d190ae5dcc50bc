package desync

import (
	"bytes"
	"testing"
	"time"
)

// Rule: the report comes in pieces, as many as it needs, when there is room for them.
func TestAReportComesInPieces(t *testing.T) {
	tb := newTable(t, everyState(), toy{size: 9000, width: 8}, 1, 2, 4)
	tb.seats[0].glitch = flip(100, 50)
	tb.seats[0].busy = true
	tb.run(170)
	if b := tb.seats[0].Report(); b == nil || tb.seats[0].sent[Piece] > 0 || !tb.seats[0].Busy() {
		t.Fatal("the report is not ready, or sent too early")
	}
	tb.seats[0].busy = false
	began := tb.now
	tb.run(20)
	tb.report()
	pieces := (len(tb.seats[0].Report()) + 2047) / 2048
	if n := tb.seats[0].sent[Piece]; n != 2*pieces || pieces < 4 {
		t.Errorf("it is sent in %d pieces, and not %d", n, 2*pieces)
	}
	for _, s := range tb.seats[1:] {
		if took := s.results[0].at - began; took < time.Duration(pieces)*tick || took > time.Duration(pieces+2)*tick {
			t.Errorf("%d pieces take %v", pieces, took)
		}
		if s.Busy() || s.sent[Piece] > 0 {
			t.Error("the report goes on and on")
		}
	}
}

// Rule: a peer that asks about a desync that is already explained gets the report again.
func TestWhoAsksGetsTheReport(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2)
	tb.seats[0].glitch = flip(100, 50)
	tb.run(170)
	r, s := tb.seats[0].Report(), tb.seats[1]
	a := ask{number: 1, step: askHashes, from: 61, count: 120}
	if err := s.Receive(0, Ask, a.append(nil), tb.now); err != nil || !s.Busy() {
		t.Fatal(err)
	}
	tb.letters = nil
	var got []byte
	for range 20 {
		tb.now += tick
		s.update()
		for _, l := range tb.letters {
			if l.kind != Piece {
				t.Fatalf("a message of kind %d", l.kind)
			}
			got = append(got, l.body[8:]...)
		}
		tb.letters = nil
	}
	if !bytes.Equal(got, r) {
		t.Errorf("%d bytes, and not %d", len(got), len(r))
	}
}
