package membership

import (
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
	// Retry is how long the lowest member waits after a refused attempt before it tries
	// again; others wait longer. Use about a round trip; the zero value means 100 ms.
	Retry time.Duration
	// Grace is how long members may disagree about who is silent before one of them is
	// dropped. It must exceed the time between the first and the last of them to notice
	// a crash; the zero value means 2 s.
	Grace time.Duration
	// ID is the incarnation of this peer: 0 for an original member.
	ID uint64
	// Lazy members send nothing in a slot until a member wants something. That saves some bytes, and costs half a
	// round trip when something is wanted.
	Lazy bool
	// Kickers are the players that may kick others.
	Kickers PlayerSet
	// Sets is the encoding of player sets in the match; the zero value means that of the largest match.
	Sets datagram.Sets

	quorum func(s *LogState, yes PlayerSet) bool // replaces [LogState.Quorum] in tests
}

// role is the role of this peer in the log.
type role uint8

const (
	following role = iota // a newcomer that follows the log
	voting                // a member
	removed               // no longer a member: it sends nothing
)

// keep is how many decided entries are kept for peers that are behind.
const keep = 64

// Core is one member, or a newcomer that follows the log.
type Core struct {
	cfg   Config
	match Match
	me    PlayerSet
	low   Player
	role  role
	s     LogState
	now   time.Duration
	at    Frame

	silent, gone PlayerSet
	wishes       wishes
	ready        [maxPlayers]newcomer
	since        [maxPlayers]uint32 // the slot in which the member of each seat joined
	pending      []early            // by lowest player
	kept         []Entry            // at most keep; the last one is that of slot s.Slot-1

	slot    slot
	decided []Entry
	box     outbox
}

// early is a member's claim for a slot that this peer has not reached yet.
type early struct {
	from  PlayerSet
	slot  uint32
	claim claim
}

// New returns the core of peer me for a log that has reached s. Unless s has me as a member with cfg.ID, the core
// follows the log until an entry makes it one.
func New(me PlayerSet, s LogState, match Match, cfg Config) *Core {
	if cfg.Retry <= 0 {
		cfg.Retry = 100 * time.Millisecond
	}
	if cfg.Grace <= 0 {
		cfg.Grace = 2 * time.Second
	}
	if cfg.Sets == (datagram.Sets{}) {
		cfg.Sets = datagram.SetsOf(maxPlayers)
	}
	c := &Core{cfg: cfg, match: match, me: me, low: lowest(me), s: s, pending: make([]early, cfg.Sets.Players()), slot: newSlot(cfg.Sets.Players()), box: outbox{sets: cfg.Sets}}
	c.enter()
	return c
}

// State returns the state that the log has reached. It belongs to the core and must not be modified; copy it to
// keep it.
func (c *Core) State() *LogState { return &c.s }

// Member reports whether this peer is a member.
func (c *Core) Member() bool { return c.role == voting }

// Accuse sets which players of members are silent now. Each call replaces the previous one; call it whenever that
// changes.
func (c *Core) Accuse(silent PlayerSet) {
	c.silent = silent
	c.slot.idle = c.slot.idle && silent == 0
}

// MarkGone reports that the member with these players has gone for good. It stays accused until it is removed. A
// newcomer that takes its place is another machine and is not affected.
func (c *Core) MarkGone(p PlayerSet) {
	c.gone |= p & c.s.All()
	c.slot.idle = false
}

// Ready reports that a newcomer with these players and a new incarnation (not 0) is connected and has caught up.
// From now on decisions are sent to it.
func (c *Core) Ready(players PlayerSet, id uint64) {
	if players != 0 && id != 0 && id != c.s.IDs[lowest(players)] {
		c.ready[lowest(players)], c.slot.idle = newcomer{players, id}, false
	}
}

// Unready reports that the newcomer with these players was lost.
func (c *Core) Unready(players PlayerSet) {
	if n := &c.ready[lowest(players)]; n.players == players {
		*n = newcomer{}
	}
}

// Reached reports that a member's log has reached a slot. A newcomer that is behind asks again for the decisions
// that it lacks: the members may have lost it for a while and not have sent them.
func (c *Core) Reached(slot uint32) {
	if c.role == following && slot > c.s.Slot {
		c.slot.told = false
	}
}

// Poll does what is due at time now, which must never go back. It returns the latest time for the next call, or
// [Never]. A decision made now takes effect at frame at or later: choose it far enough ahead for all peers to know
// of it in time.
func (c *Core) Poll(now time.Duration, at Frame) time.Duration {
	c.now, c.at = max(c.now, now), at
	c.step()
	return c.due()
}

// Quiet reports whether this peer knows of nothing to decide, so that [Core.Poll] can wait until another method is
// called or a message arrives. It is called in every frame, and does its checks only after something has happened.
func (c *Core) Quiet() bool {
	s := &c.slot
	s.idle = s.idle || c.role == voting && (s.told || c.cfg.Lazy) && !s.stirred && c.silent|c.gone == 0 && len(c.decided) == 0 &&
		!s.wanting && c.wishes == wishes{} && nobody(&c.ready)
	return s.idle
}

// nobody reports whether no newcomer is ready.
func nobody(ready *[maxPlayers]newcomer) bool {
	var all PlayerSet
	for i := range ready {
		all |= ready[i].players
	}
	return all == 0
}

// Next returns the next decided entry that it has not returned yet, in the order of the log.
func (c *Core) Next() (Entry, bool) {
	if len(c.decided) == 0 {
		return Entry{}, false
	}
	e := c.decided[0]
	c.decided = c.decided[:copy(c.decided, c.decided[1:])]
	return e, true
}

// Outgoing yields the waiting messages, each with the players of the receiving peer, and removes them. Each peer
// must get its messages in this order, over a reliable stream. The bytes are valid until the next call.
func (c *Core) Outgoing() iter.Seq2[PlayerSet, []byte] { return c.box.all() }

// Quorate reports whether the members that are not accused here can decide. If not,
// this side is frozen until it hears the others again.
func (c *Core) Quorate() bool {
	if c.role != voting {
		return false
	}
	return c.silent|c.gone == 0 || c.able(c.s.All()&^c.Accused()) // all members can always decide
}

// able reports whether a side can go on without the others: as a quorum, or as one of
// two members, which can remove the other by itself.
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

// Accused returns all players of the members that are silent or gone.
func (c *Core) Accused() PlayerSet { return c.s.Whole(c.silent|c.gone) &^ c.me }
