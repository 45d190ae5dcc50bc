package served

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/bulk"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// serverLink is the server as seen by a client: the connection, and what has arrived on the control stream. It does
// not depend on the game.
type serverLink struct {
	cfg    *ClientConfig
	items  datagram.Items
	out    *peer.Outbox
	caller peer.Caller
	left   time.Duration // when the farewell was sent; 0: not yet
	again  again         // checks whether the server was restarted
	pipe   *peer.Pipe    // nil until the server has answered
	heard  bool          // it has admitted us
	err    error         // why the connection has ended

	offer  *datagram.Offer // the offer of the match, once it is known
	placed bool
	player Player
	from   Frame // the first tick that we may play
	whole  whole
	given  given
	ended  *stream.Outcome
	ours   upstream
	// slipped is the number of periods by which the server's ticks have been postponed that have not been taken
	// into account yet.
	slipped uint32

	strangers uint64
}

// whole is a state that arrives in chunks.
type whole struct {
	bulk.Receiver
	number Frame
	size   int
	here   bool // it is complete, but was not taken yet
}

func (r *serverLink) begin(now time.Duration) {
	r.again.wish = 1
	r.caller.Begin(r.cfg.Server, r.cfg.Random(), now, peer.HelloInterval)
}

// receive handles a datagram and returns its body, or nil.
func (r *serverLink) receive(at time.Duration, from netip.AddrPort, b []byte) (body []byte) {
	switch {
	case len(b) == 0 || from != r.cfg.Server || r.err != nil:
	case b[0] == datagram.KindWelcome && r.pipe == nil:
		r.welcomed(at, b)
		return nil
	case b[0] == datagram.KindWelcome && r.again.on:
		r.welcomedAgain(at, b)
		return nil
	case b[0] == datagram.KindChallenge && r.pipe != nil && r.challenged(b):
		return nil
	case r.pipe != nil && datagram.IsWatch(b):
		ok, err := r.pipe.Receive(at, b)
		switch {
		case err != nil:
			r.fail(fmt.Errorf("the server does not follow the protocol: %w", err))
		case ok:
			r.heard = true
			if r.messages(); r.pipe.Asked() || r.err != nil {
				r.answer(at) // a probe, or the farewell
			}
			return r.pipe.Body
		}
	}
	r.strangers++
	return nil
}

// answer sends a datagram without inputs.
func (r *serverLink) answer(now time.Duration) {
	if !r.out.Full() {
		r.out.Seal(r.pipe.Append(r.out.Bytes, now), r.cfg.Server)
	}
}

// answered handles a Welcome to one of a caller's Hellos; see [peer.Caller.Answered].
func (r *serverLink) answered(c *peer.Caller, at time.Duration, b []byte) (w datagram.Welcome, p *peer.Pipe, ok bool) {
	if w, p, ok = c.Answered(at, b, r.cfg.nominal()); ok {
		p.LimitBackoff()
	}
	return w, p, ok
}

// attachFor is how long a Welcome is used for requests. The server accepts it for a limited time only (package
// admission), so a client that slept in the meantime starts again with a Hello.
const attachFor = 5 * time.Second

// attach asks for a place, preferably the one that we had.
func (r *serverLink) attach(now time.Duration) {
	a := datagram.Attach{Nonce: r.caller.Nonce, Players: r.again.wish, Sets: datagram.SetsOf(r.cfg.Players), ID: r.cfg.ID}
	a.Prove(r.cfg.Token, r.caller.Theirs)
	r.caller.Attach(now, &a, r.out)
}

// welcomed handles the server's answer.
func (r *serverLink) welcomed(at time.Duration, b []byte) {
	w, p, ok := r.answered(&r.caller, at, b)
	if !ok {
		r.strangers++
		return
	}
	if err := admission.Compare(0, &r.items, w.Version, &w.Items); err != nil {
		r.fail(err)
		return
	}
	r.pipe, r.again.run = p, w.Run
}

// messages handles what has arrived on the control stream.
func (r *serverLink) messages() {
	for r.err == nil {
		b, ok := r.pipe.Channel.Next()
		if !ok {
			return
		}
		if err := r.message(b[0], b[1:]); err != nil {
			r.fail(fmt.Errorf("the server does not follow the protocol: %w", err))
		}
	}
}

func (r *serverLink) message(kind byte, b []byte) (err error) {
	if kind == messageBye {
		if r.ended != nil {
			r.err = ErrEnd
		} else {
			r.err = &ByeError{text(b)}
		}
		return nil
	}
	if kind == messageToken {
		e, err := consumeRefusal(b, r.cfg.Token)
		if err == nil && r.err == nil {
			r.err = e
		}
		return err
	}
	if kind == messageBegin {
		var o datagram.Offer
		if err := o.Consume(b); err != nil || r.offer != nil || reveals(&r.cfg.Game, &o) {
			return datagram.ErrRange
		}
		o.Data = append([]byte(nil), o.Data...)
		r.offer = &o
		return nil
	}
	if r.offer == nil {
		return datagram.ErrKind
	}
	switch kind {
	case messagePlace:
		if r.placed {
			return datagram.ErrRange
		}
		r.placed = true
		r.player, r.from, err = consumePlace(b, r.cfg.Players)
		return err
	case messageState:
		return r.whole.begin(b, r.cfg.MaxState)
	case messageChunk:
		return r.whole.add(b)
	case messageTruth:
		return r.given.begin(b, r.cfg.MaxState)
	case messagePart:
		return r.given.add(b)
	case messageSlipped:
		n, err := consumeSlipped(b)
		r.slipped = min(r.slipped+n, maxSlipped)
		return err
	case messageEnd:
		o, err := consumeEnd(b)
		r.ended = &o
		return err
	}
	return datagram.ErrKind
}

func (w *whole) begin(b []byte, most int) error {
	number, size, err := consumeState(b)
	if err == nil {
		err = w.Begin(size, most)
	}
	if err == nil {
		w.number, w.size, w.here = number, size, false
	}
	return err
}

func (w *whole) add(b []byte) error {
	err := w.Add(b)
	w.here = w.here || err == nil && w.Whole()
	return err
}

// fail ends the connection with an error.
func (r *serverLink) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// update sends Hellos or Attaches, or notices that the server is silent, and returns when to call it again.
func (r *serverLink) update(now time.Duration) (next time.Duration) {
	switch {
	case r.err != nil:
		return now + time.Second
	case !r.heard && now-r.caller.Begun > r.cfg.ConnectTimeout:
		r.fail(&LostError{"an answer of the server " + r.cfg.Server.String(), now - r.caller.Begun})
		return now
	case r.ended != nil && now-r.pipe.Heard > r.cfg.DropAfter:
		r.fail(ErrEnd) // only the goodbye was left to come
		return now
	case r.heard && now-r.pipe.Heard > r.cfg.DropAfter:
		r.fail(&LostError{"anything from the server " + r.cfg.Server.String(), now - r.pipe.Heard})
		return now
	}
	if !r.heard && r.pipe != nil && now-r.pipe.Heard > attachFor {
		begun := r.caller.Begun
		r.pipe = nil
		r.caller.Begin(r.cfg.Server, r.cfg.Random(), now, peer.HelloInterval)
		r.caller.Begun = begun
	}
	if !r.heard && now >= r.caller.Due() {
		if r.pipe == nil {
			r.caller.Hello(now, r.cfg.ConnectTimeout, r.out)
		} else {
			r.attach(now)
		}
	}
	if !r.heard {
		return min(r.caller.Due(), r.askAgain(now))
	}
	if r.pipe.Due(now) <= now {
		r.answer(now)
	}
	return min(r.pipe.Due(now), r.askAgain(now))
}

// send sends the inputs that the server lacks, as far as they fit, and acknowledges the newest state that we hold.
func (r *serverLink) send(now time.Duration, u clientBody) {
	if r.out.Full() {
		return
	}
	r.ours.due(&u, r.pipe.Room())
	var body [datagram.MaxSize]byte
	b := append(u.append(body[:0]), u.block...)
	r.out.Seal(r.pipe.AppendBody(r.out.Bytes, now, b), r.cfg.Server)
}

// away returns how many ticks a client must be ahead of the newest state that has arrived, so that its inputs
// arrive in time.
func (r *serverLink) away() Frame {
	n := r.cfg.nominal()
	return Frame((r.pipe.RoundTrip.Smoothed+r.pipe.RoundTrip.Deviation+n-1)/n) + 1
}

// leave tells the server that we leave.
func (r *serverLink) leave(now time.Duration) {
	if r.pipe != nil && r.err == nil && r.pipe.Channel.Send([]byte{messageBye}) == nil {
		r.left = now
		r.answer(now)
	}
	r.fail(session.ErrClosed)
}
