package capture_test

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/membership"
)

// council is three members of a log whose messages are delivered one by one.
type council struct {
	cores [3]*membership.Core
	mail  []letter // that has not arrived
	sent  []letter // all
	now   time.Duration
}

// letter is a message between two members.
type letter struct {
	from, to int
	bytes    []byte // of the whole control message
}

// even is a match in which all members have the same inputs.
type even struct{}

func (even) Next(rollback.Player) rollback.Frame { return 100 }
func (even) Floor() rollback.Frame               { return 90 }

// recordVotes records the vote on a pause whose coordinator crashes before the end: another one has to finish it, and
// refuses the first one's attempt. Then the others drop it, and one of them kicks the other.
func recordVotes(t *testing.T) []letter {
	c := &council{}
	s := membership.Begin([]rollback.PlayerSet{1, 2, 4}, 0)
	for i := range c.cores {
		c.cores[i] = membership.New(rollback.SetOf(rollback.Player(i)), s, even{}, membership.Config{Kickers: 2})
	}
	all := func(letter) bool { return true }
	what := func(kind byte, to int) func(letter) bool {
		return func(l letter) bool { return l.bytes[5] == kind && l.to == to }
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	c.deliver(t, all)
	check(c.cores[2].Ask(membership.Wish{Kind: membership.Pause}))
	c.deliver(t, func(l letter) bool { return l.bytes[5] < 4 })                        // the first one proposes,
	c.deliver(t, what(4, 2))                                                           // and only the last one receives it
	c.mail = slices.DeleteFunc(c.mail, func(l letter) bool { return l.bytes[5] == 5 }) // and nobody of its vote
	late := slices.Clone(c.mail)
	c.mail = nil
	c.cores[1].Accuse(1)
	c.deliver(t, func(l letter) bool { return l.bytes[5] < 2 && l.to == 2 }) // the second one prepares
	c.mail = append(late, c.mail...)
	c.deliver(t, what(4, 1)) // the proposal of the first one comes too late
	c.cores[2].Accuse(1)
	c.deliver(t, func(l letter) bool { return l.to != 0 && l.from != 0 })
	check(c.cores[1].Ask(membership.Wish{Kind: membership.Kick, Players: 4}))
	c.deliver(t, func(l letter) bool { return l.to != 0 && l.from != 0 })
	return c.sent
}

// deliver delivers selected messages, until no more are sent for a second.
func (c *council) deliver(t *testing.T, chosen func(letter) bool) {
	t.Helper()
	for idle := 0; idle < 100; c.now += 10 * time.Millisecond {
		if len(c.sent) > 1000 {
			t.Fatal("they do not come to an end")
		}
		for i, core := range c.cores {
			core.Poll(c.now, 100)
			for to, b := range core.Outgoing() {
				l := letter{i, slices.Index([]rollback.PlayerSet{1, 2, 4}, to), append(binary.LittleEndian.AppendUint32([]byte{12}, 1), b...)}
				c.mail, c.sent = append(c.mail, l), append(c.sent, l)
			}
		}
		at := slices.IndexFunc(c.mail, chosen)
		if at < 0 {
			idle++
			continue
		}
		l := c.mail[at]
		c.mail = slices.Delete(c.mail, at, at+1)
		if err := c.cores[l.to].Receive(rollback.SetOf(rollback.Player(l.from)), l.bytes[5:]); err != nil {
			t.Fatal(err)
		}
	}
}

// readVotes reads them using only the tables.
func readVotes(tables tableSet, sent []letter) (m *minutes, err error) {
	defer func() {
		if e, ok := recover().(decodeError); ok {
			err = e
		}
	}()
	m = newMinutes()
	for _, l := range sent {
		n := tables.whole("Message 12: log", l.bytes, peerShape{players: 16}, 0)
		mustBe(n, "kind", 12)
		mustBe(n, "match", 1)
		m.message(rollback.SetOf(rollback.Player(l.from)), n)
	}
	return m, nil
}

// All messages of a vote match docs/reference/wire.md, including rare ones.
func TestPageDecodesVotes(t *testing.T) {
	m, err := readVotes(parsePage(readPage(t)), recordVotes(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("messages %v, %d promises with an entry, log %+v", m.told, m.previous, m.chosen)
	if slices.Contains(m.told[:], 0) || m.previous == 0 {
		t.Errorf("messages %v, %d promises with an entry", m.told, m.previous)
	}
	if len(m.chosen) != 3 || m.chosen[0].change != linePause || m.chosen[1].change != lineDrop || m.chosen[2].change != lineKick {
		t.Errorf("the log is %+v", m.chosen)
	}
}

// The negative control: for each kind of message, one of another sender, or with another entry or ballot, is noticed.
func TestReadersOfVotesNoticeLies(t *testing.T) {
	tables := parsePage(readPage(t))
	sent := recordVotes(t)
	first := func(kind byte) int {
		return slices.IndexFunc(sent, func(l letter) bool { return l.bytes[5] == kind })
	}
	for what, change := range map[string]func(l []letter){
		"a claim that one has stopped oneself": func(l []letter) { l[first(0)].bytes[10+2] = 7 },
		"an attempt in another's name":         func(l []letter) { l[first(1)].from = 2 },
		"a promise after a higher one":         func(l []letter) { l[first(2)].bytes[10+8] = 0xFF },
		"a refusal for a lower one":            func(l []letter) { l[first(3)].bytes[10+8] = 1 },
		"two entries in one attempt":           func(l []letter) { l[first(4)].bytes[20]++ },
		"another vote than there was":          func(l []letter) { l[first(5)].bytes[20]++ },
		"two entries of one number":            func(l []letter) { l[first(6)].bytes[12]++ },
	} {
		list := slices.Clone(sent)
		for i := range list {
			list[i].bytes = slices.Clone(list[i].bytes)
		}
		change(list)
		if _, err := readVotes(tables, list); err == nil {
			t.Errorf("%s: it is not noticed", what)
		}
	}
}
