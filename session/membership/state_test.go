package membership

import (
	"bytes"
	"errors"
	"testing"
)

func trio() LogState { return Begin([]PlayerSet{0b1, 0b110, 0b1000}, 0b110000) }

// apply applies entries that all can follow.
func apply(t *testing.T, s *LogState, entries ...Entry) {
	t.Helper()
	for _, e := range entries {
		if why := s.apply(e); why != "" {
			t.Fatal(why)
		}
	}
}

// Any two quorums of a state have a member in common, so two sides never decide
// differently. Of any two sides that together have all members, one can decide; but if
// there are two members, neither can.
func TestQuorumsMeet(t *testing.T) {
	for seatsTaken := 1; seatsTaken < 256; seatsTaken++ {
		var members []PlayerSet
		for p := range PlayerSet(seatsTaken).All() {
			members = append(members, 1<<p)
		}
		s := Begin(members, 0)
		all := s.All()
		for yes := range 256 {
			a := PlayerSet(yes)
			if a&^all != 0 {
				continue
			}
			one, other := s.quorum(a), s.quorum(all&^a)
			if split := s.Len() == 2 && a != 0 && a != all; one && other || split == (one || other) {
				t.Fatalf("of %v, %v can decide (%v), and the others can (%v)", all, a, one, other)
			}
			for more := range 256 {
				b := PlayerSet(more)
				if b&^all == 0 && s.quorum(a) && s.quorum(b) && a&b == 0 {
					t.Fatalf("of %v, both %v and %v can decide", all, a, b)
				}
			}
		}
	}
}

// A member counts when all of its players do.
func TestMembersCountAsAWhole(t *testing.T) {
	s := trio()
	for yes, want := range map[PlayerSet]bool{
		0b0001: false, 0b0011: false, 0b0111: true, 0b1001: true, 0b1010: false, 0b1110: true,
	} {
		if s.quorum(yes) != want {
			t.Errorf("%v: %v", yes, !want)
		}
	}
}

func TestWhoIsThereFollowsFromTheLog(t *testing.T) {
	s := trio()
	apply(t, &s,
		Entry{Kind: Drop, Players: 0b110, Cuts: [maxPlayers]Frame{1: 50, 2: 52}},
		Entry{Kind: Join, Players: 0b110000, Frame: 80, ID: 5},
		Entry{Kind: Pause, Players: 0b1, Frame: 90},
		Entry{Kind: Resume, Players: 0b1000, Frame: 90},
		Entry{Kind: Leave, Players: 0b110000, Frame: 80}, // before it has done anything
		Entry{Kind: Join, Players: 0b100, Frame: 95, ID: 6},
	)
	none := Absence{NoFrame, NoFrame}
	want := LogState{
		Slot: 6, Members: [maxPlayers]PlayerSet{0: 0b1, 2: 0b100, 3: 0b1000}, IDs: [maxPlayers]uint64{4: 5, 2: 6},
		Pauses: [maxPlayers]uint8{1},
	}
	for p := range want.Absent {
		want.Absent[p] = none
	}
	want.Absent[1], want.Absent[2] = Absence{50, NoFrame}, Absence{52, 95}
	want.Absent[4], want.Absent[5] = Absence{0, NoFrame}, Absence{0, NoFrame}
	if s != want {
		t.Errorf("%+v, want\n%+v", s, want)
	}
}

// The players present in a frame, and the frames at which players leave, are those of the log;
// reserved players are absent until they join.
func TestWhoIsGoneInAFrame(t *testing.T) {
	s := trio()
	apply(t, &s,
		Entry{Kind: Drop, Players: 0b110, Cuts: [maxPlayers]Frame{1: 50, 2: 52}},
		Entry{Kind: Join, Players: 0b110000, Frame: 80, ID: 5},
	)
	for f, want := range map[Frame]PlayerSet{0: 0b110000, 49: 0b110000, 50: 0b110010, 51: 0b110010, 52: 0b110110, 79: 0b110110, 80: 0b110, NoFrame - 1: 0b110} {
		if got := s.Gone(f); got != want {
			t.Errorf("in frame %d %b are gone, want %b", f, got, want)
		}
	}
	for players, want := range map[PlayerSet]Frame{0b1: NoFrame, 0b10: 50, 0b100: 52, 0b110: 50, 0b1101: 52, 0b10000: 0, 0: NoFrame} {
		if got := s.From(players); got != want {
			t.Errorf("%b are gone from frame %d on, want %d", players, got, want)
		}
	}
}

// An entry that is not possible returns an error and changes nothing.
func TestImpossibleEntriesAreRefused(t *testing.T) {
	s := trio()
	apply(t, &s, Entry{Kind: Join, Players: 0b10000, Frame: 100, ID: 5}, Entry{Kind: Pause, Players: 0b1, Frame: 60})
	for range MaxPauses - 1 {
		apply(t, &s, Entry{Kind: Resume, Players: 0b1, Frame: 60}, Entry{Kind: Pause, Players: 0b1, Frame: 60})
	}
	resumed := s
	apply(t, &resumed, Entry{Kind: Resume, Players: 0b1, Frame: 60})
	for _, c := range []struct {
		s LogState
		e Entry
	}{
		{s, Entry{Kind: Drop, Players: 0b10}},                                    // half a member
		{s, Entry{Kind: Leave, Players: 0b1001, Frame: 70}},                      // two of them
		{s, Entry{Kind: Leave, Frame: 70}},                                       // nobody
		{s, Entry{Kind: Drop, Players: 0b11111}},                                 // everybody
		{s, Entry{Kind: Drop, Players: 0b10000, Cuts: [maxPlayers]Frame{4: 99}}}, // before it has come
		{s, Entry{Kind: Leave, Players: 0b1, Frame: NoFrame}},                    // at no frame
		{s, Entry{Kind: Join, Players: 0b110000, Frame: 200, ID: 6}},             // a taken player
		{s, Entry{Kind: Join, Players: 0b100000, Frame: 200}},                    // no incarnation
		{s, Entry{Kind: Join, Players: 0b1000000, Frame: 200, ID: 6}},            // no player of the match
		{s, Entry{Kind: Join, Players: 0b100000, Frame: 0, ID: 6}},               // not absent then
		{s, Entry{Kind: Join, Players: 0b100000, Frame: NoFrame, ID: 6}},         // at no frame
		{s, Entry{Kind: Pause, Players: 0b110, Frame: 80}},                       // a second one
		{s, Entry{Kind: Resume, Players: 0b110, Frame: 61}},                      // of another pause
		{s, Entry{Kind: Resume, Players: 0b10, Frame: 60}},                       // by no member
		{resumed, Entry{Kind: Resume, Players: 0b1, Frame: 60}},                  // of none
		{resumed, Entry{Kind: Pause, Players: 0b1, Frame: 80}},                   // one too many
		{resumed, Entry{Kind: Pause, Players: 0b110, Frame: NoFrame}},            // at no frame
		{s, Entry{Kind: kinds}},
		{LogState{Slot: 1<<32 - 1}, Entry{}},
	} {
		was := c.s
		if why := c.s.apply(c.e); why == "" || c.s != was {
			t.Errorf("%v: %q, from %+v to %+v", c.e, why, was, c.s)
		}
	}
}

// An incarnation that has been a member cannot come back.
func TestAnIncarnationComesOnce(t *testing.T) {
	s := trio()
	apply(t, &s, Entry{Kind: Join, Players: 0b10000, Frame: 100, ID: 5}, Entry{Kind: Leave, Players: 0b10000, Frame: 150})
	if why := s.apply(Entry{Kind: Join, Players: 0b10000, Frame: 200, ID: 5}); why == "" {
		t.Error("it came again")
	}
	apply(t, &s, Entry{Kind: Join, Players: 0b10000, Frame: 200, ID: 6})
}

// A state is decoded as it was encoded, and refused when cut at any length.
func TestStatesAreWholeOrNone(t *testing.T) {
	want := trio()
	apply(t, &want, Entry{Kind: Join, Players: 0b10000, Frame: 100, ID: 5}, Entry{Kind: Pause, Players: 0b1, Frame: 60})
	b := want.Append(nil, ofAll)
	got, rest, err := ConsumeState(append(bytes.Clone(b), 9), ofAll)
	if err != nil || got != want || !bytes.Equal(rest, []byte{9}) {
		t.Fatalf("%+v, % x: %v", got, rest, err)
	}
	for i := range b {
		if _, _, err := ConsumeState(b[:i], ofAll); !errors.Is(err, errMalformed) {
			t.Errorf("%d bytes: %v", i, err)
		}
	}
	for _, change := range []func(s *LogState){
		func(s *LogState) { s.Members[1] = 0b111 },
		func(s *LogState) { s.Members[5] = 0b10000000 },
		func(s *LogState) { s.Pauses[2] = MaxPauses + 1 },
		func(s *LogState) { s.Absent[0] = Absence{5, NoFrame} },
		func(s *LogState) { s.Absent[6] = Absence{NoFrame, 5} },
		func(s *LogState) { s.Absent[6] = Absence{6, 5} },
		func(s *LogState) { s.PausedBy = 0 },
		func(s *LogState) { s.Paused = false },
	} {
		bad := want
		change(&bad)
		if _, _, err := ConsumeState(bad.Append(nil, ofAll), ofAll); !errors.Is(err, errMalformed) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// A decoded state is encoded again in the same way, and a log continues from it.
func FuzzConsumeState(f *testing.F) {
	f.Add(trio().Append(nil, ofAll), byte(0b1))
	f.Fuzz(func(t *testing.T, b []byte, players byte) {
		s, rest, err := ConsumeState(b, ofAll)
		if err != nil {
			if !errors.Is(err, errMalformed) {
				t.Fatal(err)
			}
			return
		}
		if again := append(s.Append(nil, ofAll), rest...); !bytes.Equal(again, b) {
			t.Fatalf("% x, not % x", again, b)
		}
		for k := range kinds {
			e := Entry{Kind: k, Players: PlayerSet(players), Frame: 1 << 20, ID: 3}
			if after := s; after.apply(e) == "" && !after.sound() {
				t.Fatalf("%v leads to %+v", e, after)
			}
		}
	})
}
