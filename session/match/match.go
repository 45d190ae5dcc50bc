// Package match decides who is in a match between peers, from which frame to which, whether it is paused, and how
// it ends, so that all peers come to the same decisions. It knows no link, sends nothing, runs no frame and reads
// no clock: facts go in, orders come out.
//
// The decisions follow from the entries of a log on which the members agree (package membership). The owner of a
// [Match] reports what happens, by [Match.Leave], [Match.Kick], [Match.Ask] and [Match.Poll], and by passing the
// messages of other members to [Match.Log]. After each of these it carries out what [Match.Next] returns, one order
// after another.
package match

import (
	"math/bits"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/stream"
)

// Aliases of the types of the engine.
type (
	Frame     = rollback.Frame
	Player    = rollback.Player
	PlayerSet = rollback.PlayerSet
)

// NoFrame means that there is no frame.
const NoFrame = rollback.NoFrame

// Match is the current match of a machine, prepared or running, or the last one. Use [New].
type Match struct {
	rules  Rules
	frames Frames

	number  uint32           // 1 for the first match
	limit   Frame            // frames from this one on do not run
	log     *membership.Core // nil if all players are local, or before the match
	polled  time.Duration    // when the log is due to be polled again
	frozen  time.Duration    // since when we have had no majority; 0: we have one
	pause   pause
	kicked  kicked
	entries entries
	end     End
	orders  []Order
	taken   int // how many of them Next has returned
}

// Rules are the settings that all members share, and our own players.
type Rules struct {
	Local, Everybody PlayerSet
	// Continues says that the match goes on without members that are gone; otherwise it ends before the first frame
	// that lacks one.
	Continues                       bool
	MaxPause, QuorumTimeout, Linger time.Duration
}

// Frames answers queries about the frames of this machine, without side effects.
type Frames interface {
	membership.Match
	Provisional() (rollback.Outcome, bool)
}

// Facts are the circumstances at the time of a call.
type Facts struct {
	Now       time.Duration
	Phase     Phase
	Frame     Frame // the next one to run
	Observing bool  // we follow the match, but are not a member yet
}

// New returns a machine's matches, before the first one.
func New(r Rules, f Frames) Match { return Match{rules: r, frames: f, pause: pause{at: NoFrame}} }

// Begin prepares a match of at most limit frames. [Match.Follow] must then set its log.
func (m *Match) Begin(number uint32, limit Frame) {
	*m = Match{
		rules: m.rules, frames: m.frames, number: number, limit: limit, polled: membership.Never,
		pause: pause{at: NoFrame}, entries: entries{list: m.entries.list[:0]},
		end:    End{leaving: m.end.leaving, why: m.end.why}, // a newcomer may be leaving already
		orders: m.orders, taken: m.taken,
	}
}

// Withdraw gives up the match with this number, which was proposed and is not played, so that the number is not used
// again.
func (m *Match) Withdraw(number uint32) { m.number = number }

// Follow sets the log that decides from now on who is in the match.
func (m *Match) Follow(log *membership.Core) { m.log = log }

// Log returns the log of the current match, or nil if all players are local or no match was prepared.
func (m *Match) Log() *membership.Core { return m.log }

// Number returns the number of the match: 1 for the first one, 0 before it.
func (m *Match) Number() uint32 { return m.number }

// Limit returns the first frame that does not run, or [NoFrame].
func (m *Match) Limit() Frame { return m.limit }

// EndBefore makes the match end before a frame, unless it ends earlier.
func (m *Match) EndBefore(f Frame) { m.limit = min(m.limit, f) }

// End returns the state of the match with regard to its end.
func (m *Match) End() *End { return &m.end }

// Entries returns the newest entries of the log, up to 256, without those after the last frame. The result is valid
// until the next decision and must not be modified.
func (m *Match) Entries() []stream.Entry { return m.entries.before(m.limit) }

// AllEntries returns the newest entries of the log, including those after the last frame, which a newcomer needs.
func (m *Match) AllEntries() []stream.Entry { return m.entries.list }

// Changes returns the number of all entries of the match.
func (m *Match) Changes() uint64 { return m.entries.changes }

// Decides reports whether the log decides who is in the current match.
func (m *Match) Decides(f Facts) bool {
	return m.log != nil && (f.Phase == Playing || f.Phase == Ending)
}

// Has reports whether these players are members according to the log.
func (m *Match) Has(players PlayerSet) bool { return m.log != nil && m.log.State().Has(players) }

// ToTheEnd reports whether the match has all inputs of the given players up to its last frame.
func (m *Match) ToTheEnd(players PlayerSet) bool {
	return m.log != nil && m.log.State().From(players) >= m.limit
}

// Due reports whether the log has to be polled.
func (m *Match) Due(now time.Duration) bool { return !m.log.Quiet() || now >= m.polled }

// Poll polls the log. A decision made now takes effect at frame at.
func (m *Match) Poll(now time.Duration, at Frame) { m.polled = m.log.Poll(now, at) }

// NextPoll returns when the log has to be polled at the latest.
func (m *Match) NextPoll() time.Duration { return m.polled }

// Frozen reports whether too few peers are left to continue.
func (m *Match) Frozen() bool { return m.frozen != 0 }

// Next returns the next order, or nil. It is valid until the next call.
func (m *Match) Next(f Facts) *Order {
	for m.taken == len(m.orders) {
		m.orders, m.taken = m.orders[:0], 0
		if m.log == nil || f.Phase == Over {
			return nil
		}
		e, ok := m.log.Next()
		if !ok {
			return nil
		}
		entry := e // so that memory is allocated only for an actual entry
		m.Apply(&entry, f)
	}
	m.taken++
	return &m.orders[m.taken-1]
}

func (m *Match) order(o Order) { m.orders = append(m.orders, o) }

// lowest returns the lowest player of a set.
func lowest(s PlayerSet) Player { return Player(bits.TrailingZeros16(uint16(s))) }

// Order is one thing to do. Its kind says which fields are in use.
type Order struct {
	Kind    OrderKind
	What    event.What
	Player  Player
	Players PlayerSet
	Frame   Frame
	Resigns bool
	Lasted  time.Duration
	Text    string
	Err     error
	Entry   *membership.Entry
}

// OrderKind says what to do.
type OrderKind uint8

// The kinds of orders, with the fields that they use.
const (
	DoEmit        OrderKind = iota // an event: What, Players, Frame, Lasted
	DoDisconnect                   // Player, Frame: no inputs from that frame on
	DoDropMembers                  // Entry, What: give up the machines that the entry removes
	DoAdmit                        // Entry: admit the players that it adds
	DoResume                       // frames may run again
	DoRevoke                       // Players: the token is no longer valid
	DoSendKick                     // Players, Text
	DoSendLeaves                   // Text, Resigns: tell the peers
	DoIdle                         // Frame: our players give empty inputs up to that frame
	DoLinger                       // Resigns: run no more frames; wait until the peers have what they need
	DoClose                        // Err: end the session at once
	DoFail                         // Err: end the session and tell the peers
	DoEndAtAgreed                  // Err: end the match here with what is agreed
)
