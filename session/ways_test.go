package session

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// The measurements of a link are correct: the round trip without the time that the peer has waited;
// each side's lag, which is reported to the other side; and the sum of both lags, which is the delay of
// both directions minus the input delays. Machines that begin together stay together.
func TestWhatIsMeasuredOfAWay(t *testing.T) {
	const off = 4 * time.Millisecond // machines look every 2 ms
	near := func(got, want, most time.Duration) bool { return max(got-want, want-got) <= most }
	for _, c := range []struct {
		way   time.Duration
		loss  int
		delay int // of one of them
	}{
		{6, 0, 0}, {30, 0, 0}, {30, 20, 0}, {30, 0, 3}, {60, 10, 2}, {150, 0, 6},
	} {
		c.way *= time.Millisecond
		m := newMesh(t, 2, 0, func(i int, cfg *Config) {
			if cfg.Match.Frames = 0; i == 1 {
				cfg.Delay[1] = c.delay
			}
		})
		m.way = c.way
		m.until("an answer", 5*time.Second, func() bool { _, n := m.nodes[0].saw(Connected); return n > 0 })
		if l := m.nodes[0].Stats(nil).Links[0]; !near(l.RoundTrip, 2*c.way+off/2, off) {
			t.Errorf("%+v: the first round trip is %v", c, l.RoundTrip)
		}
		m.until("the match", 5*time.Second, func() bool { return m.nodes[0].Phase() == Playing || m.nodes[1].Phase() == Playing })
		m.loss = c.loss
		began := m.now
		m.playing()
		if took := m.now - began; took > 20*time.Millisecond {
			t.Errorf("%+v: the second one begins %v after the first", c, took)
		}
		m.run(4 * time.Second)
		var lags time.Duration
		for i, n := range m.nodes {
			l, other := n.Stats(nil).Links[0], m.nodes[1-i].Stats(nil).Links[0]
			if !near(l.RoundTrip, 2*c.way+off/2, off) || l.Deviation > off {
				t.Errorf("%+v: peer %d has a round trip of %v with %v", c, i, l.RoundTrip, l.Deviation)
			}
			if !near(l.RemoteLag, other.Lag, off) {
				t.Errorf("%+v: peer %d is told a lag of %v, it is %v", c, i, l.RemoteLag, other.Lag)
			}
			if c.loss == 0 && l.Jitter > off {
				t.Errorf("%+v: peer %d has a jitter of %v", c, i, l.Jitter)
			}
			lags += l.Lag
		}
		// A lost input arrives with the next datagram, so the mean is later.
		nominal := m.nodes[0].nominal
		want := 2*c.way - time.Duration(c.delay)*nominal + off/2
		if lost := time.Duration(c.loss) * nominal / 40; !near(lags, want+lost, off+lost) {
			t.Errorf("%+v: the lags are %v together, want %v", c, lags, want)
		}
		ahead := m.nodes[0].pacing.schedule.Next() - m.nodes[1].pacing.schedule.Next() - time.Duration(int32(m.nodes[0].Frame()-m.nodes[1].Frame()))*nominal
		if c.loss == 0 && !near(ahead, time.Duration(c.delay)*nominal/2, 2*off) && c.delay == 0 {
			t.Errorf("%+v: the first one is %v ahead", c, ahead)
		}
	}
}

// Rule (docs/reference/wire.md): of the datagrams to a peer from which something has arrived, every
// second one has a sample until there were 32, and then every eighth. It names the newest datagram that
// has arrived, and how long ago that was.
func TestHowOftenThereIsASample(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.DropAfter = true, 10*time.Second })
	tr.reach(Playing)
	poke(&tr.peers[0].match, "limit", NoFrame)
	poke(&tr.peers[1].match, "limit", NoFrame)
	l, m := tr.way(0, 1), tr.peers[0]
	l.sampled, l.sinceSample = 0, 0
	samples, since, newest := 0, 0, uint16(l.Window.Next()-1)
	tr.forge = func(from, _ int, b []byte) []byte {
		if !datagram.IsSession(b) {
			return b
		}
		if from == 1 {
			newest = uint16(tr.way(1, 0).Next() - 1)
			return b
		}
		body, ok := l.Out.Open(b, l.Next()-1)
		var h datagram.Header
		if _, err := h.Consume(body, l.Peer.Send, uint32(m.inputs.Next(0))); !ok || err != nil {
			t.Fatalf("%v: %v", ok, err)
		}
		since++
		want := 2
		if samples >= 32 {
			want = 8
		}
		if h.HasSample != (since == want) {
			t.Fatalf("after %d samples: datagram %d after the last one has one: %v", samples, since, h.HasSample)
		}
		if h.HasSample {
			hold := min((m.now-l.Heard)/datagram.SampleUnit, datagram.HoldUnknown)
			if h.Sample.Echo != newest || h.Sample.Hold != byte(hold) || h.Sample.Lag != l.lag.Units() {
				t.Fatalf("sample %d: %+v, %v old", samples, h.Sample, m.now-l.Heard)
			}
			since, samples = 0, samples+1
		}
		return b
	}
	tr.run(3 * time.Second)
	if samples < 40 {
		t.Errorf("%d samples", samples)
	}
}

// While a match waits, and the control stream has not got through for half a second, every second
// datagram carries only the control stream; before that, and if nothing is pending, each has the
// inputs.
func TestInputsMakeRoomForAControlStreamThatStarves(t *testing.T) {
	const half = 500 * time.Millisecond
	for _, waits := range []bool{false, true} {
		tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.DropAfter, c.ChainEvery = true, 10*time.Second, 1<<15 })
		tr.reach(Playing)
		poke(&tr.peers[0].match, "limit", NoFrame)
		tr.peers[1].sim.hooks.Orders = nil // they would wait, too
		tr.run(200 * time.Millisecond)
		if waits {
			if err := tr.peers[1].Send(0b01, make([]byte, 20_000)); err != nil {
				t.Fatal(err)
			}
		}
		began, without, last := tr.now, 0, false
		counts := map[bool]int{} // by whether they are late
		tr.forge = func(from, _ int, b []byte) []byte {
			after := tr.now - began
			if from == 0 || !datagram.IsSession(b) || after < 300*time.Millisecond || max(after-half, half-after) <= 20*time.Millisecond {
				return nil // the match stands still soon
			}
			h, _, _ := tr.header(1, b)
			late, empty := after > half, h.Play.Counts[0] == 0
			counts[late]++
			if empty {
				without++
			}
			switch {
			case empty && (!late || !waits):
				t.Fatalf("after %v there are no inputs", after)
			case late && waits && counts[true] > 4 && empty == last:
				t.Fatalf("after %v two datagrams have inputs: %v", after, !empty)
			}
			last = empty
			return nil
		}
		tr.run(2 * time.Second)
		if counts[true] < 20 || counts[false] < 3 || (without > 10) != waits {
			t.Errorf("a message waits: %v; %d datagrams without inputs, of %v", waits, without, counts)
		}
	}
}

// Orders arrive as they were given, in every size up to the maximum, whether they travel with their
// input or separately, and on a link that loses, duplicates and reorders datagrams.
func TestOrdersOfEverySizeArrive(t *testing.T) {
	sizes := []int{0, 1, 2, 50, 125, 126, 127, 128, 129, 130, 200, 255, 256, 257, 299, 300}
	for _, mine := range []int{1, 2} { // players on the first machine
		m := newMesh(t, 0, 0, func(_ int, c *Config) { c.Match.Frames = 150 })
		r := rand.New(rand.NewPCG(3, 4))
		m.loss = 15
		given := map[*node][][]byte{}
		m.orders = func(n *node) []byte {
			size := 0
			if k := len(given[n]); k%3 == 0 {
				size = sizes[k/3%len(sizes)]
			}
			b := make([]byte, size)
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			given[n] = append(given[n], b)
			return b
		}
		all := PlayerSet(1<<(mine+1) - 1)
		local := PlayerSet(1<<mine - 1)
		m.add(addrOf(0), 0, Config{Players: mine + 1, Peers: []Peer{{all &^ local, addrOf(1)}}})
		m.add(addrOf(1), mine, Config{Players: mine + 1, Peers: []Peer{{local, addrOf(0)}}})
		got := [2]map[Player][][]byte{{}, {}}
		for i, n := range m.nodes {
			agreed := n.sim.hooks.Agreed
			n.sim.hooks.Agreed = func(a *rollback.Agreed[uint16]) {
				agreed(a)
				for p := range Player(mine + 1) {
					got[i][p] = append(got[i][p], append([]byte(nil), a.Orders[p]...))
				}
			}
		}
		m.theEnd(30 * time.Second)
		for i, n := range m.nodes {
			if l := n.Stats(nil).Links[0]; l.Early != 0 || l.Pending != 0 {
				t.Errorf("%v: at the end something waits: %+v", n.addr, l)
			}
			for p := range Player(mine + 1) {
				owner, at, step := m.nodes[0], int(p), mine
				if int(p) == mine {
					owner, at, step = m.nodes[1], 0, 1
				}
				for f, b := range got[i][p] {
					if string(b) != string(given[owner][at+f*step]) {
						t.Fatalf("%v: frame %d of player %d has %d bytes of orders, not %d", n.addr, f, p, len(b), len(given[owner][at+f*step]))
					}
				}
				if len(got[i][p]) != 150 {
					t.Errorf("%v has %d frames", n.addr, len(got[i][p]))
				}
			}
		}
	}
}
