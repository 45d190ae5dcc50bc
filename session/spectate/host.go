package spectate

import (
	"net/netip"
	"slices"
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
	cfg    Config
	match  Match
	shape  agreed.Shape
	period time.Duration
	now    time.Duration

	log    agreed.Log
	seen   uint32 // how many frames are agreed
	marks  marks
	offer  *datagram.Offer // of the current match, or nil
	ended  bool
	end    End
	states []*heldState // by frame

	spectators   []*spectator
	common       lane // of spectators
	newcomerLane lane // of newcomers
	spans        spans
	door         *admission.Gate
	invitation   *admission.Invitation // of the match: our own, or shared by our owner
	closing      bool
	reason       string
	taking
	news    []News
	stats   Stats
	out     *peer.Outbox // shared with others
	message []byte
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
	a := &Host{cfg: cfg, match: source, shape: shape, period: period, out: out, door: door}
	a.invitation = new(admission.Invitation)
	if token != nil {
		a.SetToken(token)
	}
	a.common.rate, a.newcomerLane.rate = int64(cfg.Rate), int64(cfg.Rate)
	a.spans = spansOf(period)
	return a
}

// MaxOutgoing limits the number of waiting datagrams.
const MaxOutgoing = 256

func (a *Host) full() bool { return a.out.Len() >= MaxOutgoing }

// Begin begins a match at frame 0 and forgets the previous one.
func (a *Host) Begin(o *datagram.Offer) error {
	offer := *o
	clear(a.states) // they may be large
	a.offer, a.ended, a.end, a.states = &offer, false, End{}, a.states[:0]
	a.marks, a.failed, a.retryAt, a.seen = marks{}, nil, 0, 0
	for _, g := range a.spectators {
		g.forget()
	}
	return a.log.Init(a.shape, a.cfg.LogBytes)
}

// BeginAt begins a match that this host has not seen from the start: it shows frames from f on, or from slightly
// later. The game must marshal its state.
func (a *Host) BeginAt(o *datagram.Offer, f uint32) error {
	if err := a.Begin(o); err != nil {
		return err
	}
	a.log.From(f)
	a.seen = f
	return nil
}

// Match returns the number of the current match, or 0.
func (a *Host) Match() uint32 {
	if a.offer == nil {
		return 0
	}
	return a.offer.Match
}

// Frame adds the next agreed frame. Its Mark must contain the chain even if the frame is not Marked. Frame marks it
// if it is the first with a hash after a state that is sent, so that spectators that begin with that state learn
// soon whether their states agree with those here.
func (a *Host) Frame(f *agreed.Frame) error {
	if a.offer == nil || a.ended {
		return nil
	}
	if a.seen = f.Number + 1; f.Number < a.log.Next() {
		return nil
	}
	a.marks.recent.add(f.Number+1, f.Mark.Chain)
	hashLater(a, f.Number) // if frames are agreed as soon as they are final
	for _, s := range a.states {
		if s.later.frame == f.Number+1 && f.Mark.Hash == 0 {
			f.Mark.Hash = s.later.hash
		}
		switch {
		case s.frame == f.Number+1:
			s.mark = mark{s.frame, f.Mark.Chain}
		case s.frame <= f.Number && !s.followed && f.Mark.Hash != 0:
			s.followed, f.Marked = true, true
		}
	}
	if f.Marked {
		a.marks.add(f.Number+1, f.Mark.Chain)
	}
	return a.log.Append(f)
}

// Finish records how the match ended.
func (a *Host) Finish(e End) {
	if a.offer != nil && !a.ended {
		a.ended, a.end = true, e
	}
}

// Close dismisses all spectators with a reason, once they have received everything.
func (a *Host) Close(reason string) {
	a.closing, a.reason = true, reason[:min(len(reason), maxText)]
}

// Done reports whether the host is closed and all spectators know it.
func (a *Host) Done() bool { return a.closing && len(a.spectators) == 0 }

// Stats returns the statistics.
func (a *Host) Stats() Stats {
	s := a.stats
	s.Log, s.Held = a.log.Size(), len(a.states)
	for _, g := range a.spectators {
		switch {
		case g.gone != "":
		case g.isNewcomer():
			s.Newcomers++
		case g.bye:
			s.Leaving++
		default:
			s.Spectators++
		}
	}
	return s
}

// News returns which spectators have come and gone since the last call. The result is valid until the next call.
func (a *Host) News() []News {
	n := a.news
	a.news = a.news[:0]
	return n
}

// shown returns how many frames can be shown. The log of a host that joined the match starts later.
func (a *Host) shown() uint32 { return min(a.log.Next(), a.seen) }

// visible returns how many frames spectators may see.
func (a *Host) visible() uint32 {
	n := a.shown()
	if a.ended {
		return n
	}
	return n - min(n, uint32(a.cfg.Delay))
}

// visibleTo returns how many frames a spectator may see: newcomers see all that are agreed.
func (a *Host) visibleTo(g *spectator) uint32 {
	if g.isNewcomer() {
		return a.shown()
	}
	return a.visible()
}

// Update sends what is due and returns when to call it again.
func (a *Host) Update(now time.Duration) (next time.Duration) {
	a.now = max(a.now, now)
	a.keepStates()
	a.forget()
	packAhead(a)
	hashLater(a, a.log.Next())
	for _, g := range a.spectators {
		if a.now-g.pipe.Heard > a.cfg.Timeout {
			g.gone = "silent"
		}
		expire(a, g)
		a.serve(g)
	}
	a.pump()
	a.leave()
	return a.next()
}

// next returns when there will be something to send.
func (a *Host) next() time.Duration {
	next := a.now + time.Second
	for _, g := range a.spectators {
		due := g.pipe.Due(a.now)
		if a.bulk(g) {
			due = max(due, a.now+tokensAfter)
		}
		next = min(next, due)
	}
	return next
}

// leave removes the spectators that are gone.
func (a *Host) leave() {
	a.spectators = slices.DeleteFunc(a.spectators, func(g *spectator) bool {
		if g.bye && g.pipe.Channel.Pending() == 0 {
			g.gone = g.why
		}
		if g.gone != "" {
			a.tell(News{Addr: g.pipe.Addr, Why: g.gone, Newcomer: g.newcomer})
			a.door.Spend(g.nonce, "")
		}
		return g.gone != ""
	})
}

// tell records that a spectator has come or gone. If nobody fetches the news, the list stops at twice the number of
// possible spectators, since spectators can come and go without end.
func (a *Host) tell(n News) {
	if len(a.news) < 2*(MaxSpectators+MaxNewcomers) {
		a.news = append(a.news, n)
	}
}
