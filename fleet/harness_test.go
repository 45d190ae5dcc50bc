package fleet

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

var seedFlag = flag.Uint64("fleet.seed", 0, "replay the random tests with this seed")

// seedOf returns the seed of a random test: that of the flag, or the given one.
func seedOf(tb testing.TB, seed uint64) uint64 {
	if *seedFlag != 0 {
		seed = *seedFlag
	}
	tb.Helper()
	tb.Logf("replay with -fleet.seed=%d", seed)
	return seed
}

// ledger is a game that remembers everything: any input, order or status that
// is lost, doubled or displaced changes its state for ever.
type ledger struct {
	Frame, Bias uint32
	Mix         [session.MaxPlayers]uint64
}

// note is an input: the number of the sample. It changes with every sample.
type note uint32

const prime = 0x9E3779B97F4A7C15

// ledgerGame is the game. spoil, if given, is called in every step, and may change
// the state.
func ledgerGame(spoil func(l *ledger)) rollback.Game[ledger, note] {
	return rollback.Game[ledger, note]{
		Step: func(l *ledger, t *rollback.Tick[note]) {
			l.Frame++
			for p := range t.Players() {
				m := (l.Mix[p] ^ uint64(t.Input(p))) * prime
				for _, b := range t.Orders(p) {
					m = (m ^ uint64(b)) * prime
				}
				if t.Status(p) == rollback.Disconnected {
					m = ^m
				}
				l.Mix[p] = m
			}
			if spoil != nil {
				spoil(l)
			}
		},
	}
}

// finishingGame is a ledger that ends by itself: when player 1 has given its n-th
// input, which others only predict.
func finishingGame(n note) rollback.Game[ledger, note] {
	g := ledgerGame(nil)
	step := g.Step
	g.Step = func(l *ledger, t *rollback.Tick[note]) {
		if step(l, t); t.Input(1) >= n {
			t.Finish(4242)
		}
	}
	return g
}

// agreedFrame is one frame of the agreed stream of a peer.
type agreedFrame struct {
	inputs   []note
	orders   [][]byte
	statuses []rollback.Status
	hash     uint64
	hashed   bool
}

// lab is a fleet under watch.
type lab struct {
	testing.TB
	*Fleet[ledger, note]
	setup  Setup[ledger, note]
	agreed [][][]agreedFrame // by peer and match, from 0 on
	seen   []session.Frame   // newest agreed frame count seen by peer
}

// option changes a Setup before the fleet is made.
type option func(s *Setup[ledger, note])

// newLab makes a fleet whose peers play the ledger. Every agreed stream is kept.
func newLab(tb testing.TB, players int, options ...option) *lab {
	tb.Helper()
	l := &lab{TB: tb}
	s := Setup[ledger, note]{
		Game: ledgerGame(nil), Players: players, Seed: 1,
		Input: func(_ rollback.Player, n int) note { return note(n + 1) },
	}
	for _, o := range options {
		o(&s)
	}
	if s.Seats == nil {
		for p := range players {
			s.Seats = append(s.Seats, rollback.SetOf(rollback.Player(p)))
		}
	}
	peers := len(s.Seats)
	l.agreed, l.seen = make([][][]agreedFrame, peers), make([]session.Frame, peers)
	hooks := s.Hooks
	s.Hooks = func(peer int, h *session.Hooks[ledger, note]) {
		h.Agreed = func(a *rollback.Agreed[note]) { l.record(peer, a) }
		if hooks != nil {
			hooks(peer, h)
		}
	}
	l.setup = s
	var err error
	if l.Fleet, err = New(s); err != nil {
		tb.Fatal(err)
	}
	return l
}

// record checks that the agreed stream of a peer has every frame once, in order.
func (l *lab) record(peer int, a *rollback.Agreed[note]) {
	if a.Frame == 0 {
		l.agreed[peer] = append(l.agreed[peer], nil)
	}
	if len(l.agreed[peer]) == 0 {
		l.Fatalf("peer %d: the stream begins with frame %d", peer, a.Frame)
	}
	now := &l.agreed[peer][len(l.agreed[peer])-1]
	if int(a.Frame) != len(*now) {
		l.Fatalf("peer %d: frame %d was agreed after %d frames", peer, a.Frame, len(*now))
	}
	f := agreedFrame{inputs: slices.Clone(a.Inputs), statuses: slices.Clone(a.Statuses), hash: a.Hash, hashed: a.Hashed}
	for _, o := range a.Orders {
		f.orders = append(f.orders, slices.Clone(o))
	}
	*now = append(*now, f)
}

// few returns the first two numbers of players in short tests, else all.
func few(players ...int) []int {
	if testing.Short() {
		return players[:min(2, len(players)-1)]
	}
	return players
}

// Options.

func frames(n session.Frame) option {
	return configure(func(_ int, c *session.Config) { c.Match.Frames = n })
}

func over(link netem.Link) option { return func(s *Setup[ledger, note]) { s.Link = link } }

func seeded(seed uint64) option { return func(s *Setup[ledger, note]) { s.Seed = seed } }

func seats(list ...rollback.PlayerSet) option {
	return func(s *Setup[ledger, note]) { s.Seats = list }
}

// configure adds a change of the configuration of each peer.
func configure(change func(peer int, c *session.Config)) option {
	return func(s *Setup[ledger, note]) {
		before := s.Configure
		s.Configure = func(peer int, c *session.Config) {
			if before != nil {
				before(peer, c)
			}
			change(peer, c)
		}
	}
}

func inLobby() option { return configure(func(_ int, c *session.Config) { c.Lobby = true }) }

func delay(d time.Duration) option { return over(netem.Link{Delay: d}) }

func withLoss(d time.Duration, loss netem.PPM) option { return over(netem.Link{Delay: d, Loss: loss}) }

// Verbs.

// until lets time pass until a condition, and fails if it takes too long.
func (l *lab) until(what string, limit time.Duration, done func() bool) {
	l.Helper()
	if !l.RunUntil(l.Now+limit, func() bool { l.watch(); return done() }) {
		l.dump()
		l.Fatalf("%v: %s has not come within %v", l.Now, what, limit)
	}
}

// pass lets time pass.
func (l *lab) pass(d time.Duration) {
	l.RunUntil(l.Now+d, func() bool { l.watch(); return false })
}

// watch checks what holds at any time: agreement never goes back (within a match).
func (l *lab) watch() {
	for i, p := range l.Peers {
		a := p.Inspect().Agreed()
		if a < l.seen[i] && a != 0 && p.Frame() > 60 {
			l.Fatalf("%v: peer %d: agreed goes back from %d to %d", l.Now, i, l.seen[i], a)
		}
		l.seen[i] = a
	}
}

// up returns the peers that are not down.
func (l *lab) up() (list []*Peer[ledger, note]) {
	for _, p := range l.Peers {
		if !p.Down {
			list = append(list, p)
		}
	}
	return list
}

// all reports whether something holds for all peers that are up.
func (l *lab) all(holds func(p *Peer[ledger, note]) bool) bool {
	return !slices.ContainsFunc(l.up(), func(p *Peer[ledger, note]) bool { return !holds(p) })
}

func (l *lab) phases(phase session.Phase) bool {
	return l.all(func(p *Peer[ledger, note]) bool { return p.Phase() == phase })
}

// play waits until all who are up play.
func (l *lab) play() {
	l.Helper()
	l.until("playing", 20*time.Second, func() bool { return l.phases(session.Playing) })
}

// end waits until all running peers have an outcome of a number of matches.
func (l *lab) end(matches uint32, limit time.Duration) {
	l.Helper()
	l.until(fmt.Sprintf("the end of match %d", matches), limit, func() bool {
		return l.all(func(p *Peer[ledger, note]) bool {
			o, ok := p.Outcome()
			return ok && o.Match >= matches
		})
	})
}

// count returns how many events of a kind a peer has had.
func count(p *Peer[ledger, note], w session.What) (n int) {
	for _, e := range p.Events {
		if e.What == w {
			n++
		}
	}
	return n
}

// event returns the last event of a kind, which must exist.
func (l *lab) event(peer int, w session.What) session.Event {
	l.Helper()
	for _, e := range slices.Backward(l.Peers[peer].Events) {
		if e.What == w {
			return e
		}
	}
	l.dump()
	l.Fatalf("peer %d: there was no event %v", peer, w)
	return session.Event{}
}

// dump logs everything that has happened.
func (l *lab) dump() {
	l.Helper()
	for i, p := range l.Peers {
		st := p.Stats(nil)
		l.Logf("peer %d: %v, frame %d, confirmed %d, agreed %d, stalls %d, blocked %d, strangers %d, rejected %d, error %v, log %v",
			i, p.Phase(), p.Frame(), st.Confirmed, st.Agreed, st.Stalls, st.Blocked, st.Strangers, st.Rejected, p.Err(), p.Log())
		for _, e := range p.Events[max(0, len(p.Events)-25):] {
			l.Logf("  peer %d: %v", i, e)
		}
	}
}

// Checks.

// same checks that the agreed streams of a match (from 0 on) of these peers are
// equal as far as both go, that they lead to the hashes that were agreed, and
// that the outcomes of those who have one that is agreed are equal.
func (l *lab) same(match int, peers ...*Peer[ledger, note]) {
	l.Helper()
	var first *session.Outcome
	longest := []agreedFrame(nil)
	for _, p := range peers {
		if match >= len(l.agreed[p.Index]) {
			continue
		}
		s := l.agreed[p.Index][match]
		for f := range min(len(s), len(longest)) {
			if !equalFrames(s[f], longest[f]) {
				l.dump()
				l.Fatalf("peer %d: frame %d is agreed as %+v, elsewhere as %+v", p.Index, f, s[f], longest[f])
			}
		}
		if len(s) > len(longest) {
			longest = s
		}
		o, ok := p.Outcome()
		if !ok || o.Match != uint32(match+1) {
			continue
		}
		if int(o.Frames) != len(s) {
			l.dump()
			l.Fatalf("peer %d: the match has %d frames, and %d were agreed", p.Index, o.Frames, len(s))
		}
		if o.Unagreed {
			continue
		}
		if first == nil {
			first = &o
		}
		if o.Frames != first.Frames || o.Chain != first.Chain || o.Hash != first.Hash {
			l.dump()
			l.Fatalf("peer %d: %+v, elsewhere %+v", p.Index, o.Summary, first.Summary)
		}
	}
	l.offline(match, longest)
}

// offline plays an agreed stream alone, and compares every hash.
func (l *lab) offline(match int, stream []agreedFrame) {
	l.Helper()
	s, err := rollback.NewSandbox(l.setup.Game, l.setup.Players, 0)
	if err != nil {
		l.Fatal(err)
	}
	for f, a := range stream {
		if _, err := s.Step(rollback.SandboxFrame[note]{Frame: session.Frame(f), Inputs: a.inputs, Orders: a.orders, Statuses: a.statuses}); err != nil {
			l.Fatal(err)
		}
		if h, err := s.Hash(); err != nil || a.hashed && h != a.hash {
			l.Fatalf("match %d, frame %d: the state has the hash %016x offline (%v), %016x agreed", match+1, f, h, err, a.hash)
		}
	}
}

func equalFrames(a, b agreedFrame) bool {
	return slices.Equal(a.inputs, b.inputs) && slices.Equal(a.statuses, b.statuses) && a.hash == b.hash &&
		slices.EqualFunc(a.orders, b.orders, slices.Equal)
}

// sampledInOrder checks that the agreed inputs of a player are the samples 1, 2,
// 3, ..., each exactly as often as it was sampled, after the frames of the delay.
func (l *lab) sampledInOrder(match, peer int, p rollback.Player, step note) {
	l.Helper()
	last := note(0)
	for f, a := range l.agreed[peer][match] {
		if a.statuses[p] == rollback.Disconnected {
			return
		}
		if in := a.inputs[p]; in != last && in != last+step {
			l.Fatalf("peer %d: player %v does %d in frame %d, after %d", peer, p, in, f, last)
		}
		last = a.inputs[p]
	}
	if last == 0 {
		l.Fatalf("peer %d: player %v has done nothing", peer, p)
	}
}

// healthy checks the verdict of all.
func (l *lab) healthy() {
	l.Helper()
	for _, p := range l.up() {
		if o, ok := p.Outcome(); p.Health() != session.Healthy || ok && o.Health != session.Healthy {
			l.dump()
			l.Fatalf("peer %d is %v, with the outcome %+v", p.Index, p.Health(), o)
		}
	}
}

// ordersOf is a script of orders: of the n-th sample of a player, with the sample
// inside, in some frames only.
func ordersOf(size func(p rollback.Player, n int) int) option {
	return func(s *Setup[ledger, note]) {
		s.Orders = func(p rollback.Player, n int) []byte {
			k := size(p, n)
			if k == 0 {
				return nil
			}
			b := make([]byte, max(k, 4))
			for i := range b {
				b[i] = byte(i*7 + n + int(p))
			}
			binary.LittleEndian.PutUint32(b, uint32(n))
			return b
		}
	}
}

// randomLink is a bad link.
func randomLink(r *rand.Rand) netem.Link {
	link := netem.Link{
		Delay: time.Duration(r.IntN(120)) * time.Millisecond,
		Loss:  netem.PPM(r.IntN(25)) * netem.Percent,
	}
	if r.IntN(2) == 0 {
		link.Jitter, link.Distribution = time.Duration(1+r.IntN(40))*time.Millisecond, netem.Exponential
		link.Reorder = r.IntN(2) == 0
	}
	if r.IntN(2) == 0 {
		link.Duplicate = netem.PPM(r.IntN(10)) * netem.Percent
	}
	if r.IntN(2) == 0 {
		link.Corrupt = netem.PPM(r.IntN(5)) * netem.Percent
	}
	return link
}
