package desync

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Rule: a malformed message violates the protocol; one that is no longer useful is
// ignored.
func TestWhatBreaksTheProtocol(t *testing.T) {
	le := func(n ...uint32) (b []byte) {
		for _, v := range n {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		return b
	}
	tb := newTable(t, everyState(), smallToy(), 2, 1)
	s := tb.seats[0]
	receive := func(kind Kind, b []byte) error { return s.Receive(0, kind, b, tb.now) }
	for _, c := range []struct {
		kind Kind
		body []byte
		want error
	}{
		{Suspect, le(0), ErrRange},
		{Suspect, le(None), ErrRange},
		{Suspect, le(1)[:3], ErrShort},
		{Suspect, append(le(1), 0), ErrRange},
		{Ask, nil, ErrShort},
		{Answer, nil, ErrShort},
		{Piece, nil, ErrShort},
		{Kinds, nil, ErrRange},
		{Piece, le(0, 0), nil},       // nothing is suspected
		{Piece, le(100, 50, 1), nil}, // nor is there any order
		{Answer, (&answer{number: 1, step: askParts}).append(nil), nil},
		{Ask, (&ask{number: 1, step: askState, state: 1}).append(nil), nil},
		{Suspect, le(None - 1), nil},
		{Suspect, le(1), nil},
		{Answer, (&answer{number: 1, step: askParts}).append(nil), nil},
		{Piece, le(100, 50, 1), ErrRange},
		{Piece, le(100, 0, 1), nil},
		{Piece, le(100, 0, 1), ErrRange},
		{Piece, le(100, 4, 1), nil},
		{Piece, le(8, 8)[:8], ErrRange},
	} {
		if err := receive(c.kind, c.body); !errors.Is(err, c.want) {
			t.Errorf("kind %d, % x: %v", c.kind, c.body, err)
		}
	}
	if s.Quiet() || s.noticed != None-1 {
		t.Errorf("state %d is suspected", s.noticed)
	}
}

// Rule: only a machine that may coordinate can say that there is no report, or send
// queries.
func TestWhoIsListenedTo(t *testing.T) {
	for _, players := range [][]uint16{{1, 2, 4}, {2, 1, 4}, {4, 2, 1}} {
		for _, kind := range []Kind{Piece, Ask} {
			for _, gone := range []bool{false, true} {
				tb := newTable(t, everyState(), smallToy(), players...)
				s := tb.seats[0]
				s.Suspect(10, tb.now)
				body := (&piece{bytes: []byte("no idea")}).append(nil)
				if kind == Ask {
					body = (&ask{number: 1, step: askState, state: 1}).append(nil)
				}
				if gone {
					s.Lost(0)
				}
				tb.letters = nil
				if err := s.Receive(0, kind, body, tb.now); err != nil {
					t.Fatal(err)
				}
				tb.now += tick
				s.update()
				want := !gone && players[1] < players[0]
				got := s.sent[Answer] == 1
				if kind == Piece {
					got = len(s.results) == 1 && s.results[0].why == "no idea" && s.results[0].report == nil
				}
				if got != want {
					t.Errorf("%b of %b, kind %d, gone %v: %v", players[1], players, kind, gone, got)
				}
			}
		}
	}
}

// Rule: a query that arrives before its states are agreed is answered when they are, and
// a newer query replaces it.
func TestQuestionsWait(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 2, 1)
	tb.suspect = false
	tb.run(50)
	s := tb.seats[0]
	var answers []answer
	s.silent = func(kind Kind, body []byte) bool {
		var a answer
		if err := a.consume(body); kind == Answer && err == nil {
			answers = append(answers, a)
		}
		return true
	}
	s.Suspect(10, tb.now)
	for _, a := range []ask{{number: 1, step: askHashes, from: 1, count: 60}, {number: 2, step: askHashes, from: 41, count: 20}} {
		if err := s.Receive(0, Ask, a.append(nil), tb.now); err != nil {
			t.Fatal(err)
		}
	}
	if tb.run(9); len(answers) > 0 {
		t.Fatalf("%+v", answers)
	}
	if tb.run(2); len(answers) != 1 || answers[0].number != 2 || len(answers[0].entries) != 20 || string(answers[0].machine) != "machine A" {
		t.Fatalf("%+v", answers)
	}
	s.setup.Machine = strings.Repeat("m", 65)
	for number, a := range map[uint32]ask{ // what nobody holds
		11: {step: askHashes, from: 61, count: 1},
		12: {step: askHashes, from: 60, count: 2},
		13: {step: askParts, depth: 1, nodes: []uint64{0}},
		14: {step: askParts, depth: 1, level: 1, nodes: []uint64{0}},
	} {
		answers = nil
		a.number = number
		_ = s.Receive(0, Ask, a.append(nil), tb.now)
		tb.run(2)
		if len(answers) != 1 || len(answers[0].parts) > 0 {
			t.Errorf("question %d: %+v", number, answers)
		}
		if number < 13 && (len(answers[0].entries) != int(number)-10 || len(answers[0].machine) != 64) {
			t.Errorf("question %d: %+v", number, answers)
		}
	}
	tb = newTable(t, everyState(), smallToy(), 4, 1, 2)
	tb.suspect = false
	tb.run(50)
	s, answers = tb.seats[0], nil
	s.silent = func(kind Kind, body []byte) bool {
		var a answer
		if err := a.consume(body); kind == Answer && err == nil {
			answers = append(answers, a)
		}
		return true
	}
	s.Suspect(10, tb.now)
	for peer, count := range []uint16{21, 1} { // one of two has to wait
		a := ask{number: uint32(count), step: askHashes, from: 40, count: count}
		if err := s.Receive(peer, Ask, a.append(nil), tb.now); err != nil {
			t.Fatal(err)
		}
	}
	if tb.run(2); len(answers) != 1 || answers[0].number != 1 {
		t.Errorf("%+v", answers)
	}
	tb = newTable(t, everyState(), smallToy(), 2, 1)
	tb.run(firstHashes + 100)
	for from, entries := range map[uint32]int{1: 0, 100: 0, 101: 20} {
		var a answer
		if !tb.seats[0].hashes(&ask{from: from, count: 20}, &a) || len(a.entries) != entries {
			t.Errorf("from state %d: %d entries", from, len(a.entries))
		}
	}
	tb = newTable(t, Config{HashEvery: 5, Every: 60, Budget: 1 << 20}, smallToy(), 2, 1)
	tb.run(50)
	for _, c := range []struct {
		from    uint32
		count   uint16
		entries int
	}{{5, 10, 10}, {5, 1, 1}, {50, 1, 1}, {4, 10, 0}, {6, 5, 0}} {
		var a answer
		if !tb.seats[0].hashes(&ask{from: c.from, count: c.count}, &a) || len(a.entries) != c.entries {
			t.Errorf("%+v: %d entries", c, len(a.entries))
		}
	}
}

// Rule: a report is accepted if it is about this match, and right about our own state;
// otherwise it violates the protocol.
func TestAForgedReportIsRefused(t *testing.T) {
	for name, change := range map[string]func(r *Report){
		"":                   func(*Report) {},
		"who cannot tell":    func(r *Report) { r.Peers[0].Group = None },
		"!another hash":      func(r *Report) { r.Groups[0]++ },
		"!the other's group": func(r *Report) { r.Peers[0].Group, r.Peers[1].Group = 1, 0 },
		"!another match":     func(r *Report) { r.Match++ },
		"!another game":      func(r *Report) { r.Game += "s" },
		"!another shape":     func(r *Report) { r.Shape.MaxOrders++ },
		"!without us":        func(r *Report) { r.Peers = r.Peers[1:] },
		"!us and somebody":   func(r *Report) { r.Peers[0].Players, r.Peers[1].Players = 3, 4; r.Peers = r.Peers[:2] },
		"!no report":         func(r *Report) { r.TickRate = 0 },
		"a state that nobody here knows": func(r *Report) {
			r.State, r.Noticed, r.First, r.Groups[0] = 900, 900, 900, 1
			r.Inputs = nil
		},
	} {
		tb := newTable(t, everyState(), smallToy(), 1, 2, 4)
		tb.run(50)
		s := tb.seats[0]
		hash, ok := s.evidence.HashOf(10)
		if !ok {
			t.Fatal("no hash")
		}
		r := &Report{
			Game: "toy", Match: 1, Shape: tb.cfg.Shape, TickRate: 60, HashEvery: 1, Every: 60,
			State: 10, Noticed: 60, First: 10, Groups: []uint64{hash, hash + 1},
			Peers: []Peer{{Players: 1, Origin: Original}, {Players: 2, Group: 1, Origin: Original}, {Players: 4, Group: 1, Origin: Original}},
		}
		change(r)
		s.Suspect(60, tb.now)
		b := r.Append(nil)
		err := s.Receive(0, Piece, (&piece{size: uint32(len(b)), bytes: b}).append(nil), tb.now)
		bad := strings.HasPrefix(name, "!")
		if (err != nil) != bad || (s.Report() == nil) != bad || bad != s.Busy() && s.Report() == nil {
			t.Errorf("%s: %v, and a report of %d bytes", name, err, len(s.Report()))
		}
		if bad && !errors.Is(err, ErrForged) && !errors.Is(err, ErrReport) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Rule: an answer counts if it is to the newest query, comes from a machine that was
// queried, and comes once.
func TestAnswersThatComeTooLate(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2, 4)
	tb.delay = time.Hour
	tb.run(30)
	s := tb.seats[0]
	s.Suspect(20, tb.now)
	tb.now += tick
	s.update()
	l := s.coordination
	if l == nil || l.number != 1 || l.step != askHashes {
		t.Fatalf("%+v", l)
	}
	a := answer{number: l.number, step: askHashes, machine: []byte("pc"), entries: []uint64{1}}
	for name, change := range map[string]func(a *answer){
		"an older question": func(a *answer) { a.number-- },
		"one to come":       func(a *answer) { a.number++ },
		"another step":      func(a *answer) { *a = answer{number: l.number, step: askParts} },
	} {
		b := a
		change(&b)
		if err := s.Receive(0, Answer, b.append(nil), tb.now); err != nil || !s.peers[0].awaited || s.peers[0].entries != nil {
			t.Errorf("%s: %v, %+v", name, err, s.peers[0])
		}
	}
	for range 2 {
		if err := s.Receive(0, Answer, a.append(nil), tb.now); err != nil || s.peers[0].awaited || fmt.Sprint(s.peers[0].entries) != "[1]" {
			t.Errorf("%v, %+v", err, s.peers[0])
		}
		a.entries = []uint64{2}
	}
	if s.peers[1].awaited != true || s.peers[0].machine != "pc" {
		t.Errorf("%+v", *s.peers[1])
	}
}
