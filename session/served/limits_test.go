package served

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a client may send a limited number of datagrams, at once and over time; further ones are not read, and a
// client that has paused has its budget again.
func TestTheBudgetOfAClient(t *testing.T) {
	for _, period := range []time.Duration{time.Second, 50 * time.Millisecond, time.Second / 60} {
		var b budget
		read := func(now time.Duration, n int) (read int) {
			for range n {
				if !b.over(now, period) {
					b.spend(now, period)
					read++
				}
			}
			return read
		}
		now := time.Minute
		if n := read(now, 10_000); n != 257 {
			t.Errorf("%v: %d at once", period, n)
		}
		for range 20 {
			now += min(period, 50*time.Millisecond)
			if n := read(now, 1000); n != 32 {
				t.Errorf("%v: %d in a period", period, n)
			}
		}
		now += time.Hour
		if n := read(now, 10_000); n != 257 {
			t.Errorf("%v: %d after a pause", period, n)
		}
	}
}

// Rule: a client may acknowledge any state that it was sent, however many states lie between, and nothing else.
// States that are too old to be a baseline cannot be checked.
func TestWhatAClientMayHold(t *testing.T) {
	var h told
	if h.may(0) || h.may(5) {
		t.Error("nothing was told")
	}
	sent := map[Frame]bool{}
	f := Frame(3)
	for _, gap := range []Frame{0, 1, 1, 2, 0, 7, 63, 64, 65, 1, 500, 2, 3} {
		f += gap
		h.add(f)
		sent[f] = true
		for k := range f + 100 {
			want := sent[k] || k < f && f-k >= toldTicks
			if h.may(k) != want {
				t.Fatalf("told %d: may hold %d: %v", f, k, h.may(k))
			}
		}
	}
}

// Rule: for a client that takes each whole state and requests the next one at once, they begin once a second, and
// with at most 64 KB a second.
func TestHowOftenWholeStatesBeginThatAreAskedFor(t *testing.T) {
	for size, want := range map[int]time.Duration{1: time.Second, 64 << 10: time.Second, 64<<10 + 64: time.Second + time.Second/1024, 1 << 20: 16 * time.Second} {
		var w fullStates
		for now, row := time.Minute, 0; row < 5; row++ {
			if !w.due(now, 20*time.Millisecond, 0) {
				t.Fatalf("%d bytes, %d: none begins", size, row)
			}
			w.begin(Frame(row), make([]byte, size), now)
			for w.left.Next() != nil {
			}
			w.held(Frame(row))
			w.asked = true
			if now += want; w.due(now-1, 20*time.Millisecond, 0) {
				t.Errorf("%d bytes: the next one begins sooner than after %v", size, want)
			}
		}
	}
}

// Rule: whole states begin less and less often while none is taken, and at once when one is needed after one was
// taken.
func TestHowOftenWholeStatesBegin(t *testing.T) {
	var w fullStates
	now := time.Minute
	begun := func(d time.Duration) (at []time.Duration) {
		start := now
		for ; now < start+d; now += 10 * time.Millisecond {
			if w.due(now, 20*time.Millisecond, 0) {
				w.begin(Frame(now/time.Second), []byte{1}, now)
				w.left.Next()
				at = append(at, now-start)
			}
		}
		return at
	}
	if got, want := fmt.Sprint(begun(20*time.Second)), "[0s 250ms 750ms 1.75s 3.75s 7.75s 11.75s 15.75s 19.75s]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	w.held(w.number - 1) // an old one
	if n := len(begun(3 * time.Second)); n != 0 {
		t.Errorf("%d more", n)
	}
	w.held(w.number)
	if got := fmt.Sprint(begun(500 * time.Millisecond)); got != "[0s 250ms]" {
		t.Errorf("after one was taken: %s", got)
	}
	if w.due(now+time.Hour, 0, 1) {
		t.Error("one begins while bytes wait")
	}
	w.begin(9, []byte{1, 2}, now)
	if w.due(now+time.Hour, 0, 0) {
		t.Error("one begins while another one is on its way")
	}
	if b := w.left.Next(); len(b) != 2 || w.left.Next() != nil {
		t.Errorf("%v", b)
	}
	if w.due(now+59*time.Second, time.Minute, 0) || !w.due(now+time.Minute, time.Minute, 0) {
		t.Error("the time-out of the way does not count")
	}
}

// Rule: the server never sends an address more bytes than have come from there before it is proved.
func TestNothingIsAmplifiedBeforeAnAddressIsProved(t *testing.T) {
	g := newGate(t, func(c *ServerConfig) { c.Token = bytes.Repeat([]byte{7}, 16) })
	c := g.join(enemy)
	in, out := 0, 0
	seen := [][]byte{}
	g.tap = func(from, to netip.AddrPort, b []byte) bool {
		if to == serverAddr && b[0] == datagram.KindWatch {
			in += len(b)
			seen = append(seen, bytes.Clone(b))
		} else {
			out += len(b)
		}
		return to != serverAddr // it hears nothing: its address is a lie
	}
	g.each = func() {
		for _, b := range seen {
			g.server.Receive(g.now, netip.MustParseAddrPort(enemy), b)
			in += len(b)
		}
		seen = seen[:0]
		a := datagram.Attach{Nonce: 5, Players: 1, ID: 9}
		b := datagram.KeyOf(5, 6).Seal(a.Append(nil), 0, 0) // a cookie that is guessed
		in += len(b)
		g.server.Receive(g.now, netip.MustParseAddrPort(enemy), b)
	}
	g.run(5 * second)
	if out == 0 || out > in/2 {
		t.Errorf("%d bytes for %d", out, in)
	}
	if n := g.server.Counts(); n.Strangers < 4000 || n.Strangers > 20_000 || c.Phase() != session.Connecting {
		t.Errorf("%+v, %v", n, c.Phase())
	}
}

// Rule: a client that requests whole states endlessly gets few. What it gets in addition to the updates of an honest
// one is bounded, whether it holds nothing, claims so in each datagram in another way, or never continues from a
// state.
func TestWholeStatesCannotBeForced(t *testing.T) {
	const length = 20 * time.Second
	var honest int
	for i, lie := range []func(u *clientBody, n int){
		nil, // honest
		func(u *clientBody, _ int) { u.any = false },
		func(u *clientBody, n int) { u.plain = n%2 == 0 },
		func(u *clientBody, n int) { u.plain, u.any = n%2 == 0, n%3 == 0 },
		func(u *clientBody, n int) { u.state -= u.state % 64 },
	} {
		f := newFixtureOf(t, countGame(), nil)
		p, _ := f.other.Player()
		c := f.server.clients.of[p]
		n := 0
		f.mute = lie != nil
		f.each = func() {
			if lie == nil || f.now%(10*time.Millisecond) != 0 {
				return
			}
			n++
			u := clientBody{any: true, state: uint32(f.other.Known()), next: uint32(f.server.Frame())}
			lie(&u, n)
			f.as(u.append(nil))
		}
		before, wholes, last := c.pipe.Counts.SentBytes, 0, c.fullStates.at
		var up uint64
		each := f.each
		f.each = func() {
			each()
			if c.fullStates.at != last {
				wholes, last = wholes+1, c.fullStates.at
			}
			up = c.pipe.Counts.ReceivedBytes
		}
		began := up
		f.run(length)
		bytes := int(c.pipe.Counts.SentBytes - before)
		t.Logf("%d: %d bytes down, %d up, %d whole states, %+v", i, bytes, up-began, wholes, f.server.Counts())
		if lie == nil {
			honest = bytes
			continue
		}
		if bytes > 3*honest/2 || wholes > 20 {
			t.Errorf("%d: %d bytes, honestly it would be %d; %d whole states", i, bytes, honest, wholes)
		}
		f.unharmed()
	}
}

// Rule: datagrams of an earlier session are worthless in a later one, from the same address or another one, and are
// counted.
func TestAnEarlierSessionIsWorthNothing(t *testing.T) {
	g := newGate(t, nil)
	honest := g.enter("203.0.113.10:1", nil)
	var old [][]byte
	g.tap = func(from, _ netip.AddrPort, b []byte) bool {
		if from == netip.MustParseAddrPort(home) {
			old = append(old, bytes.Clone(b))
		}
		return false
	}
	first := g.enter(home, nil)
	first.Leave("")
	g.run(second)
	g.tap = nil
	for _, elsewhere := range []bool{false, true} {
		before := g.server.Counts()
		members := g.server.Members()
		for _, b := range old {
			g.server.Receive(g.now, netip.MustParseAddrPort(map[bool]string{false: home, true: enemy}[elsewhere]), b)
			g.run(time.Millisecond)
		}
		n := g.server.Counts()
		counted := n.Strangers - before.Strangers + n.Spent - before.Spent + n.Repeated - before.Repeated
		hellos := 0
		for _, b := range old {
			if b[0] == datagram.KindWatch {
				hellos++
			}
		}
		if g.server.Members() != members || int(counted) != len(old)-hellos {
			t.Errorf("%v play; of %d old datagrams %d are counted: %+v", g.server.Members(), len(old)-hellos, counted, n)
		}
	}
	// The same while a new session of the same machine goes on.
	again := g.enter(home, nil)
	p, _ := again.Player()
	before := g.server.Counts()
	sum := g.server.State().Sum[p]
	for _, b := range old {
		g.server.Receive(g.now, netip.MustParseAddrPort(home), b)
		g.run(time.Millisecond)
	}
	passed := int64(len(old)) / 20
	if n := g.server.Counts(); n.Spent <= before.Spent || n.Spent > before.Spent+uint64(len(old)) {
		t.Errorf("an old request of a client that plays is not counted: %+v", n)
	}
	if n := g.server.Counts(); n.Forged-before.Forged < uint64(len(old)*9/10) || n.Forged-before.Forged > uint64(len(old)) || g.server.State().Sum[p]-sum > passed+2 {
		t.Errorf("%+v; it has gained %d in %d ticks", n, g.server.State().Sum[p]-sum, passed)
	}
	if again.Phase() != session.Playing || honest.Phase() != session.Playing {
		t.Errorf("%v, %v", again.Err(), honest.Err())
	}
}

// Rule: a machine that guesses tokens gets only refusals, few of them, and each is counted.
func TestGuessedTokensAreCounted(t *testing.T) {
	g := newGate(t, func(c *ServerConfig) { c.Token = bytes.Repeat([]byte{7}, 16) })
	answers := 0
	for i := range 30 {
		c := g.joinAs(fmt.Sprintf("203.0.113.9:%d", i+1), func(c *ClientConfig) { c.Token = bytes.Repeat([]byte{byte(8 + i)}, 16) })
		g.run(300 * time.Millisecond)
		var refusal *admission.TokenError
		if errors.As(c.Err(), &refusal) {
			answers++
		}
	}
	if n := g.server.Counts(); n.Uninvited < 30 || n.Uninvited > 3000 || n.Refused != n.Uninvited || answers < 25 || g.server.Members() != 0 {
		t.Errorf("%d answers, %v: %+v", answers, g.server.Members(), n)
	}
}

// Rule: a machine with the ID of a client that is playing does not get its place, and is counted.
func TestAStolenIDIsWorthNothingWhileItsOwnerPlays(t *testing.T) {
	g := newGate(t, nil)
	owner := g.enter(home, func(c *ClientConfig) { c.ID = 77 })
	p, _ := owner.Player()
	thief := g.enter(enemy, func(c *ClientConfig) { c.ID = 77 })
	g.run(3 * second)
	if q, ok := thief.Player(); !ok || q == p || owner.Phase() != session.Playing {
		t.Errorf("the thief plays %d, the owner %d: %v", q, p, owner.Err())
	}
	if n := g.server.Counts(); n.Doubled != 1 {
		t.Errorf("%+v", n)
	}
}

// Rule: a client that holds a whole state gets the next one at once, if it needs one.
func TestAClientThatTakesItsStateHasAsked(t *testing.T) {
	f := newFixture(t)
	for _, c := range f.server.clients.list {
		if c.fullStates.at == 0 || c.fullStates.row != 0 || !c.fullStates.left.Done() || !c.view.any {
			t.Errorf("%+v, %+v", c.fullStates, c.view)
		}
	}
}

// Rule: the faults of a client that has left count for the server; none gets lost.
func TestFaultsAreAddedUp(t *testing.T) {
	var one, sum Faults
	v := reflect.ValueOf(&one).Elem()
	for i := range v.NumField() {
		v.Field(i).SetUint(uint64(i + 1))
	}
	for n := uint64(1); n <= 3; n++ {
		sum.add(&one)
		for i := range v.NumField() {
			if got := reflect.ValueOf(sum).Field(i).Uint(); got != n*uint64(i+1) {
				t.Errorf("%s is %d after %d clients", v.Type().Field(i).Name, got, n)
			}
		}
	}
	f := newFixture(t)
	for range 5 {
		f.server.Receive(f.now, otherAddr, []byte{0x48, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	}
	for _, gone := range []bool{false, true} {
		if n := f.server.Counts(); n.Forged != 5 {
			t.Errorf("%d are forged; it has gone: %v", n.Forged, gone)
		}
		f.other.Leave("")
		f.run(100 * time.Millisecond)
	}
	if len(f.server.clients.list) != 1 {
		t.Errorf("%d clients", len(f.server.clients.list))
	}
}

// Rule: inputs of later ticks than the server waits for start anew, from zeros; earlier ones no longer count, and are
// no violation. Anything beyond all limits leaves everything as it is.
func TestInputsAfterAGapBeginAnew(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	c := f.server.clients.of[p]
	f.run(time.Second)
	next := c.inputs.Next()
	for _, u := range []struct{ next, count, then uint32 }{
		{next + maxAhead + 9, 2, next},
		{next + 7, 2, next + 7},
		{next + 1, 5, next + 7},
		{next + 7, 2, next + 7},
		{next + 8, 1, next + 8},
	} {
		head := clientBody{next: u.next, count: u.count}
		f.say(head.append(nil))
		if c.gone != "" || c.inputs.Next() != u.then {
			t.Errorf("%d inputs to %+d: %q, and the server waits for %+d", u.count, u.next-next, c.gone, c.inputs.Next()-next)
		}
	}
	for _, f := range []uint32{next + 4, next + 5, next + 6} {
		if in := c.inputs.At(f); in[0] != 0 {
			t.Errorf("in tick %+d is %d", f-next, in)
		}
	}
}

// Rule: a client that holds the last state gets the outcome in every tick until it has that, too.
func TestTheOutcomeIsRepeated(t *testing.T) {
	for _, states := range []int{0, 1} { // one per tick, and one per second as long as the match goes on
		outcomeIsRepeated(t, states)
	}
}

func outcomeIsRepeated(t *testing.T, states int) {
	f := newFixtureOf(t, countGame(), func(c *ServerConfig, _ *ServerHooks[count, uint16]) { c.Match.Frames, c.States = 150, states })
	p, _ := f.other.Player()
	for f.server.Frame() < 149 {
		f.run(time.Millisecond)
	}
	f.mute = true // it acknowledges nothing more
	for f.server.Phase() == session.Playing {
		f.run(time.Millisecond)
	}
	told := map[netip.AddrPort]int{}
	f.tap = func(_, to netip.AddrPort, _ []byte) { told[to]++ }
	f.each = func() { f.server.clients.of[p].view.newest = 150 }
	f.run(time.Second)
	if n := told[otherAddr]; n < 49 || n > 52 {
		t.Errorf("in 50 ticks it is told %d times", n)
	}
	if n := told[honestAddr]; n > 8 {
		t.Errorf("who has everything is told %d times", n)
	}
}

// Rule: a byte of next means a number from 192 below to 63 above the newest state that is known.
func TestWhatAByteOfNextMeans(t *testing.T) {
	for _, c := range []struct{ newest, next, read uint32 }{
		{1000, 808, 808}, {1000, 807, 1063}, {1000, 1063, 1063}, {1000, 1064, 808}, {1000, 1000, 1000}, {255, 256, 256}, {256, 255, 255},
	} {
		var d serverBody
		if err := d.consume([]byte{downNear | downUpdate, byte(c.next)}, c.newest); err != nil || d.next != c.read {
			t.Errorf("%d at %d is read as %d, want %d: %v", c.next, c.newest, d.next, c.read, err)
		}
	}
}

// Rule: the server counts each state that a client claims to hold and was not sent, and the replaced inputs of
// players in the match.
func TestWhatIsCountedOfThoseWhoPlay(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	before := f.server.Counts()
	for range 3 {
		u := clientBody{any: true, state: uint32(f.server.Frame()) + 1, next: uint32(f.server.Frame())}
		f.say(u.append(nil))
	}
	f.mute = true
	f.run(time.Second)
	now, other := f.server.Counts(), uint64(0)
	for q := range Player(2) {
		n, _ := f.server.Client(q)
		other += n.Replaced
	}
	of, _ := f.server.Client(p)
	if now.Unsent-before.Unsent != 3 || of.Faults.Unsent != 3 || now.Replaced != other || now.Replaced-before.Replaced < 40 {
		t.Errorf("was %+v\nis %+v\nof the client %+v", before, now, of)
	}
}

// Rule: a client that has slept continues at the server's time, and its inputs are in time again.
func TestAClientThatHasSleptGoesOnInTime(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	f.mute = true
	f.run(2 * time.Second)
	f.mute = false
	f.run(time.Second)
	before, _ := f.server.Client(p)
	f.run(time.Second)
	after, _ := f.server.Client(p)
	if n := f.other.Counts(); n.Skipped < 50 || n.Skipped > 110 || after.Inputs-before.Inputs < 49 || after.Replaced != before.Replaced {
		t.Errorf("%d ticks are left out; in a second %d inputs came and %d did not", n.Skipped, after.Inputs-before.Inputs, after.Replaced-before.Replaced)
	}
}

// Rule: inputs that arrive together, because some datagrams were lost, have margins that count; but of nine or more
// only that of the last one does: no lead helps against an interruption.
func TestHowManyInputsOfADatagramSayHowEarlyTheyAre(t *testing.T) {
	for fresh, want := range map[uint32]int{1: 1, 8: 8, 9: 1, 20: 1} {
		f := newFixture(t)
		f.mute = true
		f.run(time.Second)
		p, _ := f.other.Player()
		for {
			if _, ok := f.server.sequencer.TakeMargin(p); !ok {
				break
			}
		}
		h := f.sequel()
		from := h.Next()
		for range fresh {
			h.Push([]byte{1, 0})
		}
		f.give(&h, from, h.Next())
		n := 0
		for {
			if _, ok := f.server.sequencer.TakeMargin(p); !ok {
				break
			}
			n++
		}
		if n != want {
			t.Errorf("%d of %d say it", n, fresh)
		}
	}
}

// Rule: orders are accepted for a tick up to 240 ahead of the next one to close, and for no later one: that is
// counted, and has no other effect. Accepted orders take effect in their tick.
func TestOrdersAheadHaveABound(t *testing.T) {
	for _, c := range []struct {
		ahead Frame
		taken bool
	}{{0, true}, {1, true}, {239, true}, {240, true}, {241, false}, {242, false}, {1 << 16, false}, {1 << 31, false}} {
		f := newFixture(t)
		f.mute = true
		p, _ := f.other.Player()
		k := f.server.clients.of[p]
		next := f.server.sequencer.Next()
		if err := f.other.server.pipe.Channel.Send(appendOrders(nil, next+c.ahead, press)); err != nil {
			t.Fatal(err)
		}
		f.say((&clientBody{next: uint32(next)}).append(nil))
		if taken := len(k.orders) == 1 && k.orders[0].tick == next+c.ahead; taken != c.taken {
			t.Errorf("%d ahead: taken %v", c.ahead, taken)
		}
		want := uint64(0)
		if !c.taken {
			want = 1
		}
		if n := f.server.Counts(); n.Orders != want || n.Broken != 0 || f.server.clients.of[p] != k {
			t.Errorf("%d ahead: %+v", c.ahead, n)
		}
		if got := k.ordersOf(next + c.ahead - 1); c.ahead > 0 && got != nil {
			t.Errorf("%d ahead: it counts a tick before", c.ahead)
		}
		if got := k.ordersOf(next + c.ahead); (got != nil) != c.taken {
			t.Errorf("%d ahead: in its tick there are %x", c.ahead, got)
		}
	}
}

// Rule: orders are accepted for ticks up to maxAhead after the next one, and held until then; those for later ones
// gain nothing, and are counted.
func TestHowFarAheadOrdersAreTaken(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	c := f.server.clients.of[p]
	f.run(time.Second)
	for _, o := range []struct {
		ahead Frame
		taken bool
	}{{maxAhead, true}, {maxAhead + 1, false}, {1 << 20, false}, {0, true}} {
		held, faults := len(c.orders), c.faults.Orders
		if err := f.other.server.pipe.Channel.Send(appendOrders(nil, f.server.sequencer.Next()+o.ahead, press)); err != nil {
			t.Fatal(err)
		}
		f.say(nil)
		switch {
		case o.taken && (len(c.orders) != held+1 || c.faults.Orders != faults), !o.taken && (len(c.orders) != held || c.faults.Orders != faults+1):
			t.Errorf("%d ticks ahead: %d are held, and %d were; %d faults, and there were %d", o.ahead, len(c.orders), held, c.faults.Orders, faults)
		}
	}
	if c.gone != "" {
		t.Error(c.gone)
	}
}

// Rule: sixteen players with inputs of the largest size play a match at a server, and see the same.
func TestSixteenClientsWithTheLargestInputs(t *testing.T) {
	type big [64]byte
	type mixed struct {
		Tick uint64
		Mix  [rollback.MaxPlayers]uint64
	}
	game := rollback.Game[mixed, big]{Step: func(s *mixed, tick *rollback.Tick[big]) {
		s.Tick++
		for p := range tick.Players() {
			for _, b := range tick.Input(p) {
				s.Mix[p] = s.Mix[p]*31 + uint64(b)
			}
		}
	}}
	about := Game{ID: "big", Players: rollback.MaxPlayers, TickRate: 20}
	n := uint64(1)
	random := func() uint64 { n = n*6364136223846793005 + 1442695040888963407; return n }
	server, err := NewServer(game, ServerConfig{Game: about, Random: random, Match: session.Parameters{Frames: 60}}, ServerHooks[mixed, big]{})
	if err != nil {
		t.Fatal(err)
	}
	var clients []*Client[mixed, big]
	place := func(i int) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, byte(i), 1}), 7000)
	}
	for i := range rollback.MaxPlayers {
		c, err := NewClient(game, ClientConfig{Game: about, Server: serverAddr, Random: random}, ClientHooks[mixed, big]{Sample: func(Player) (in big) {
			for k := range in {
				in[k] = byte(i + k)
			}
			return in
		}})
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, c)
	}
	for now := time.Duration(0); now < 6*time.Second; now += 2 * time.Millisecond {
		updateAll(server, now)
		for to, b := range server.Outgoing() {
			if len(b) > 1200 {
				t.Fatalf("a datagram of %d bytes", len(b))
			}
			for i, c := range clients {
				if to == place(i) {
					c.Receive(now, serverAddr, b)
				}
			}
		}
		for i, c := range clients {
			updateAll(c, now)
			for _, b := range c.Outgoing() {
				server.Receive(now, place(i), bytes.Clone(b))
			}
		}
	}
	want := server.Final()
	if want == nil || want.Tick != 60 {
		t.Fatalf("the server is at tick %d, %v", server.Frame(), server.Err())
	}
	for i, c := range clients {
		if got := c.Final(); got == nil || *got != *want {
			t.Errorf("client %d has %+v, %v, and the server %+v", i, got, c.Err(), want)
		}
	}
	for p, mix := range want.Mix {
		if mix == 0 {
			t.Errorf("player %d has done nothing", p)
		}
	}
}
