package membership

import (
	"iter"
	"math"
	"time"
)

// Never is what [Core.Poll] returns if nothing is due at any time.
const Never = time.Duration(math.MaxInt64)

// Match is what a [Core] has to know of the match at the moment at which it stops
// somebody. Its methods are called within those of the core, and are pure.
type Match interface {
	// Next returns the first frame for which the input of player p is not here. It
	// never decreases while p is there.
	Next(p Player) Frame
	// Floor returns the first frame that has not run here and is not confirmed.
	Floor() Frame
}

// Config is what a [Core] may be given. Equal at all members, but ID.
type Config struct {
	// Retry is how long a refused attempt waits before the next one, for the lowest
	// member; others wait longer. About a round trip; the zero value is 100 ms.
	Retry time.Duration
	// Grace is how long members may disagree about who is silent before one of
	// them has to go. It is more than the time between the first and the last of
	// them to notice a crash; the zero value is 2 s.
	Grace time.Duration
	// ID is the incarnation of this peer: 0 for an original member.
	ID uint64
	// Lazy members say nothing in a slot before somebody wants something. That saves
	// some bytes, and costs half a round trip then.
	Lazy bool
	// Kickers are the players who may have others kicked.
	Kickers PlayerSet

	quorum func(s *State, yes PlayerSet) bool // a test's instead of [State.Quorum]
}

// role is what this peer is to the log.
type role uint8

const (
	following role = iota // a newcomer, who learns
	voting                // a member
	removed               // one no longer: silent
)

// keep is how many decided entries are kept for those who are behind.
const keep = 64

// Core is one member, or a newcomer that follows the log.
type Core struct {
	cfg   Config
	match Match
	me    PlayerSet
	low   Player
	role  role
	s     State
	now   time.Duration
	at    Frame

	silent, departed PlayerSet
	wishes           wishes
	ready            [seats]newcomer
	since            [seats]uint32 // the slot in which each seat's member has come
	pending          [seats]early
	kept             []Entry // up to keep, the last is that of slot s.Slot-1

	slot    slot
	decided []Entry
	box     outbox
}

// early is the claim of a member for a slot that is not reached here.
type early struct {
	from  PlayerSet
	slot  uint32
	claim claim
}

// New returns the core of peer me for a log that has come to s. If s does not have
// me with cfg.ID as a member, the core follows the log until an entry makes it one.
func New(me PlayerSet, s State, match Match, cfg Config) *Core {
	if cfg.Retry <= 0 {
		cfg.Retry = 100 * time.Millisecond
	}
	if cfg.Grace <= 0 {
		cfg.Grace = 2 * time.Second
	}
	c := &Core{cfg: cfg, match: match, me: me, low: lowest(me), s: s}
	c.enter()
	return c
}

// State returns what the log says so far. It is the core's; copy it, do not change it.
func (c *Core) State() *State { return &c.s }

// Member reports whether this peer is a member now.
func (c *Core) Member() bool { return c.role == voting }

// Accuse says who is not heard now: players of members. It replaces what was said
// before; say so each time that it changes.
func (c *Core) Accuse(silent PlayerSet) { c.silent = silent }

// Depart says that the member with these players has gone for good. It is accused
// until it is removed. It says nothing of other players: a newcomer in their place is another machine.
func (c *Core) Depart(p PlayerSet) { c.departed |= p & c.s.All() }

// Ready says that a newcomer with these players, of a new incarnation (not 0), is
// connected here and has caught up. It is told what is decided from now on.
func (c *Core) Ready(players PlayerSet, id uint64) {
	if players != 0 && id != 0 && id != c.s.IDs[lowest(players)] {
		c.ready[lowest(players)] = newcomer{players, id}
	}
}

// Unready says that the newcomer with these players is lost.
func (c *Core) Unready(players PlayerSet) {
	if n := &c.ready[lowest(players)]; n.players == players {
		*n = newcomer{}
	}
}

// Poll does what is due, at a time that never goes back, and returns when it wants
// to be called again at the latest, or [Never]. What is decided now takes effect at
// frame at, or later: far enough ahead for all to know of it before.
func (c *Core) Poll(now time.Duration, at Frame) time.Duration {
	c.now, c.at = max(c.now, now), at
	c.step()
	return c.due()
}

// Quiet reports whether there is nothing to decide, as far as is known here, so that
// [Core.Poll] can wait until something is told, or arrives.
func (c *Core) Quiet() bool {
	s := &c.slot
	return c.role == voting && (s.told || c.cfg.Lazy) && !s.stirred && c.silent|c.departed == 0 && len(c.decided) == 0 &&
		c.wishes == wishes{} && c.ready == [seats]newcomer{} && s.said == claim{}
}

// Next returns the next entry that is decided and was not returned yet, in the
// order of the log.
func (c *Core) Next() (Entry, bool) {
	if len(c.decided) == 0 {
		return Entry{}, false
	}
	e := c.decided[0]
	c.decided = c.decided[:copy(c.decided, c.decided[1:])]
	return e, true
}

// Outgoing yields the messages that wait, each with the players of the peer that
// gets it, and forgets them. Each peer must get its messages in this order, over a
// reliable stream. The bytes are valid until the next call.
func (c *Core) Outgoing() iter.Seq2[PlayerSet, []byte] { return c.box.all() }

// Quorate reports whether those who are not accused here can decide. If not, this
// side is frozen until they are heard again.
func (c *Core) Quorate() bool {
	return c.role == voting && c.able(c.s.All()&^c.Accused())
}

// able reports whether a side can go on without the others: as a quorum, or as one of
// two that can remove the other by itself.
func (c *Core) able(side PlayerSet) bool {
	return c.quorum(side) || c.pair() && side&c.me != 0 && c.arrived()
}

// quorum reports whether these members can decide.
func (c *Core) quorum(yes PlayerSet) bool {
	if c.cfg.quorum != nil {
		return c.cfg.quorum(&c.s, yes)
	}
	return c.s.Quorum(yes)
}

// Accused returns all players of the members who are silent or have departed.
func (c *Core) Accused() PlayerSet { return c.s.Whole(c.silent|c.departed) &^ c.me }
