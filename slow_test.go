package tickback_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
)

// Rule: an application that calls Update or Advance in a loop shows each frame, on a machine on which a frame takes
// longer than a tick period: alone, and in a match, where the other player sees new pictures at the same rate. Time
// passes while the slow machine steps, and the other one continues meanwhile.
func TestASlowMachineShowsEachFrame(t *testing.T) {
	const ms, length = time.Millisecond, 20 * time.Second
	for _, step := range []time.Duration{12, 17, 20, 25} {
		for _, advance := range []bool{false, true} {
			for _, alone := range []bool{false, true} {
				m := newSlowPair(t, step*ms, alone)
				pictures, gap := m.play(t, advance, length)
				least := int(length/max(step*ms+ms, time.Second/60)) * 95 / 100
				if pictures < least || !alone && gap > 40*ms || gap > 2*(step*ms+ms) && step > 16 {
					t.Errorf("a step takes %v, Advance %v, alone %v: %d pictures in %v, want %d; the other one has seen the same for %v", step*ms, advance, alone, pictures, length, least, gap)
				}
			}
		}
	}
}

// slowPair is a match of two machines in virtual time, the second of which is slow.
type slowPair struct {
	now   time.Duration
	net   *netem.Datagrams
	ports [2]*slowPort
	match [2]*tickback.Match[counter, uint32]
	// frame is the newest one that the first machine has shown, since at, and gap the longest time between two.
	frame   tickback.Frame
	at, gap time.Duration
}

var slowEpoch = time.Unix(1000, 0)

func newSlowPair(t *testing.T, step time.Duration, alone bool) *slowPair {
	t.Helper()
	p := &slowPair{}
	var err error
	if p.net, err = netem.NewDatagrams(2, 7, 0); err != nil {
		t.Fatal(err)
	}
	p.net.SetAll(netem.Link{Delay: 25 * time.Millisecond})
	for i := range p.match {
		p.ports[i] = &slowPort{pair: p, id: i}
		game, n := counting, uint32(0)
		if i == 1 {
			game.Step = func(s *counter, k *rollback.Tick[uint32]) {
				counting.Step(s, k)
				for range step / time.Millisecond {
					p.tick(t)
				}
			}
		}
		o := tickback.Options[counter, uint32]{Sample: func(tickback.Player) uint32 { n++; return n / 20 }}
		o.Advanced.Now = func() time.Time { return slowEpoch.Add(p.now) }
		switch {
		case !alone:
			o.Transport, o.Peers = p.ports[i], tickback.Mesh(tickback.Player(i), slowAddr(1-i))
			p.match[i], err = tickback.P2P(game, o)
		case i == 1:
			p.match[i], err = tickback.Local(game, o)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// tick advances the time by a millisecond, in which the first machine does what is due.
func (p *slowPair) tick(t *testing.T) {
	p.now += time.Millisecond
	for d, ok := p.net.Receive(p.now); ok; d, ok = p.net.Receive(p.now) {
		p.ports[d.To].waiting = append(p.ports[d.To].waiting, slowDatagram{append([]byte(nil), d.Payload...), d.From, slowEpoch.Add(d.At)})
	}
	m := p.match[0]
	if m == nil {
		return
	}
	update(t, m)
	m.Events()
	if f := m.View().Frame; f != p.frame {
		if p.now > 5*time.Second {
			p.gap = max(p.gap, p.now-p.at)
		}
		p.frame, p.at = f, p.now
	}
}

// play runs the slow machine for this long, after five seconds that do not count.
func (p *slowPair) play(t *testing.T, advance bool, length time.Duration) (pictures int, gap time.Duration) {
	t.Helper()
	const warm = 5 * time.Second
	m := p.match[1]
	for due := time.Duration(0); p.now < warm+length; {
		p.tick(t)
		if p.now < due {
			continue
		}
		before, at := m.View().Frame, p.now
		if advance {
			period, err := m.Advance()
			if err != nil {
				t.Fatal(err)
			}
			due = at + period
		} else {
			update(t, m)
		}
		m.Events()
		if p.now > warm && m.View().Frame != before {
			pictures++
		}
	}
	return pictures, p.gap
}

// slowPort is the transport of a machine of a slowPair.
type slowPort struct {
	pair    *slowPair
	id      int
	waiting []slowDatagram
}

type slowDatagram struct {
	bytes []byte
	from  int
	at    time.Time
}

func slowAddr(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)}), 7000)
}

func (p *slowPort) Send(to netip.AddrPort, b []byte) error {
	p.pair.net.Send(p.pair.now, p.id, int(to.Addr().As4()[3])-1, b)
	return nil
}

func (p *slowPort) Receive(buf []byte) (int, netip.AddrPort, time.Time, bool) {
	if len(p.waiting) == 0 {
		return 0, netip.AddrPort{}, time.Time{}, false
	}
	d := p.waiting[0]
	p.waiting = p.waiting[1:]
	return copy(buf, d.bytes), slowAddr(d.from), d.at, true
}

func (p *slowPort) Notify() <-chan struct{} { return nil }
func (p *slowPort) Close() error            { return nil }
