package sequencer

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session/pace"
)

// way is the path of a client's datagrams, in both directions, and how often it sends them.
type way struct {
	delay, jitter time.Duration // one way; the jitter is exponential, and reorders
	loss          int           // percent
	perTick       int           // datagrams up
}

func (w way) String() string {
	return fmt.Sprintf("one way %v, jitter %v, loss %d %%, %d a tick", w.delay, w.jitter, w.loss, w.perTick)
}

func (w way) link() netem.Link {
	l := netem.Link{Loss: netem.PPM(w.loss) * netem.Percent, Delay: w.delay, Reorder: true}
	if w.jitter > 0 {
		l.Jitter, l.Distribution = w.jitter, netem.Exponential
	}
	return l
}

const (
	worldRate   = 20
	worldPeriod = time.Second / worldRate
	// sentTicks is the number of newest inputs in a datagram.
	sentTicks = 12
)

// parcel is a datagram: up, the newest tick; down, margins.
type parcel struct {
	newest  Frame
	margins []Margin
}

// world is a server with a client, in virtual time.
type world struct {
	t       testing.TB
	way     way
	net     *netem.Network[parcel]
	server  *Sequencer
	tick    time.Duration // when the server closes the next tick
	lead    pace.Lead
	frame   Frame           // the next that the client makes
	due     time.Duration   // when
	again   []time.Duration // when it sends once more
	offsets [4096]time.Duration

	drift      time.Duration // how much longer a period of the client takes than the client believes
	newestOnly bool          // of several margins, only that of the newest input is reported

	missed []bool // by tick
	leads  []time.Duration
}

func newWorld(t testing.TB, w way, seed uint64) *world {
	net, err := netem.New(2, seed, netem.Options[parcel]{})
	if err != nil {
		t.Fatal(err)
	}
	server, err := New(Config{Width: 1, Rate: worldRate, Ahead: 64})
	if err != nil {
		t.Fatal(err)
	}
	server.Join(0, 0)
	out := &world{t: t, way: w, net: net, server: server}
	out.change(w.link(), w.link())
	return out
}

// change changes the properties of the two directions.
func (w *world) change(up, down netem.Link) {
	for _, err := range []error{w.net.SetLink(1, 0, up), w.net.SetLink(0, 1, down)} {
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// run plays up to a time.
func (w *world) run(until time.Duration) {
	for {
		now := min(w.tick, w.due, until)
		if len(w.again) > 0 {
			now = min(now, w.again[0])
		}
		if at, any := w.net.Next(); any {
			now = min(now, at)
		}
		for d, any := w.net.Receive(now); any; d, any = w.net.Receive(now) {
			w.receive(now, d)
		}
		switch {
		case now == until:
			return
		case now == w.tick:
			w.close(now)
		case now == w.due:
			w.make(now)
		case len(w.again) > 0 && now == w.again[0]:
			w.again = w.again[1:]
			w.send(now)
		}
	}
}

func (w *world) receive(now time.Duration, d netem.Delivery[parcel]) {
	if d.To == 0 {
		for i := range Frame(sentTicks) {
			if d.Payload.newest >= i {
				w.server.Add(0, d.Payload.newest-i, []byte{1}, now)
			}
		}
		return
	}
	for _, m := range d.Payload.margins {
		w.lead.SetRemote(worldPeriod, w.offsets[m.Tick%4096], m.Early)
	}
}

func (w *world) close(now time.Duration) {
	_, replaced := w.server.Close(w.server.Next(), now)
	w.tick += worldPeriod
	w.missed = append(w.missed, replaced.Has(0))
	var p parcel
	for m, any := w.server.TakeMargin(0); any; m, any = w.server.TakeMargin(0) {
		p.margins = append(p.margins, m)
	}
	if w.newestOnly && len(p.margins) > 0 {
		p.margins = []Margin{slices.MaxFunc(p.margins, func(a, b Margin) int { return cmp.Compare(a.Tick, b.Tick) })}
	}
	w.net.Send(now, 0, 1, 100, p)
}

func (w *world) make(now time.Duration) {
	w.leads = append(w.leads, time.Duration(w.frame)*worldPeriod-now)
	clock := now - time.Duration(w.frame)*w.drift // what the client thinks
	offset := time.Duration(w.frame)*worldPeriod - clock
	w.offsets[w.frame%4096] = offset
	w.frame++
	period := w.lead.Period(worldPeriod, offset)
	w.due += period + w.drift
	for i := 1; i < w.way.perTick; i++ {
		w.again = append(w.again, now+period*time.Duration(i)/time.Duration(w.way.perTick))
	}
	w.send(now)
}

func (w *world) send(now time.Duration) { w.net.Send(now, 1, 0, 100, parcel{newest: w.frame - 1}) }

// missing returns how many of the ticks that are due from one time to another were missing, and
// how many there are.
func (w *world) missing(from, to time.Duration) (missing, of int) {
	ticks := w.missed[from/worldPeriod : to/worldPeriod]
	for _, m := range ticks {
		if m {
			missing++
		}
	}
	return missing, len(ticks)
}

// beyond returns how much more than the delay of the way the client was ahead, on average, in
// the ticks from one time to another.
func (w *world) beyond(from, to time.Duration) time.Duration {
	sum, list := time.Duration(0), w.leads[from/worldPeriod:to/worldPeriod]
	for _, l := range list {
		sum += l - w.way.delay
	}
	return sum / time.Duration(len(list))
}
