package session

import (
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/session/reliable"
)

// said returns the messages that a machine queues on the control stream of a peer during a
// call.
func said(t *testing.T, l *link, do func()) (messages [][]byte) {
	t.Helper()
	was := l.Channel
	defer func() { l.Channel = was }()
	l.Channel, _ = reliable.New(reliable.Config{Doublings: 1})
	other, _ := reliable.New(reliable.Config{Doublings: 1})
	do()
	for now := time.Minute; l.Channel.Pending() > 0; now += 10 * time.Millisecond {
		if _, err := other.Consume(l.Channel.Append(nil, 1000, now), now); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Channel.Consume(other.Append(nil, 1000, now), now); err != nil {
			t.Fatal(err)
		}
		for b, ok := other.Next(); ok; b, ok = other.Next() {
			messages = append(messages, slices.Clone(b))
		}
	}
	return messages
}

// filled returns which frames of a player messages fill in, and how many orders travel
// separately.
func filled(t *testing.T, messages [][]byte, p Player) (frames []Frame, orders int) {
	t.Helper()
	for _, b := range messages {
		switch {
		case b[0] == messageOrders:
			orders++
		case b[0] == messageFill && Player(b[5]) == p:
			f := Frame(le.Uint32(b[6:]))
			for rest := b[10:]; len(rest) > 0; f++ {
				frames = append(frames, f)
				rest = rest[2+2+int(le.Uint16(rest)):]
			}
		}
	}
	return frames, orders
}

// between returns the numbers from from to end.
func between(from, end Frame) (list []Frame) {
	for ; from < end; from++ {
		list = append(list, from)
	}
	return list
}

// Inputs are filled in without a gap, from the first to the last one that is missing and held
// here, in messages of about 2 KiB, with their orders, and only for connected peers.
func TestWhatIsFilledIn(t *testing.T) {
	m := newMesh(t, 3, 0, func(_ int, c *Config) { c.Match.Frames = 0 })
	m.orders = func(n *node) []byte { return make([]byte, int(n.sampled%5)*70) }
	m.playing()
	m.run(time.Second)
	host := m.nodes[0]
	l, next := host.at[1], host.sim.Next(2)
	oldest := next - 1
	for oldest > 0 {
		if _, held := host.sim.OrdersOf(2, oldest-1); !held {
			break
		}
		oldest--
	}
	for _, c := range []struct{ from, end, until Frame }{
		{next - 1, next - 1, next - 1},
		{next - 1, next, next},
		{next - 20, next - 3, next - 3},
		{oldest, next + 9, next},
		{next, next + 9, next},
	} {
		messages := said(t, l, func() { host.sendFill(l, 2, c.from, c.end) })
		if got, _ := filled(t, messages, 2); !slices.Equal(got, between(c.from, c.until)) {
			t.Errorf("frames %d to %d: %v come", c.from, c.end, got)
		}
		for i, b := range messages {
			if least := 2 << 10; len(b) >= least+2+2+300 || i < len(messages)-1 && len(b) < least {
				t.Errorf("message %d of %d has %d bytes", i, len(messages), len(b))
			}
		}
	}
	l.state = connecting
	if n := len(said(t, l, func() { host.sendFill(l, 2, next-5, next) })); n > 0 {
		t.Errorf("%d messages to one that is not connected", n)
	}
	l.state = connected
}

// Rule: each member sends a newcomer the inputs that it lacks of players that have left, every
// 250 ms until it has them, and once the orders that did not travel with their inputs.
func TestWhoHasJustComeIsFurnished(t *testing.T) {
	m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames = 0 })
	m.orders = func(n *node) []byte { return make([]byte, 120+int(n.sampled%3)*8) } // 120, 128, 136: the last goes apart
	m.playing()
	m.run(time.Second)
	m.nodes[2].Leave("later")
	host := m.nodes[0]
	m.until("that it is gone", 5*time.Second, func() bool { _, c := host.saw(Left); return c == 1 })
	l, end := host.at[1], host.match.Log().State().Absent[2].From
	if host.startBackfill(l, 3); l.backfillTo != end || l.backfilledAt != 0 {
		t.Fatalf("it lacks what is before frame %d, of one that has left at %d", l.backfillTo, end)
	}
	if host.startBackfill(l, end+40); l.backfillTo != end+40 {
		t.Fatalf("it lacks what is before frame %d", l.backfillTo)
	}
	l.confirmed = end - 12
	began, long := host.now, 0
	for f := l.confirmed; f < host.inputs.Next(0); f++ {
		if orders, _ := host.sim.OrdersOf(0, f); len(orders) > 128 {
			long++
		}
	}
	for _, step := range []struct {
		what    string
		after   time.Duration
		change  func()
		fills   []Frame
		apart   int
		lacking bool
	}{
		{"at once", 0, nil, between(end-12, end), long, true},
		{"soon", 249 * time.Millisecond, nil, nil, 0, true},
		{"again", 250 * time.Millisecond, nil, between(end-12, end), 0, true},
		{"as long as it is there", 500 * time.Millisecond, func() { l.state = leaving }, nil, 0, true},
		{"what it still lacks", 500 * time.Millisecond, func() { l.state, l.confirmed = connected, end-2 }, between(end-2, end), 0, true},
		{"nothing that it has", 750 * time.Millisecond, func() { l.confirmed = end }, nil, 0, true},
		{"until it has all", time.Second, func() { l.confirmed = end + 40 }, nil, 0, false},
	} {
		if step.change != nil {
			step.change()
		}
		host.now = began + step.after
		got, orders := filled(t, said(t, l, host.sendBackfill), 2)
		if !slices.Equal(got, step.fills) || orders != step.apart || (l.backfillTo != 0) != step.lacking {
			t.Errorf("%s: %v come, want %v; %d orders apart, want %d; it lacks something: %v", step.what, got, step.fills, orders, step.apart, l.backfillTo != 0)
		}
	}
	if long == 0 {
		t.Error("no orders are long")
	}
	host.now = began
}

// Inputs filled in by a member are accepted for a player that is stopped, for one that has
// left up to its last frame, and, by a removed machine, for all players to the end of the
// match; in order, and only from members. For a player that is playing they are not accepted.
func TestWhoseInputsAreFilledIn(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(m *Machine, next Frame)
		from   int
		at     Frame // counted from the next one
		taken  Frame
	}{
		{"one that plays", func(*Machine, Frame) {}, 1, 0, 0},
		{"one that has left later", func(m *Machine, next Frame) { m.match.Log().State().Absent[2].From = next + 2 }, 1, 0, 2},
		{"the next but one", func(m *Machine, next Frame) { m.match.Log().State().Absent[2].From = next + 2 }, 1, 1, 0},
		{"one that has left", func(m *Machine, next Frame) { m.match.Log().State().Absent[2].From = next }, 1, 0, 0},
		{"by itself", func(m *Machine, next Frame) {
			m.match.Log().State().Absent[2].From = next + 2
			m.match.Log().State().Members[2] = 0
		}, 2, 0, 0},
		{"one of the end", func(m *Machine, next Frame) {
			poke(m.match.End(), "removed", &RemovedError{})
			poke(&m.match, "limit", next+3)
		}, 1, 0, 3},
		{"behind the end", func(m *Machine, next Frame) {
			poke(m.match.End(), "removed", &RemovedError{})
			poke(&m.match, "limit", next)
		}, 1, 0, 0},
		{"of the end, by one that is out", func(m *Machine, _ Frame) {
			poke(m.match.End(), "removed", &RemovedError{})
			m.match.Log().State().Members[1] = 0
		}, 1, 0, 0},
		{"before the match", func(m *Machine, next Frame) {
			m.match.Log().State().Absent[2].From = next + 2
			m.phase = Lobby
		}, 1, 0, 0},
	} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
		tr.reach(Playing)
		m := tr.peers[0]
		next := m.sim.Next(2)
		c.change(m.Machine, next)
		b := le.AppendUint32([]byte{2}, uint32(next+c.at))
		for range 4 {
			b = append(b, 0, 0, 7, 0)
		}
		if err := m.receiveFill(tr.way(0, c.from), b); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		if got := m.sim.Next(2) - next; got != c.taken {
			t.Errorf("%s: %d inputs are taken, want %d", c.what, got, c.taken)
		}
	}
}

// A peer that has been silent for longer than DropAfter counts as silent, and no sooner. For a
// newcomer, silence before it was a member does not count. A peer that is gone does not count
// again.
func TestWhoIsNotHeard(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
	tr.reach(Playing)
	m := tr.peers[0]
	a, b, drop := tr.way(0, 1), tr.way(0, 2), m.cfg.DropAfter
	for _, c := range []struct {
		a, b           time.Duration // silent for so long
		stateA, stateB linkState
		member         time.Duration // since when
		want           PlayerSet
	}{
		{drop, 0, connected, connected, 0, 0},
		{drop + 1, 0, connected, connected, 0, 0b010},
		{drop + 1, drop + 1, connecting, connected, 0, 0b110},
		{drop + 1, drop + 1, leaving, gone, 0, 0},
		{drop + 1, drop + 1, connected, connected, m.now - drop, 0},
		{drop + 1, drop + 1, connected, connected, m.now - drop - 1, 0b110},
	} {
		a.Heard, b.Heard, a.state, b.state = m.now-c.a, m.now-c.b, c.stateA, c.stateB
		m.memberSince = c.member
		if got := m.silentPeers(); got != c.want {
			t.Errorf("%+v: %v are not heard", c, got)
		}
	}
}

// The link to players is the one to their machine: to one that is there, or about to come,
// rather than to a previous one; never to one that has other players as well.
func TestTheWayToPlayers(t *testing.T) {
	m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames = 0 })
	m.playing()
	host := m.nodes[0]
	old := host.at[2]
	if host.linkToPlayers(0b100) != old || host.linkToPlayers(0b110) != nil || host.linkToPlayers(0b1000) != nil || host.linkToPlayers(0) != nil {
		t.Error("it leads elsewhere")
	}
	host.match.Log().State().Members[2] = 0
	c, _ := host.addNewcomer(0b100, 9, elsewhere, false)
	for _, step := range []struct {
		old, newcomer linkState
		want          *link
	}{
		{connected, connected, old},
		{gone, connected, c.link},
		{gone, connecting, old},
		{gone, gone, old},
	} {
		old.state, c.state = step.old, step.newcomer
		if host.linkToPlayers(0b100) != step.want {
			t.Errorf("%v and %v: it leads elsewhere", step.old, step.newcomer)
		}
	}
	fresh := host.newLink(Peer{Players: 0b100, Addr: elsewhere})
	for _, at := range []int{0, len(host.links)} {
		host.links = slices.Insert(slices.Clone(host.links), at, fresh)
		if host.linkToPlayers(0b100) != fresh {
			t.Errorf("inserted at %d: it leads to the one that was", at)
		}
		host.links = slices.Delete(host.links, at, at+1)
	}
}
