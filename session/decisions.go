package session

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/membership"
)

// decisions decides who is in a match, from which frame to which, whether it is paused, and how it ends. Its
// methods take facts; next returns what to do about its decisions, one order at a time. It knows no link, sends
// nothing, runs no frame, and reads no clock.
//
// The caller must, after each fact, take orders until there are none, and carry out each one before taking the
// next, since the next decision may ask frames about the effect of the previous one.
type decisions struct {
	rules  rules
	frames frames

	match   match
	core    *membership.Core // of the current match; nil if all players are local
	coreDue time.Duration    // when to poll the core next
	end     ending
	log     entryLog
	orders  []order
	taken   int // how many of them have been returned by next
}

// rules are the settings that all members share, and our own players.
type rules struct {
	local, everybody                PlayerSet
	continues                       bool
	maxPause, quorumTimeout, linger time.Duration
}

// frames answers queries about the frames of this machine, without side effects.
type frames interface {
	membership.Match
	Provisional() (rollback.Outcome, bool)
}

// facts are the circumstances at the time of a call.
type facts struct {
	now       time.Duration
	phase     Phase
	frame     Frame
	observing bool // we follow the match, but are not a member yet
}

// orderKind says what to do.
type orderKind uint8

const (
	doEmit        orderKind = iota // an event: what, players, frame, lasted
	doDisconnect                   // player, frame: no inputs from that frame on
	doDropMembers                  // entry, what: give up the machines that the entry removes
	doAdmit                        // entry: admit the players that it adds
	doResume                       // frames may run again
	doRevoke                       // players: the token is no longer valid
	doSendKick                     // players, text
	doSendLeaves                   // text, resigns: tell the peers
	doIdle                         // frame: our players give empty inputs up to that frame
	doLinger                       // resigns: run no more frames; wait until the peers have what they need
	doClose                        // err: end the session at once
	doFail                         // err: end the session and tell the peers
	doEndAtAgreed                  // err: end the match here with what is agreed
)

// order is one thing to do. The fields in use are listed at each orderKind.
type order struct {
	kind    orderKind
	what    What
	player  Player
	players PlayerSet
	frame   Frame
	resigns bool
	lasted  time.Duration
	text    string
	err     error
	entry   *membership.Entry
}

func (r *decisions) order(o order) { r.orders = append(r.orders, o) }

// next returns the next order, or nil. It belongs to decisions and is valid until the next call.
func (r *decisions) next(f facts) *order {
	for r.taken == len(r.orders) {
		r.orders, r.taken = r.orders[:0], 0
		if r.core == nil || f.phase == Over {
			return nil
		}
		e, ok := r.core.Next()
		if !ok {
			return nil
		}
		entry := e // so that memory is allocated only for an actual entry
		r.apply(&entry, f)
	}
	r.taken++
	return &r.orders[r.taken-1]
}

// decides reports whether the log decides who is in the current match.
func (r *decisions) decides(f facts) bool {
	return r.core != nil && (f.phase == Playing || f.phase == Ending)
}

// toTheEnd reports whether the match has all inputs of the given players up to its last frame.
func (r *decisions) toTheEnd(players PlayerSet) bool {
	return r.core.State().From(players) >= r.match.limit
}

// apply decides what to do about an entry of the log.
func (r *decisions) apply(e *membership.Entry, f facts) {
	switch e.Kind {
	case membership.Leave, membership.Drop, membership.Kick:
		if e.Players&r.rules.local != 0 {
			r.removed(e, f)
			return
		}
		r.remove(e, f)
	case membership.Join:
		r.log.note(EntryJoin, e.Players, e.Frame)
		r.end.noteEntry(e, r.match.limit)
		r.match.revokedFor &^= e.Players
		r.order(order{kind: doEmit, what: Joined, players: e.Players, frame: e.Frame})
		r.order(order{kind: doAdmit, entry: e})
	case membership.Pause:
		r.log.note(EntryPause, e.Players, e.Frame)
		r.pause(e.Players, e.Frame, f)
	case membership.Resume:
		r.log.note(EntryResume, e.Players, e.Frame)
		r.unpause(e.Players, f)
	}
}

// removals maps the entry kinds that remove players to the entries and events that report it.
var removals = [...]struct {
	kind EntryKind
	what What
}{
	membership.Leave: {EntryLeave, Left},
	membership.Drop:  {EntryDrop, Dropped},
	membership.Kick:  {EntryKick, Dropped},
}

// remove handles an entry that removes other players.
func (r *decisions) remove(e *membership.Entry, f facts) {
	if e.Kind == membership.Kick {
		r.order(order{kind: doRevoke, players: e.Players})
	}
	r.end.noteEntry(e, r.match.limit)
	for p := range e.Players.All() {
		r.log.note(removals[e.Kind].kind, PlayerSet(1)<<p, e.Cut(p))
		if !f.observing && r.rules.continues { // else the stream reports it, or no frame lacks them
			r.order(order{kind: doDisconnect, player: p, frame: e.Cut(p)})
		}
	}
	r.order(order{kind: doDropMembers, entry: e, what: removals[e.Kind].what})
	r.endBefore(e)
}

// removed handles an entry that removes us.
func (r *decisions) removed(e *membership.Entry, f facts) {
	if !r.end.remove(&RemovedError{Frame: e.Cut(lowest(r.rules.local)), Kicked: e.Kind == membership.Kick}, f.now) {
		return // doLinger waits for this
	}
	r.endBefore(e)
	if !r.awaitEnd(f) && f.phase == Playing && r.rules.continues {
		r.removeOthers(e)
	}
}

// removeOthers disconnects the other players of an entry that removes us, because we were in the match until its
// last frame, and its frames lack those players. If we have inputs of theirs that no remaining member has, our
// frames differ from those of the match.
func (r *decisions) removeOthers(e *membership.Entry) {
	others := e.Players &^ r.rules.local
	for p := range others.All() {
		if at := e.Cut(p); at >= r.match.limit {
			others &^= PlayerSet(1) << p
		} else if r.frames.Next(p) > at {
			r.order(order{kind: doEndAtAgreed, err: r.end.removed})
			return
		}
	}
	for p := range others.All() {
		r.order(order{kind: doDisconnect, player: p, frame: e.Cut(p)})
	}
}

// endBefore ends the match before the first frame that lacks a removed player, unless the match continues.
func (r *decisions) endBefore(e *membership.Entry) {
	if r.rules.continues {
		return
	}
	at := NoFrame
	for p := range e.Players.All() {
		at = min(at, e.Cut(p))
	}
	r.end.lost |= e.Players
	if at < r.match.limit {
		r.match.limit = at
		r.log.note(EntryEnd, e.Players, at)
	}
}

// awaitEnd waits, after we were removed, for the news that the match has ended, if we may have been in it until its
// last frame. Otherwise, or after a time-out, the session ends here; it reports whether it does.
func (r *decisions) awaitEnd(f facts) (ends bool) {
	e := &r.end
	if e.removed == nil || f.phase != Playing {
		return false
	}
	said, ended := r.frames.Provisional()
	switch early := ended && said.Frame < e.removed.Frame; {
	case !early && !r.toTheEnd(r.rules.local):
		r.order(order{kind: doFail, err: e.removed}) // the others play on
	case f.now-e.removedAt > r.rules.linger:
		r.order(order{kind: doEndAtAgreed, err: e.removed})
	default:
		return false
	}
	return true
}

// quorum reports when too few peers are left to continue, and gives up after a time-out.
func (r *decisions) quorum(f facts) {
	t := &r.match
	switch {
	case !r.decides(f) || !r.core.Member() || r.core.Quorate():
		if t.frozen != 0 {
			t.frozen = 0
			r.order(order{kind: doEmit, what: Quorate})
		}
	case t.frozen == 0:
		t.frozen = f.now
		r.order(order{kind: doEmit, what: Frozen, players: r.core.Accused()})
	case f.now-t.frozen > r.rules.quorumTimeout:
		r.order(order{kind: doEndAtAgreed, err: &QuorumError{r.core.Accused(), f.now - t.frozen}})
	}
}

// leave makes us leave: by a decision of the log if a match needs our inputs. given is the number of our inputs,
// lead is how many frames ahead the log decides, and anyone says whether a peer is there to notify.
func (r *decisions) leave(reason string, why error, f facts, given, lead Frame, anyone bool) {
	resigns := r.decides(f) && f.phase == Playing
	if r.end.leave(resigns, why); f.phase < Playing {
		r.core = nil // we are in no match
	}
	r.order(order{kind: doSendLeaves, text: reason, resigns: resigns})
	if resigns {
		if r.core.State().Len() > 1 && r.rules.continues {
			given = max(given, min(given+lead, r.match.pausedAt)) // in a pause nobody waits for these inputs
		}
		r.order(order{kind: doIdle, frame: given})
		anyone = r.core.Ask(membership.Wish{Kind: membership.Leave, Players: r.rules.local, Frame: given}) == nil
	}
	if !anyone {
		r.order(order{kind: doClose, err: why})
		return
	}
	r.order(order{kind: doLinger, resigns: resigns})
}

// kickGrace is how long a kicked peer has to leave by itself.
const kickGrace = 2 * time.Second

// kick kicks players.
func (r *decisions) kick(players PlayerSet, reason string, f facts) error {
	switch {
	case !r.rules.local.Has(0):
		return ErrNotHost
	case !r.decides(f) || !r.rules.continues || f.phase != Playing || !r.core.Member():
		return phaseError("players are kicked from a match that goes on without them, by the host who is in it")
	}
	if s := r.core.State(); players == 0 || s.Whole(players) != players || players&r.rules.local != 0 {
		wish := membership.Wish{Kind: membership.Kick, Players: players}
		return &membership.WishError{Wish: wish, Why: "they are not all players of other machines of the match"}
	}
	r.match.kicked |= players
	r.match.kickedAt = f.now
	r.order(order{kind: doRevoke, players: players})
	r.order(order{kind: doSendKick, players: players, text: reason})
	return nil
}

// kickedOut reports whether a kick message of the host applies to us.
func (r *decisions) kickedOut(f facts) bool {
	return r.decides(f) && r.rules.continues && f.phase == Playing && r.end.leaving == staying
}

// removeKicked asks the log to remove kicked peers that have not left.
func (r *decisions) removeKicked(f facts) {
	t := &r.match
	if t.kicked == 0 {
		return
	}
	if t.kicked &= r.core.State().All(); t.kicked == 0 || f.now < t.kickedAt+kickGrace {
		return
	}
	_ = r.core.Ask(membership.Wish{Kind: membership.Kick, Players: t.kicked}) // refused if they have gone
	t.kicked = 0
}

// ask asks the log to pause or to resume; without peers that is decided here.
func (r *decisions) ask(kind membership.Kind, f facts) error {
	if f.phase != Playing {
		return phaseError("only a match that is played stands still")
	}
	paused := r.match.pausedAt != NoFrame
	asked := &r.match.pauseAsked
	switch {
	case !paused && kind == membership.Resume && asked.pending:
		asked.back = true
		r.core.Withdraw(membership.Pause)
		return nil
	case paused == (kind == membership.Pause):
		return nil
	case r.core == nil:
		r.apply(&membership.Entry{Kind: kind, Players: r.rules.local, Frame: f.frame}, f)
		return nil
	}
	err := r.core.Ask(membership.Wish{Kind: kind, Players: r.rules.local})
	*asked = pauseAsked{pending: err == nil && kind == membership.Pause}
	return err
}

// pause begins a pause that the given players asked for.
func (r *decisions) pause(by PlayerSet, at Frame, f facts) {
	t := &r.match
	t.pausedAt, t.pausedSince = at, f.now
	r.order(order{kind: doEmit, what: Paused, players: by, frame: at})
	if t.pauseAsked.back && by == r.rules.local {
		_ = r.core.Ask(membership.Wish{Kind: membership.Resume, Players: by}) // else maxPause ends it
	}
	t.pauseAsked = pauseAsked{}
}

// unpause ends a pause.
func (r *decisions) unpause(by PlayerSet, f facts) {
	t := &r.match
	r.order(order{kind: doEmit, what: Unpaused, players: by, frame: t.pausedAt, lasted: f.now - t.pausedSince})
	t.pausedAt = NoFrame
	r.order(order{kind: doResume})
}

// endPause asks the log to end a pause that has lasted too long.
func (r *decisions) endPause(f facts) {
	t := &r.match
	if t.pausedAt == NoFrame || f.phase != Playing || f.frame < t.pausedAt || f.now-t.pausedSince <= r.rules.maxPause {
		return
	}
	if r.core == nil {
		_ = r.ask(membership.Resume, f) // it is decided here
		return
	}
	_ = r.core.Ask(membership.Wish{Kind: membership.Resume, Players: r.rules.local})
}
