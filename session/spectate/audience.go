package spectate

import (
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// Source is the match as its audience needs it.
type Source interface {
	// Items are what a spectator must have in common with the host.
	Items() datagram.Items
	// Marshals reports whether the game can encode a state.
	Marshals() bool
	// Marshal appends the encoding of the newest state that is final, and returns its
	// number.
	Marshal(b []byte) (encoded []byte, frame uint32, err error)
	// Admit says why a newcomer cannot have a seat for these players, or "" if it can:
	// then it is in. It knows the token, is at this address, and is none of those who are
	// in; whether somebody else is that asks for the same players, is not looked at.
	Admit(players byte, id uint64, from netip.AddrPort) (refusal string)
	// Joined reports whether a newcomer with these players has joined the match already,
	// and only lacks a part of it.
	Joined(players byte, id uint64) bool
}

// Audience is the spectators of one host.
type Audience struct {
	cfg    Config
	source Source
	shape  agreed.Shape
	period time.Duration
	now    time.Duration

	log    agreed.Log
	seen   uint32 // frames that are agreed
	marks  marks
	offer  *datagram.Offer // of the match at hand, or nil
	ended  bool
	end    End
	states []*state // by frame

	guests     []*guest
	common     lane // of spectators,
	seating    lane // and of newcomers
	spans      spans
	cookies    cookies
	limiter    limiter
	spent      spent
	invitation invitation
	closing    bool
	reason     string
	failed     error         // the newest state could not be encoded,
	retryAt    time.Duration // which is tried again then
	news       []News
	stats      Stats
	out        *peer.Outbox // also of others
	message    []byte
}

// News is a spectator who has come, or gone; a newcomer, if it has a seat.
type News struct {
	Addr   netip.AddrPort
	Joined bool
	Why    string // it has gone
	Seat   Seated // with no players: it only watches
}

// Stats counts since the audience was made, but for what is now.
type Stats struct {
	Guests           int    // who watch now
	Leaving          int    // who were told that there is nothing more for them, and have not confirmed it
	Seats            int    // who are let in as newcomers now
	Datagrams, Bytes uint64 // that were sent to them
	States           uint64 // that were encoded
	Refused          uint64 // spectators for whom there was no room
	// Log is how many bytes of frames are held now, and Held how many states.
	Log, Held int
}

// NewAudience makes an audience without anybody. The configuration is complete. The token
// lets those who know it ask for a seat while play goes on, [MaxSeats] at a time; nil is
// nobody, and [CheckToken] takes any other. The key of the cookies is drawn from random. What
// is to be sent goes to out, if not more than [MaxOutgoing] datagrams wait there.
func NewAudience(cfg Config, token []byte, source Source, shape agreed.Shape, period time.Duration, random func() uint64, out *peer.Outbox) *Audience {
	a := &Audience{cfg: cfg, source: source, shape: shape, period: period, out: out}
	a.invitation.token = slices.Clone(token)
	a.common.rate, a.seating.rate = int64(cfg.Rate), int64(cfg.Rate)
	a.cookies.init(random)
	a.spans = spansOf(period)
	return a
}

// MaxOutgoing bounds the datagrams that wait to be taken.
const MaxOutgoing = 256

func (a *Audience) full() bool { return a.out.Len() >= MaxOutgoing }

// Begin begins a match at frame 0. What is left of the one before is forgotten.
func (a *Audience) Begin(o *datagram.Offer) error {
	offer := *o
	clear(a.states) // they may be large
	a.offer, a.ended, a.end, a.states = &offer, false, End{}, a.states[:0]
	a.marks, a.failed, a.retryAt, a.seen = marks{}, nil, 0, 0
	for _, g := range a.guests {
		g.forget()
	}
	return a.log.Init(a.shape, a.cfg.LogBytes)
}

// BeginAt is Begin for a host that has not seen a match from its beginning: frames from f on are
// shown, or a few later. The game has to marshal its state.
func (a *Audience) BeginAt(o *datagram.Offer, f uint32) error {
	if err := a.Begin(o); err != nil {
		return err
	}
	a.log.From(f)
	a.seen = f
	return nil
}

// Match returns the number of the match that is shown, or 0.
func (a *Audience) Match() uint32 {
	if a.offer == nil {
		return 0
	}
	return a.offer.Match
}

// Frame adds the next agreed frame.
func (a *Audience) Frame(f *agreed.Frame) error {
	if a.offer == nil || a.ended {
		return nil
	}
	if a.seen = f.Number + 1; f.Number < a.log.Next() {
		return nil
	}
	if f.Marked {
		a.marks.add(f.Number+1, f.Mark.Chain)
	}
	return a.log.Append(f)
}

// Finish says how the match has ended.
func (a *Audience) Finish(e End) {
	if a.offer != nil && !a.ended {
		a.ended, a.end = true, e
	}
}

// Close tells all spectators why there will be nothing more, once they have what
// there is.
func (a *Audience) Close(reason string) {
	a.closing, a.reason = true, reason[:min(len(reason), maxText)]
}

// Done reports whether everybody knows that it is over.
func (a *Audience) Done() bool { return a.closing && len(a.guests) == 0 }

// Stats returns the counts.
func (a *Audience) Stats() Stats {
	s := a.stats
	s.Log, s.Held = a.log.Size(), len(a.states)
	for _, g := range a.guests {
		switch {
		case g.gone != "":
		case g.seated():
			s.Seats++
		case g.bye:
			s.Leaving++
		default:
			s.Guests++
		}
	}
	return s
}

// News returns who has come and gone since the last call, valid until the next one.
func (a *Audience) News() []News {
	n := a.news
	a.news = a.news[:0]
	return n
}

// shown is how many frames there are. The log of a host that joined the match begins later.
func (a *Audience) shown() uint32 { return min(a.log.Next(), a.seen) }

// visible is how many frames spectators may see.
func (a *Audience) visible() uint32 {
	n := a.shown()
	if a.ended {
		return n
	}
	return n - min(n, uint32(a.cfg.Delay))
}

// visibleTo is how many a guest may see: newcomers, all that are agreed.
func (a *Audience) visibleTo(g *guest) uint32 {
	if g.seated() {
		return a.shown()
	}
	return a.visible()
}

// Update gives everybody what is due, and returns when to call it again.
func (a *Audience) Update(now time.Duration) (next time.Duration) {
	a.now = max(a.now, now)
	a.keepStates()
	a.forget()
	for _, g := range a.guests {
		if a.now-g.pipe.Heard > a.cfg.Timeout {
			g.gone = "silent"
		}
		if g.gone == "" {
			a.messages(g) // those of a newcomer may have waited
		}
		a.expire(g)
		a.serve(g)
	}
	a.pump()
	a.leave()
	return a.next()
}

// next returns when there is something to send.
func (a *Audience) next() time.Duration {
	next := a.now + time.Second
	for _, g := range a.guests {
		due := g.pipe.Due(a.now)
		if a.bulk(g) {
			due = max(due, a.now+tokensAfter)
		}
		next = min(next, due)
	}
	return next
}

// leave removes who has gone.
func (a *Audience) leave() {
	a.guests = slices.DeleteFunc(a.guests, func(g *guest) bool {
		if g.bye && g.pipe.Channel.Pending() == 0 {
			g.gone = g.why
		}
		if g.gone != "" {
			a.tell(News{Addr: g.pipe.Addr, Why: g.gone, Seat: g.seat})
			a.spent.add(g.nonce, "")
		}
		return g.gone != ""
	})
}

// tell notes who has come or gone. More than everybody at once has no news: somebody
// comes and goes all the time.
func (a *Audience) tell(n News) {
	if len(a.news) < 2*(MaxGuests+MaxSeats) {
		a.news = append(a.news, n)
	}
}
