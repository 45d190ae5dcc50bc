package spectate

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/pipe"
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
}

// Audience is the spectators of one host.
type Audience struct {
	cfg    Config
	source Source
	shape  agreed.Shape
	period time.Duration
	secret uint64
	now    time.Duration

	log    agreed.Log
	marks  marks
	offer  *datagram.Offer // of the match at hand, or nil
	ended  bool
	end    End
	states []*state // by frame

	guests  []*guest
	turn    int // who comes first
	limiter limiter
	tokens  tokens
	closing bool
	reason  string
	news    []News
	stats   Stats
	out     *pipe.Outbox // also of others
	message []byte
}

// News is a spectator who has come, or gone.
type News struct {
	Addr   netip.AddrPort
	Joined bool
	Why    string // it has gone
}

// Stats counts since the audience was made.
type Stats struct {
	Guests           int    // who watch now
	Datagrams, Bytes uint64 // that were sent to them
	States           uint64 // that were encoded
	Refused          uint64 // spectators for whom there was no room
}

// NewAudience makes an audience without anybody. The configuration is complete; the
// secret is random. What is to be sent goes to out, if not more than [MaxOutgoing]
// datagrams wait there.
func NewAudience(cfg Config, source Source, shape agreed.Shape, period time.Duration, secret uint64, out *pipe.Outbox) *Audience {
	a := &Audience{cfg: cfg, source: source, shape: shape, period: period, secret: secret, out: out}
	a.tokens.rate = int64(cfg.Rate)
	return a
}

// MaxOutgoing bounds the datagrams that wait to be taken.
const MaxOutgoing = 256

func (a *Audience) full() bool { return a.out.Len() >= MaxOutgoing }

// Begin begins a match at frame 0. What is left of the one before is forgotten.
func (a *Audience) Begin(o *datagram.Offer) error {
	offer := *o
	a.offer, a.ended, a.end, a.states = &offer, false, End{}, a.states[:0]
	a.marks = marks{}
	for _, g := range a.guests {
		g.forget()
	}
	return a.log.Init(a.shape, a.cfg.LogBytes)
}

// Frame adds the next agreed frame.
func (a *Audience) Frame(f *agreed.Frame) error {
	if a.offer == nil || a.ended {
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
	s.Guests = len(a.guests)
	return s
}

// News returns who has come and gone since the last call, valid until the next one.
func (a *Audience) News() []News {
	n := a.news
	a.news = a.news[:0]
	return n
}

// visible is how many frames spectators may see.
func (a *Audience) visible() uint32 {
	n := a.log.Next()
	if a.ended {
		return n
	}
	return n - min(n, uint32(a.cfg.Delay))
}

// Update gives everybody what is due, and returns when to call it again.
func (a *Audience) Update(now time.Duration) (next time.Duration) {
	a.now = max(a.now, now)
	a.tokens.fill(a.now)
	a.keepStates()
	a.forget()
	next = a.now + time.Second
	a.turn++
	for i := range a.guests {
		g := a.guests[(a.turn+i)%len(a.guests)]
		next = min(next, a.serve(g))
	}
	a.leave()
	return next
}

// serve gives a guest what is due, and returns when more will be.
func (a *Audience) serve(g *guest) (next time.Duration) {
	if a.now-g.pipe.Heard > a.cfg.Timeout {
		g.gone = "silent"
	}
	if g.gone != "" {
		return a.now
	}
	a.feed(g)
	return a.flush(g)
}

// leave removes who has gone.
func (a *Audience) leave() {
	kept := a.guests[:0]
	for _, g := range a.guests {
		if g.bye && g.pipe.Channel.Pending() == 0 {
			g.gone = g.why
		}
		if g.gone == "" {
			kept = append(kept, g)
			continue
		}
		a.news = append(a.news, News{Addr: g.pipe.Addr, Why: g.gone})
	}
	clear(a.guests[len(kept):])
	a.guests = kept
}

// flush sends a guest what is due, as far as the rate allows.
func (a *Audience) flush(g *guest) (next time.Duration) {
	for range MaxOutgoing {
		if due := g.pipe.Due(a.now); due > a.now {
			return due
		}
		bulk := a.bulk(g)
		if bulk && !a.tokens.any() {
			return a.now + a.period
		}
		if a.full() {
			break
		}
		n := a.out.Seal(g.pipe.Append(a.out.Bytes, a.now), g.pipe.Addr)
		a.stats.Datagrams++
		a.stats.Bytes += uint64(n)
		if bulk {
			a.tokens.take(n)
		}
	}
	return a.now
}
