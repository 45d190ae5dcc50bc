package membership

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// scenario is a small match: how it begins, and what may happen once, at any time.
type scenario struct {
	name     string
	members  int       // members 0 to members-1, of one player each
	joiner   bool      // and player 3, who may come
	sent     Frame     // all players have sent their inputs before this frame
	next     [][]Frame // what peers hold at first; 10 of each player if it says nothing
	floor    []Frame
	run      Frame // peers run up to here
	retries  byte  // how many refused attempts may be tried again
	config   Config
	parted   PlayerSet // nothing gets from them to others, nor back, after the first event
	events   []event
	sabotage func(l *local) // after each action of a peer: for the negative controls
	loose    bool           // what is for ever is no violation
}

// event happens once, at any time after another one.
type event struct {
	who   int
	what  string
	after int // which event has to come first, + 1; 0: none
	do    func(c *Core)
	crash bool
	anew  bool // the machine comes back with nothing, and learns the position of the log of member 0
}

// world is a state of all peers and of everything in flight, made of interned parts.
type world struct {
	peers   [4]int32
	queues  [4][4][]int32
	done    uint32 // events
	retries byte
}

// explorer visits all worlds that can be reached, in the order of their distance.
type explorer struct {
	sc       *scenario
	n        int
	locals   []*local
	localIDs map[string]int32
	packets  []string
	parsed   []message // fills are messages of no kind
	packetID map[string]int32
	steps    map[stepKey]stepResult

	seen   map[string]struct{}
	worlds []string
	parent []int32
	action []action
	limit  int
	quiet  int // worlds in which nothing more can happen
}

type stepKey struct {
	peer, packet int32 // packet: what arrives, or less than 0 for something else
	from         int8
}

type stepResult struct {
	peer int32
	out  []routed
	err  error
	ok   bool
}

type routed struct {
	to     int8
	packet int32
}

func newExplorer(sc *scenario, limit int) *explorer {
	x := &explorer{sc: sc, n: sc.members, limit: limit, localIDs: map[string]int32{}, packetID: map[string]int32{}, steps: map[stepKey]stepResult{}, seen: map[string]struct{}{}}
	if sc.joiner {
		x.n++
	}
	return x
}

func (x *explorer) set(i int) PlayerSet {
	if i == x.sc.members {
		return 1 << 3
	}
	return 1 << i
}

func (x *explorer) index(s PlayerSet) int {
	for i := range x.n {
		if x.set(i) == s {
			return i
		}
	}
	panic(fmt.Sprint("a message to ", s))
}

// begin returns the world in which all members have sent their first claim.
func (x *explorer) begin() world {
	var members []PlayerSet
	for i := range x.sc.members {
		members = append(members, 1<<i)
	}
	s := Begin(members, 1<<3&^(1<<x.sc.members-1))
	var w world
	for i := range x.n {
		l := &local{up: true, floor: 5}
		for p := range l.next {
			if l.next[p] = 10; i < len(x.sc.next) && len(x.sc.next[i]) > 0 {
				l.next[p] = x.sc.next[i][p%4]
			}
		}
		if i < len(x.sc.floor) {
			l.floor = x.sc.floor[i]
		}
		cfg := x.sc.config
		if i == x.sc.members {
			cfg.ID = 7
		}
		l.begin(x.set(i), s, cfg)
		w.peers[i] = x.intern(l)
	}
	for i := range x.n {
		x.local(&w, i, -1, -1, func(l *local) (bool, error) { l.poll(); return true, nil })
	}
	for moved := true; moved; {
		moved = false
		for i := range x.n {
			for j := range x.n {
				for len(w.queues[i][j]) > 0 {
					moved = true
					x.deliver(&w, i, j)
				}
			}
		}
	}
	return w
}

func (x *explorer) intern(l *local) int32 {
	key := string(l.encode())
	if id, ok := x.localIDs[key]; ok {
		return id
	}
	id := int32(len(x.locals))
	x.locals, x.localIDs[key] = append(x.locals, l), id
	l.before = nil
	s := l.base
	for _, e := range l.core.log.kept {
		l.before = append(l.before, s)
		if why := s.apply(e); why != "" {
			panic(why) // Core.learn has applied it
		}
	}
	return id
}

func (x *explorer) packet(s string) int32 {
	if id, ok := x.packetID[s]; ok {
		return id
	}
	id := int32(len(x.packets))
	x.packets, x.packetID[s] = append(x.packets, s), id
	m, err := parse([]byte(s), ofAll)
	if err != nil {
		m.what = messages
	}
	x.parsed = append(x.parsed, m)
	return id
}

// local performs an action at a peer, and puts the messages that it sends in flight.
// The action is identified by packet and from, so that it is computed only once for a
// state of a peer.
func (x *explorer) local(w *world, i int, packet int32, from int8, do func(l *local) (bool, error)) (bool, error) {
	key := stepKey{w.peers[i], packet, from}
	r, ok := x.steps[key]
	if !ok {
		l := x.locals[w.peers[i]].clone()
		before := l.core.log.state.Slot
		r.ok, r.err = do(l)
		l.noteAlone(before, packet >= 0 && x.parsed[packet].decides(before))
		if x.sc.sabotage != nil && l.up {
			x.sc.sabotage(l)
		}
		for _, s := range l.drain() {
			r.out = append(r.out, routed{int8(x.index(s.to)), x.packet(s.packet)})
		}
		r.peer = x.intern(l)
		x.steps[key] = r
	}
	w.peers[i] = r.peer
	for _, o := range r.out {
		if x.sc.parted.Has(Player(i)) != x.sc.parted.Has(Player(o.to)) && w.done != 0 {
			continue
		}
		q := &w.queues[i][o.to]
		*q = append((*q)[:len(*q):len(*q)], o.packet)
	}
	return r.ok, r.err
}

func (x *explorer) deliver(w *world, i, j int) error {
	packet := w.queues[i][j][0]
	w.queues[i][j] = w.queues[i][j][1:]
	_, err := x.local(w, j, packet, int8(i), func(l *local) (bool, error) { return true, l.receive(x.set(i), x.packets[packet]) })
	return err
}

// prune removes packets that will have no effect when they arrive.
func (x *explorer) prune(w *world) {
	for i := range x.n {
		for j := range x.n {
			for q := &w.queues[i][j]; len(*q) > 0 && x.locals[w.peers[j]].inert(x.set(i), &x.parsed[(*q)[0]]); {
				*q = (*q)[1:]
			}
		}
	}
}

func (x *explorer) encode(w *world) string {
	b := make([]byte, 0, 96)
	for i := range x.n {
		b = binary.AppendUvarint(b, uint64(w.peers[i]))
		for j := range x.n {
			if i != j {
				b = binary.AppendUvarint(b, uint64(len(w.queues[i][j])))
				for _, p := range w.queues[i][j] {
					b = binary.AppendUvarint(b, uint64(p))
				}
			}
		}
	}
	return string(append(binary.AppendUvarint(b, uint64(w.done)), w.retries))
}

func (x *explorer) decode(s string) (w world) {
	b := []byte(s)
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return v
	}
	for i := range x.n {
		w.peers[i] = int32(number())
		for j := range x.n {
			if i != j {
				for range number() {
					w.queues[i][j] = append(w.queues[i][j], int32(number()))
				}
			}
		}
	}
	w.done = uint32(number())
	w.retries = b[0]
	return w
}

// action is what leads from one world to the next.
type action struct {
	what   byte
	i, j   int8
	packet int32 // or which event
}

const (
	actBegin = byte(iota)
	actDeliver
	actLose
	actEvent
	actRetry
	actGrace
	actWaited
	actRun
	actTake // from player what - actTake
)

// successors calls yield with every world that can be next.
func (x *explorer) successors(w *world, yield func(next *world, a action, err error)) {
	for i := range x.n {
		for j := range x.n {
			if len(w.queues[i][j]) == 0 {
				continue
			}
			next, packet := *w, w.queues[i][j][0]
			err := x.deliver(&next, i, j)
			if x.split(&next) {
				err = nil // a message of one match is refused in another, and its sender is given up
			}
			yield(&next, action{actDeliver, int8(i), int8(j), packet}, err)
			if !x.locals[w.peers[i]].up {
				lost := *w
				lost.queues[i][j] = nil
				yield(&lost, action{actLose, int8(i), int8(j), 0}, nil)
			}
		}
	}
	for k := range x.sc.events {
		e := &x.sc.events[k]
		if w.done&(1<<k) == 0 && (e.after == 0 || w.done&(1<<(e.after-1)) != 0) && (!e.anew || x.vacant(w, e.who)) {
			next := *w
			next.done |= 1 << k // before it tells anybody
			x.happen(&next, k, e)
			yield(&next, action{actEvent, int8(e.who), 0, int32(k)}, nil)
		}
	}
	for i := range x.n {
		if l := x.locals[w.peers[i]]; l.up {
			x.alone(w, i, l, yield)
		}
	}
}

// vacant reports whether a machine is down, and member 0 has no member in its place.
func (x *explorer) vacant(w *world, who int) bool {
	host := x.locals[w.peers[0]]
	return !x.locals[w.peers[who]].up && host.up && host.core.role == voting && host.core.log.state.All()&x.set(who) == 0
}

// comeBack switches a machine on again, as another incarnation with new connections: it
// has what member 0 has run, and nothing that is on the way.
func (x *explorer) comeBack(w *world, who int) {
	host := x.locals[w.peers[0]]
	l := &local{up: true, floor: host.floor, next: host.next}
	for p := range host.core.log.state.All().All() {
		l.next[p] = host.floor
	}
	cfg := x.sc.config
	cfg.ID = 9
	l.begin(x.set(who), host.core.log.state, cfg)
	w.peers[who] = x.intern(l)
	for i := range x.n {
		w.queues[i][who], w.queues[who][i] = nil, nil
	}
	_, _ = x.local(w, who, -1, -1, func(l *local) (bool, error) { l.poll(); return true, nil })
}

func (x *explorer) happen(w *world, k int, e *event) {
	if e.anew {
		x.comeBack(w, e.who)
		return
	}
	if !x.locals[w.peers[e.who]].up {
		return
	}
	_, _ = x.local(w, e.who, int32(-100-k), -1, func(l *local) (bool, error) {
		if e.crash {
			l.up = false
			return true, nil
		}
		e.do(l.core)
		l.poll()
		return true, nil
	})
}

// alone is what a peer can do by itself.
func (x *explorer) alone(w *world, i int, l *local, yield func(*world, action, error)) {
	try := func(what byte, do func(l *local) bool) {
		next := *w
		if ok, err := x.local(&next, i, -int32(what)-1, -1, func(l *local) (bool, error) { return do(l), nil }); ok {
			if what == actRetry {
				next.retries++
			}
			yield(&next, action{what, int8(i), 0, 0}, err)
		}
	}
	for p := range Player(4) {
		if l.takes(p, x.sc.sent) {
			try(actTake+byte(p), func(l *local) bool { return l.take(p, x.sc.sent) })
		}
	}
	if timer(l.core.synod.attempt.retryAt) == 2 && w.retries < x.sc.retries {
		try(actRetry, func(l *local) bool { l.core.synod.attempt.retryAt = 0; l.poll(); return true })
	}
	if timer(l.core.detector.graceEnd) == 2 {
		try(actGrace, func(l *local) bool { l.core.detector.graceEnd = 0; l.poll(); return true })
	}
	if timer(l.core.synod.beginAt) == 2 {
		try(actWaited, func(l *local) bool { l.core.synod.beginAt = 0; l.poll(); return true })
	}
	if l.floor < min(x.sc.run, l.core.Gate()) {
		try(actRun, func(l *local) bool { l.floor++; l.poll(); return true })
	}
}

// describe says what an action is.
func (x *explorer) describe(a action) string {
	switch a.what {
	case actBegin:
		return "begin"
	case actDeliver:
		return fmt.Sprintf("%d gets of %d: %s", a.j, a.i, content(x.packets[a.packet]))
	case actLose:
		return fmt.Sprintf("what %d has sent to %d is lost", a.i, a.j)
	case actEvent:
		return fmt.Sprintf("%d %s", a.i, x.sc.events[a.packet].what)
	case actRetry:
		return fmt.Sprintf("%d tries again", a.i)
	case actGrace:
		return fmt.Sprintf("%d: grace is over", a.i)
	case actWaited:
		return fmt.Sprintf("%d waits no longer for who is lower", a.i)
	case actRun:
		return fmt.Sprintf("%d runs a frame", a.i)
	}
	return fmt.Sprintf("%d takes an input of player %d", a.i, a.what-actTake)
}

// content says what is in a packet.
func content(packet string) string {
	b := []byte(packet)
	if b[0] == fillMark {
		return fmt.Sprintf("fill of player %d", b[1])
	}
	m, _ := parse(b, ofAll)
	if m.what == tellClaim {
		return fmt.Sprintf("slot %d, claim: accuses %v, has stopped %v, holds %v, intends %v of %v", m.slot,
			m.claim.accused, m.claim.stopped, m.claim.held[:4], m.claim.intent.kind, m.claim.intent.players)
	}
	name := [...]string{"claim", "prepare", "promise", "refuse", "accept", "accepted", "chosen"}[m.what]
	return fmt.Sprintf("slot %d, %s %d %v", m.slot, name, m.ballot, m.entry)
}

// explore visits all worlds, up to the limit, and returns a violation with the
// shortest way to it.
func (x *explorer) explore() error {
	first := x.begin()
	x.add(&first, -1, action{})
	var found error
	for at := int32(0); int(at) < len(x.worlds) && len(x.worlds) < x.limit && found == nil; at++ {
		w := x.decode(x.worlds[at])
		if x.sc.joiner && x.split(&w) {
			continue // there are two matches, and one of them has the newcomer
		}
		idle := true
		x.successors(&w, func(next *world, a action, err error) {
			idle = false
			x.prune(next)
			if x.add(next, at, a) && err == nil {
				err = x.check(next)
			}
			if err != nil && found == nil {
				found = fmt.Errorf("%w\n%s", err, x.trace(at, a, next))
			}
		})
		if idle && found == nil {
			x.quiet++
			if err := x.settled(&w); err != nil && !x.sc.loose {
				found = fmt.Errorf("%w\n%s", err, x.trace(x.parent[at], x.action[at], &w))
			}
		}
	}
	return found
}

// add keeps a world, if it is a new one.
func (x *explorer) add(w *world, parent int32, a action) bool {
	key := x.encode(w)
	if _, ok := x.seen[key]; ok {
		return false
	}
	x.seen[key] = struct{}{}
	x.worlds, x.parent, x.action = append(x.worlds, key), append(x.parent, parent), append(x.action, a)
	return true
}

// trace prints the way to a world.
func (x *explorer) trace(at int32, last action, w *world) string {
	way := []action{last}
	for ; at > 0; at = x.parent[at] {
		way = append(way, x.action[at])
	}
	slices.Reverse(way)
	var b strings.Builder
	for _, a := range way {
		fmt.Fprintf(&b, "  %s\n", x.describe(a))
	}
	for i := range x.n {
		fmt.Fprintf(&b, "  then %v\n", x.locals[w.peers[i]])
	}
	return b.String()
}
