package spectate

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// Match is what a [Host] needs from the match.
type Match interface {
	// Items returns what a spectator must have in common with the host.
	Items() datagram.Items
	// Marshals reports whether the game can encode a state.
	Marshals() bool
	// Marshal appends the encoding of the newest final state, and returns its number.
	Marshal(b []byte) (encoded []byte, frame uint32, err error)
	// Hash returns the hash of the newest final state and its number; ok is false if that is not greater than
	// after, or states are not hashed in this match.
	Hash(after uint32) (hash uint64, frame uint32, ok bool)
	// Admit admits a newcomer for these players, or returns why it cannot. The newcomer has proved that it knows
	// the token and is at this address, and no spectator has its ID. Admit need not check whether another spectator
	// requests the same players.
	Admit(players uint16, id uint64, from netip.AddrPort) (refusal string)
	// Joined reports whether a newcomer with these players has already joined the match and only lacks part of it.
	Joined(players uint16, id uint64) bool
	// MayJoin reports whether a newcomer may still join by a decision that has begun and cannot be withdrawn.
	MayJoin(players uint16, id uint64) bool
}

// Host serves all spectators and newcomers of one machine.
type Host struct {
	cfg        Config
	match      Match
	period     time.Duration // the tick period
	now        time.Duration
	door       *admission.Gate
	invitation *admission.Invitation // the invitation to the match: our own, or shared by our owner
	broadcast  broadcast
	states     heldStates
	crowd      crowd
	outlet     outlet
	refused    uint64 // spectators refused
	message    []byte // reused memory
}

// News reports that a spectator has come or gone.
type News struct {
	Addr     netip.AddrPort
	Joined   bool
	Why      string   // why it is gone
	Newcomer Newcomer // set for a newcomer; a spectator has no players here
}

// Stats are counters since the host was created, and figures of this moment.
type Stats struct {
	Spectators       int    // spectators now
	Leaving          int    // dismissed spectators that have not acknowledged it
	Newcomers        int    // newcomers now
	Datagrams, Bytes uint64 // sent to spectators
	States           uint64 // encoded
	Refused          uint64 // spectators refused
	// Log is the size of the frames held now, in bytes, and Held the number of states.
	Log, Held int
}

// NewHost creates a host without spectators. cfg must be complete. A newcomer that knows the token may ask for a
// place during the match, up to [MaxNewcomers] at a time; a nil token admits none, any other one must pass
// [admission.CheckToken]. The owner may admit other machines through the door; see [Host.ShareInvitation].
// Datagrams are appended to out while fewer than [MaxOutgoing] wait there.
func NewHost(cfg Config, token []byte, source Match, shape agreed.Shape, period time.Duration, door *admission.Gate, out *peer.Outbox) *Host {
	a := &Host{cfg: cfg, match: source, period: period, door: door, invitation: new(admission.Invitation)}
	a.broadcast = broadcast{shape: shape, delay: uint32(cfg.Delay), spans: spansOf(period)}
	a.states = heldStates{match: source, broadcast: &a.broadcast, period: period}
	rate := tokens{rate: int64(cfg.Rate)}
	a.outlet = outlet{out: out, lanes: [2]lane{{tokens: rate}, {tokens: rate}}}
	if token != nil {
		a.invitation.Invite(token)
	}
	return a
}

// Begin begins a match at frame 0 and forgets the previous one.
func (a *Host) Begin(o *datagram.Offer) error {
	a.states.clear()
	for _, g := range a.crowd.list {
		g.feed.forget()
	}
	return a.broadcast.begin(o, a.cfg.LogBytes)
}

// BeginAt begins a match that this host has not seen from the start: it shows frames from f on, or from slightly
// later. The game must marshal its state.
func (a *Host) BeginAt(o *datagram.Offer, f uint32) error {
	if err := a.Begin(o); err != nil {
		return err
	}
	a.broadcast.from(f)
	return nil
}

// Match returns the number of the current match, or 0.
func (a *Host) Match() uint32 {
	if a.broadcast.offer == nil {
		return 0
	}
	return a.broadcast.offer.Match
}

// Frame adds the next agreed frame. Its Mark must contain the chain even if the frame is not Marked. Frame marks it
// if it is the first with a hash after a state that is sent, so that spectators that begin with that state learn
// soon whether their states agree with those here.
func (a *Host) Frame(f *agreed.Frame) error {
	if !a.broadcast.expects(f.Number) {
		return nil
	}
	a.states.mark(f)
	return a.broadcast.add(f)
}

// Finish records how the match ended.
func (a *Host) Finish(e End) { a.broadcast.finish(e) }

// Close dismisses all spectators with a reason, once they have received everything.
func (a *Host) Close(reason string) { a.broadcast.close(reason) }

// Done reports whether the host is closed and all spectators know it.
func (a *Host) Done() bool { return a.broadcast.closed && len(a.crowd.list) == 0 }

// Stats returns the statistics.
func (a *Host) Stats() Stats {
	s := Stats{
		Datagrams: a.outlet.datagrams, Bytes: a.outlet.bytes, States: a.states.encoded, Refused: a.refused,
		Log: a.broadcast.log.Size(), Held: len(a.states.list),
	}
	a.crowd.count(&s)
	return s
}

// News returns which spectators have come and gone since the last call. The result is valid until the next call.
func (a *Host) News() []News { return a.crowd.take() }

// Update sends what is due and returns when to call it again.
func (a *Host) Update(now time.Duration) (next time.Duration) {
	a.now = max(a.now, now)
	a.keepWhatIsNeeded()
	a.packAhead()
	a.states.hashLater(a.broadcast.log.Next())
	for _, g := range a.crowd.list {
		if a.now-g.pipe.Heard > a.cfg.Timeout {
			g.gone = "silent"
		}
		a.expire(g)
		a.serve(g)
	}
	a.pump()
	a.leave()
	return a.next()
}

// keepWhatIsNeeded keeps the states and frames that a spectator may need. A game that cannot encode its state needs
// all frames.
func (a *Host) keepWhatIsNeeded() {
	for _, g := range a.crowd.list {
		if s := g.feed.sending(); s != nil {
			s.use(a.now)
		}
	}
	a.states.update(a.now)
	if a.broadcast.offer == nil || !a.match.Marshals() {
		return
	}
	first := a.states.first()
	for _, g := range a.crowd.list {
		if g.feed.placed {
			first = min(first, g.feed.next)
		}
	}
	a.broadcast.log.Forget(first)
}

// packAhead takes a state for an admitted newcomer that has not sent its request yet, and compresses the states
// that spectators need before they are due to be sent.
func (a *Host) packAhead() {
	a.states.packing.refill(a.now, a.period)
	for _, g := range a.crowd.list {
		if s := g.feed.ahead(&a.states, a.now); s != nil && !a.states.packing.all(s) {
			return
		}
	}
}

// next returns when there will be something to send.
func (a *Host) next() time.Duration {
	next := a.now + time.Second
	for _, g := range a.crowd.list {
		due := g.pipe.Due(a.now)
		if g.bulk(&a.broadcast) {
			due = max(due, a.now+tokensAfter)
		}
		next = min(next, due)
	}
	return next
}

// serve prepares what a spectator gets next, and sends it unless the spectator is catching up.
func (a *Host) serve(g *spectator) {
	if g.gone != "" {
		return
	}
	a.fill(g)
	a.outlet.probe(g.pipe, a.now)
	// A live spectator gets so little that everything unacknowledged is sent again with what is new: the next
	// datagram makes up for a lost one.
	bulk := g.bulk(&a.broadcast)
	g.pipe.Channel.SetEager(!bulk)
	g.pace.apply(g.pipe.Channel, bulk)
	a.outlet.serve(g.pipe, bulk, a.now)
}

// fill fills a spectator's stream while there is room.
func (a *Host) fill(g *spectator) {
	for !g.feed.bye && g.pipe.Channel.Pending() < backlog {
		m := g.feed.message(a.message[:0], g.pipe.Channel.Pending(), &a.states, a.now)
		if len(m) == 0 || !a.put(g, m) {
			return
		}
	}
}

// put queues a message on a spectator's stream.
func (a *Host) put(g *spectator, m []byte) bool {
	a.message = m
	if err := g.pipe.Channel.Send(m); err != nil {
		g.gone = err.Error()
		return false
	}
	return true
}

// dismiss tells a spectator why nothing more will come.
func (a *Host) dismiss(g *spectator, kind byte, why string) {
	a.put(g, g.feed.dismiss(a.message[:0], kind, why))
}

// pump sends to the spectators that are catching up.
func (a *Host) pump() {
	for lane := range a.outlet.lanes {
		newcomers := lane == 1
		a.outlet.pump(lane, len(a.crowd.list), a.now, func(i int) (size int) {
			g := a.crowd.list[i]
			if g.feed.newcomer != newcomers || g.gone != "" || !g.bulk(&a.broadcast) || g.pipe.Due(a.now) > a.now {
				return 0
			}
			size = a.outlet.send(g.pipe, a.now)
			a.fill(g)
			return size
		})
	}
}

// leave removes the spectators that are gone.
func (a *Host) leave() { a.crowd.remove(a.door.Spend) }
