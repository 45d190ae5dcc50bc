package capture_test

import (
	"maps"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

var memberToken = []byte("a secret of 20 bytes")

// recordMembers records a match of four machines that continues whatever happens: a pause, a fifth machine that joins,
// one that crashes while others do not receive all of its datagrams, one that is kicked, and one that leaves.
func recordMembers(t *testing.T) *recording {
	const late = 4
	seats := []rollback.PlayerSet{1, 2, 4, 8, 16}
	s := fleet.Setup[gameState, wideInput]{
		Game: rollback.Game[gameState, wideInput]{Step: stepOf(appendWide)}, Players: 5, Seats: seats, Seed: 7, Link: lossy,
		Late: []time.Duration{late: 3200 * time.Millisecond},
		Input: func(p rollback.Player, n int) (w wideInput) {
			w[n/9%12] = byte(randomOf(p, n/3))
			return w
		},
		Orders: func(p rollback.Player, n int) []byte { return []byte("go")[:n/8%3] },
		Configure: func(peer int, c *session.Config) {
			c.OnLeave, c.MaxOrders, c.DropAfter, c.WarnAfter = session.Continue, 8, time.Second, 500*time.Millisecond
			c.Token = memberToken
			if peer == late {
				c.Peers, c.Join = nil, &session.Join{Hosts: []netip.AddrPort{fleet.Addr(1)}}
				return
			}
			c.Peers = slices.DeleteFunc(c.Peers, func(p session.Peer) bool { return p.Players == seats[late] })
			c.Reserved = seats[late]
		},
	}
	trace := record(t, s, 12, appendWide, func(f *fleet.Fleet[gameState, wideInput]) {
		until := func(what string, holds func() bool) {
			t.Helper()
			if !f.RunUntil(f.Now+10*time.Second, holds) {
				t.Fatalf("%v: %s has not come: %v", f.Now, what, f.Peers[0].Log())
			}
		}
		decided := func(kind session.EntryKind) func() bool {
			return func() bool {
				return slices.ContainsFunc(f.Peers[0].Log(), func(e session.Entry) bool { return e.Kind == kind })
			}
		}
		check := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		until("the match", func() bool { return f.Peers[0].Frame() > 30 })
		check(f.Peers[1].Pause())
		until("the pause", decided(session.EntryPause))
		f.Run(500 * time.Millisecond)
		check(f.Peers[2].Unpause())
		until("the newcomer", func() bool { return f.Peers[late].Frame() > 0 && decided(session.EntryJoin)() })
		f.Run(700 * time.Millisecond)
		dead := lossy
		dead.Loss = 100 * netem.Percent
		check(f.Net.SetLink(3, 2, dead)) // it has received less of the crashed machine's inputs than others
		f.Run(150 * time.Millisecond)
		f.Peers[3].Down = true
		until("the drop", decided(session.EntryDrop))
		f.Run(200 * time.Millisecond)
		check(f.Peers[0].Kick(4, "enough"))
		until("the end of who is kicked", func() bool { return f.Peers[2].Phase() == session.Over })
		f.Peers[1].Leave("later")
		until("the end of who leaves", func() bool { return f.Peers[1].Phase() == session.Over })
		f.Run(300 * time.Millisecond)
	})
	trace.parted, trace.newcomers = true, seats[late]
	return trace
}

// readerOf reads a trace, including what newcomers get as spectators.
func readerOf(tables tableSet, trace *recording) *reader {
	r := newReader(tables, trace)
	if trace.newcomers != 0 {
		r.guests = newWatcher(tables, &watched{})
		r.guests.guest = &host{reader: r, ids: map[uint64]int{}, kinds: map[byte]int{}}
	}
	return r
}

// Changes of the members of a match are sent as docs/reference/wire.md says.
func TestPageDecodesWhoComesAndGoes(t *testing.T) {
	trace := recordMembers(t)
	r := readerOf(parsePage(readPage(t)), trace)
	if err := r.readAll(); err != nil {
		t.Fatal(err)
	}
	h := r.guests.guest.(*host)
	t.Logf("%d datagrams, %d inputs, messages %v, of the log %v; to the newcomer %v", len(trace.sent), len(trace.agreed), r.messages, r.log.told, h.kinds)
	t.Logf("log %v", trace.log)
	for _, kind := range []uint64{8, 12, 13, 14, 15} {
		if r.messages[kind] == 0 {
			t.Errorf("no message %d was sent", kind)
		}
	}
	if r.promoted != 1 {
		t.Errorf("%d connections of peers have gone on from a stream", r.promoted)
	}
	if len(h.ids) != 1 || h.rolls == 0 || h.kinds[2] == 0 || r.log.fills == 0 {
		t.Errorf("%d ids, %d rolls, %d states, %d fills", len(h.ids), h.rolls, h.kinds[2], r.log.fills)
	}
	lines := [...]int{lineLeave: 2, lineDrop: 1, lineJoin: 1, linePause: 1, lineResume: 1}
	for _, e := range r.log.chosen {
		if e.change != 0 {
			lines[e.change]--
		}
	}
	if lines != [len(lines)]int{} {
		t.Errorf("the log is %+v", r.log.chosen)
	}
}

// The negative control: data that machines have not sent, or have not agreed on, is noticed.
func TestReadersOfTheLogNoticeLies(t *testing.T) {
	if testing.Short() {
		t.Skip("many readings of a long trace")
	}
	tables := parsePage(readPage(t))
	trace := recordMembers(t)
	log, seats := trace.log, trace.seats
	for what, change := range map[string]func(){
		"an entry that nobody has sent":   func() { trace.log = append(slices.Clone(log), session.Entry{Kind: session.EntryPause, Players: 1}) },
		"an entry that nobody applied":    func() { trace.log = log[:len(log)-1] },
		"an entry at another frame":       func() { trace.log = slices.Clone(log); trace.log[3].Frame++ },
		"another place of two machines":   func() { trace.seats = []rollback.PlayerSet{1, 4, 2, 8, 16} },
		"another newcomer":                func() { trace.newcomers = 8 },
		"inputs that nobody has sent":     func() { trace.agreed[inputKey{1, 4, 1}] = givenInput{} },
		"other inputs than were sent":     func() { trace.agreed[inputKey{1, 2, 40}] = givenInput{input: "other inputs"} },
		"a match in which all were there": func() { trace.parted = false },
	} {
		agreed := maps.Clone(trace.agreed)
		change()
		if readerOf(tables, trace).readAll() == nil {
			t.Errorf("%s: it is not noticed", what)
		}
		trace.log, trace.seats, trace.newcomers, trace.agreed, trace.parted = log, seats, seats[len(seats)-1], agreed, true
	}
	if err := readerOf(tables, trace).readAll(); err != nil {
		t.Fatal(err)
	}
}
