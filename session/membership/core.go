package membership

import (
	"cmp"
	"iter"
	"math"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Never is what [Core.Poll] returns if nothing is due at any time.
const Never = time.Duration(math.MaxInt64)

// Match is what a [Core] needs to know about the match when it stops a member. The core calls these methods from
// its own; they must have no side effects.
type Match interface {
	// Next returns the first frame for which this peer lacks the input of player p. It
	// never decreases while p is in the match.
	Next(p Player) Frame
	// Floor returns the first frame that has not run here and is not confirmed.
	Floor() Frame
}

// Config configures a [Core]. All members need the same values, except for ID.
type Config struct {
	// ID is the incarnation of this peer: 0 for an original member.
	ID uint64
	// Lazy members send nothing in a slot until a member wants something. That saves some bytes, and costs half a
	// round trip when something is wanted.
	Lazy bool
	// Kickers are the players that may kick others.
	Kickers PlayerSet
	// Sets is the encoding of player sets in the match; the zero value means that of the largest match.
	Sets datagram.Sets

	// These are replaced in tests. The lowest member waits for retry after a refused attempt before it tries again;
	// others wait longer. Members may disagree for grace about who is silent before one of them is dropped: longer
	// than the time between the first and the last of them to notice a crash.
	retry, grace time.Duration
	quorum       func(s *LogState, yes PlayerSet) bool
}

// role is the role of this peer in the log.
type role uint8

const (
	following role = iota // a newcomer that follows the log
	voting                // a member
	removed               // no longer a member: it sends nothing
)

// Core is one member, or a newcomer that follows the log. Its parts from claims on begin anew with each slot.
type Core struct {
	cfg  Config
	me   PlayerSet
	low  Player // the lowest one of me
	role role
	now  time.Duration
	at   Frame

	idle  bool // Quiet was true, and nothing has happened since
	asked bool // as a newcomer: for the entry of the slot

	log       entryLog
	box       outbox
	wishes    wishes
	claims    claims
	detector  detector
	newcomers newcomers
	guard     guard
	synod     synod
}

// New returns the core of peer me for a log that has reached s. Unless s has me as a member with cfg.ID, the core
// follows the log until an entry makes it one.
func New(me PlayerSet, s LogState, match Match, cfg Config) *Core {
	cfg.retry = cmp.Or(cfg.retry, 100*time.Millisecond)
	cfg.grace = cmp.Or(cfg.grace, 2*time.Second)
	cfg.Sets = cmp.Or(cfg.Sets, datagram.SetsOf(maxPlayers))
	if cfg.quorum == nil {
		cfg.quorum = (*LogState).quorum
	}
	players := cfg.Sets.Players()
	c := &Core{
		cfg: cfg, me: me, low: lowest(me), log: entryLog{state: s}, box: outbox{sets: cfg.Sets},
		claims: newClaims(players), guard: guard{match: match}, synod: synod{self: lowest(me), votes: make([]vote, players)},
	}
	c.enter()
	return c
}

// view returns what the claims of the slot allow.
func (c *Core) view() view {
	s := &c.log.state
	return view{
		LogState: s, claims: c.claims.by, me: c.me, low: c.low, kickers: c.cfg.Kickers, decide: c.cfg.quorum,
		alone: s.Len() == 2 && c.guard.arrived(s, c.me),
	}
}

// State returns the state that the log has reached. It belongs to the core and must not be modified; copy it to
// keep it.
func (c *Core) State() *LogState { return &c.log.state }

// Member reports whether this peer is a member.
func (c *Core) Member() bool { return c.role == voting }

// Accuse sets which players of members are silent now. Each call replaces the previous one.
func (c *Core) Accuse(silent PlayerSet) {
	if silent == c.detector.silent {
		return
	}
	c.detector.accuse(silent)
	c.idle = c.idle && silent == 0
}

// MarkGone reports that the member with these players has gone for good. It stays accused until it is removed. A
// newcomer that takes its place is another machine and is not affected.
func (c *Core) MarkGone(p PlayerSet) {
	c.detector.lose(p & c.log.state.All())
	c.idle = false
}

// Ready reports that a newcomer with these players and a new incarnation (not 0) is connected and has caught up.
// From now on decisions are sent to it.
func (c *Core) Ready(players PlayerSet, id uint64) {
	if players != 0 && id != 0 && id != c.log.state.IDs[lowest(players)] {
		c.newcomers.add(newcomer{players, id})
		c.idle = false
	}
}

// Unready reports that the newcomer with these players was lost.
func (c *Core) Unready(players PlayerSet) { c.newcomers.remove(players) }

// MayJoin reports whether the newcomer with these players and this incarnation may still join in the slot to be
// decided, since this peer has agreed to its first frame. A peer that is no longer ready for it cannot withdraw
// that, and others may be able to decide it.
func (c *Core) MayJoin(players PlayerSet, id uint64) bool {
	return c.guard.gate.newcomer == newcomer{players, id} && id != 0
}

// Reached reports that a member's log has reached a slot. A newcomer that is behind asks again for the decisions
// that it lacks: the members may have lost it for a while and not have sent them.
func (c *Core) Reached(slot uint32) {
	if c.role == following && slot > c.log.state.Slot {
		c.asked = false
	}
}

// Poll does what is due at time now, which must never go back. It returns the latest time for the next call, or
// [Never]. A decision made now takes effect at frame at or later: choose it far enough ahead for all peers to know
// of it in time.
func (c *Core) Poll(now time.Duration, at Frame) time.Duration {
	c.now, c.at = max(c.now, now), at
	c.step()
	next := Never
	for _, t := range [...]time.Duration{c.synod.attempt.retryAt, c.detector.graceEnd, c.synod.beginAt} {
		if c.role == voting && t > c.now {
			next = min(next, t)
		}
	}
	return next
}

// Quiet reports whether this peer knows of nothing to decide, so that [Core.Poll] can wait until another method is
// called or a message arrives. It is called in every frame, and does its checks only after something has happened.
func (c *Core) Quiet() bool {
	c.idle = c.idle || c.role == voting && c.claims.calm(c.cfg.Lazy) && c.detector.accused() == 0 &&
		len(c.log.unread) == 0 && c.wishes == wishes{} && c.newcomers.ready == [maxPlayers]newcomer{}
	return c.idle
}

// Next returns the next decided entry that it has not returned yet, in the order of the log.
func (c *Core) Next() (Entry, bool) {
	if c.idle {
		return Entry{}, false
	}
	return c.log.next()
}

// Outgoing yields the waiting messages, each with the players of the receiving peer, and removes them. Each peer
// must get its messages in this order, over a reliable stream. The bytes are valid until the next call.
func (c *Core) Outgoing() iter.Seq2[PlayerSet, []byte] { return c.box.all() }

// Quorate reports whether the members that are not accused here can decide. If not,
// this side is frozen until it hears the others again.
func (c *Core) Quorate() bool {
	if c.idle || c.role != voting || c.detector.accused() == 0 {
		return c.role == voting // all members can always decide
	}
	v := c.view()
	return v.able(v.All() &^ c.Accused())
}

// Accused returns all players of the members that are silent or gone.
func (c *Core) Accused() PlayerSet { return c.log.state.Whole(c.detector.accused()) &^ c.me }

// Limit returns the first frame for which p's input may not be accepted from p itself now, because p is stopped or
// leaves; [NoFrame] if there is no such limit.
func (c *Core) Limit(p Player) Frame {
	if (c.guard.stopped | c.guard.whole).Has(p) {
		return c.guard.held(&c.log.state, p)
	}
	return NoFrame
}

// Stopped returns the players whose inputs are ignored until the slot is decided.
func (c *Core) Stopped() PlayerSet { return c.guard.stopped }

// Gate returns the first frame that must neither run nor count as confirmed until the slot is decided, because a
// newcomer may join at it; [NoFrame] if there is none.
func (c *Core) Gate() Frame { return c.guard.gated }
