package served

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// returning are the players of a match that goes on from its journal, while their clients are on their way back.
type returning struct {
	awaited PlayerSet
	begun   bool
	until   time.Duration // ticks wait for them until then
	given   time.Duration // after that their places are empty, and free for others
}

// gatherFor is how long a match that goes on waits for all its players. A client notices that the server is silent
// after askAfter, and asks every askEvery on average.
const gatherFor = 1500 * time.Millisecond

// gathers reports whether the next tick waits for players. The first call begins the wait.
func (r *returning) gathers(now, drop time.Duration) bool {
	if r.awaited != 0 && !r.begun {
		r.begun, r.until, r.given = true, now+gatherFor, now+max(drop, gatherFor)
	}
	return r.awaited != 0 && now < r.until
}

// giveUp returns the players that are not waited for any longer, from now on.
func (r *returning) giveUp(now time.Duration) (gone PlayerSet) {
	if r.begun && now >= r.given {
		gone, r.awaited = r.awaited, 0
	}
	return gone
}

// arrive notes that a player is there, and reports whether it was awaited.
func (r *returning) arrive(p Player) bool {
	was := r.awaited.Has(p)
	r.awaited &^= rollback.SetOf(p)
	return was
}

// journaled is what a host does because of its journal.
type journaled struct{ *Host }

// open makes state 0 of the match.
func (h journaled) open() error {
	if err := h.world.start(h.cfg.Match); err != nil {
		return err
	}
	state, err := h.world.Hash()
	if err != nil {
		return err
	}
	h.log.match, h.log.offer = h.cfg.Match, h.cfg.Match.Offer(1, state)
	h.log.told = withoutSecrets(&h.cfg.Game, h.log.offer)
	return nil
}

// ready reports whether the next tick may run. What it has waited for is not caught up with.
func (h journaled) ready() bool {
	if !h.settle() || h.journal.back.gathers(h.now, h.cfg.DropAfter) {
		h.waited = true
		return false
	}
	if h.waited {
		h.waited = false
		h.postpone(h.now, h.cfg.nominal())
	}
	return true
}

// settle tells what has been waiting until it was durable, and reports whether the next tick may run. Nobody learns of
// a tick that could be lost.
func (h journaled) settle() bool {
	k := &h.journal
	if k.to == nil || h.phase != session.Playing {
		return h.phase == session.Playing
	}
	waited, err := k.holds(h.now)
	switch {
	case err != nil && k.patience == 0:
		h.over(&JournalError{err: err})
		return false
	case err != nil || k.held && k.patience > 0 && waited >= k.patience:
		why := fmt.Sprintf("the journal has taken %v", waited)
		if err != nil {
			why = "the journal: " + err.Error()
		}
		k.to, k.held, k.waiting = nil, false, false
		h.log.listen(false)
		h.events.Add(Event{What: event.Warning, Frame: h.world.Frame(), Text: why + "; the match goes on without it"})
	case k.held:
		if !k.waiting && waited >= journalPatience {
			k.waiting = true
			h.events.Add(Event{What: event.Waiting, For: waited, Text: "the journal"})
		}
		return false
	}
	if k.waiting {
		k.waiting = false
		h.events.Add(Event{What: event.Resumed, For: waited})
	}
	if k.untold {
		k.untold = false
		if k.last.Encoded != nil {
			h.take(&k.last)
		}
		h.tell()
	}
	return h.phase == session.Playing
}

// expire empties the places of players that have not come back.
func (h journaled) expire() {
	for p := range h.journal.back.giveUp(h.now).All() {
		h.sequencer.Leave(p)
		h.events.Add(Event{What: event.Lost, Players: rollback.SetOf(p), Frame: h.sequencer.Next(), Text: "it has not come back"})
	}
}

// keep begins the journal of this match, or goes on with the match that the journal has.
func (h journaled) keep() error {
	k := &h.journal
	if k.to == nil {
		return nil
	}
	if !h.world.Marshals() {
		return refusef("a Journal needs a game that can encode its state (Marshal)")
	}
	p, err := readPast(k.to.Records(), new(past))
	if err != nil {
		return err
	}
	items := h.admitter.items
	items.HashEvery = uint16(max(h.cfg.HashEvery, 0))
	if p == nil {
		k.begin(&items, &h.log.offer)
		if h.cfg.Token != nil {
			k.token(h.cfg.Token)
		}
		return nil
	}
	if err := h.resume(p, &items); err != nil {
		return err
	}
	if err := k.keyframe(h.world.Frame(), h.world, p.in, &h.clients, &h.log.stream.Chain); err != nil {
		return &JournalError{err: err}
	}
	k.untold = true
	h.events.Add(Event{What: event.Started, Match: 1, Frame: h.world.Frame(), Text: fmt.Sprintf("it goes on from the journal, at tick %d", h.world.Frame())})
	return nil
}

// resume goes on with a match.
func (h journaled) resume(p *past, items *datagram.Items) error {
	if p.ended {
		return &JournalError{err: ErrJournalEnded}
	}
	if err := admission.Compare(0, items, datagram.Version, &p.items); err != nil {
		return &JournalError{1, err}
	}
	h.cfg.Match = stream.ParametersOf(&p.offer)
	if err := h.open(); err != nil {
		return err
	}
	if h.log.offer.State != p.offer.State {
		return &JournalError{1, fmt.Errorf("its match began with state 0 of hash %#x, and this game makes one of %#x of the same parameters", p.offer.State, h.log.offer.State)}
	}
	if p.state != nil {
		if err := h.world.resume(p.at, p.state, p.hash); err != nil {
			return &JournalError{p.first, fmt.Errorf("the keyframe before it: %w", err)}
		}
	}
	h.log.stream.Resume(p.at, p.chain)
	if err := h.again(p); err != nil {
		return err
	}
	h.clients.ids = p.ids
	h.journal.back.awaited = p.in
	if p.tokens {
		h.admitter.invitation.Revoke()
		if len(p.token) > 0 {
			h.admitter.invitation.Invite(p.token)
		}
	}
	return nil
}

// take passes on a tick that nobody can lose: there is no journal, or it has it.
func (h journaled) take(f *stream.Frame) {
	if err := h.log.stream.Take(f); err != nil {
		h.over(err)
	}
}

// again runs the ticks after the keyframe.
func (h journaled) again(p *past) error {
	var reader agreed.Reader
	if err := reader.Init(p.shape, uint32(p.at)); err != nil {
		return &JournalError{err: err}
	}
	for i, record := range p.ticks {
		hash, hashed, tick, _ := hashOf(record) // it has been read before
		f, _, err := reader.Read(tick)
		if err == nil {
			err = h.world.feed(f, h)
		}
		if ours, _ := h.world.Hash(); err == nil && hashed && ours != hash {
			err = fmt.Errorf("state %d has the hash %#x here, and had %#x: it is another game, or another machine computes otherwise", h.world.Frame(), ours, hash)
		}
		if err != nil {
			return &JournalError{p.first + uint64(i), err}
		}
		if h.phase == session.Over {
			return &JournalError{p.first + uint64(i), h.err}
		}
	}
	return nil
}

// retell records what the journal has of the match, for a recorder that is to have all of it.
func (l *log) retell(records Journal, r stream.Recorder, wants stream.Wants) error {
	if _, err := readPast(records.Records(), new(past)); err != nil {
		return err // before the recorder has begun
	}
	if w, ok := r.(stream.Patient); ok {
		w.CatchUp(true)
		defer w.CatchUp(false)
	}
	p := &past{each: r.Frame}
	if wants.States > 0 {
		p.keys = r.State
	}
	r.Begin(&stream.Begin{Match: 1, Parameters: l.match, Initial: l.offer.State, Shape: l.shape})
	_, err := readPast(records.Records(), p)
	return err
}
