package session

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/spectate"
)

// counts is what a machine counts itself; engine and links have counts of their own.
type counts struct {
	prepared            uint32
	strangers, rejected uint64
	sent, received      uint64 // messages of the application
}

// Stats are the figures of a session at one moment.
//
// Its figures are of three kinds. Those that are "now" are of this moment. Those "of
// the match" begin at zero when a match is prepared (see Prepared), stand still when
// it is over, and are there until the next one is prepared. All others count from the
// beginning of the session, and never go down.
type Stats struct {
	// Phase is how far the session is, now.
	Phase Phase
	// Match is the number of the match that is prepared or played, or was last: from
	// 1 on, 0 before. A proposal that is refused uses up a number.
	Match uint32
	// Prepared is how many matches have been prepared here: state 0 was made. When it
	// changes, what is of the match has begun at zero.
	Prepared uint32
	// Frame is the next frame to run, which is how many have run, of the match.
	Frame Frame
	// Health is whether the peers had the same states in the match, as far as they
	// have compared them.
	Health Health

	// Confirmed is of how many frames all inputs are here, and Agreed of how many
	// every peer has told that it has them; of the match. Frame - Confirmed, if it is
	// positive, is how many frames stand on predictions: the part of the window that
	// is used. Confirmed can be ahead of Frame, where there is input delay.
	Confirmed, Agreed Frame
	// Window is how many frames may stand on predictions; 0 is lockstep. It is the
	// configuration's.
	Window int
	// Delay is the input delay of each player who plays here, in frames, now: as it
	// is, not as it was asked for. It is 0 for all others.
	Delay [rollback.MaxPlayers]int
	// Engine is what the engine has counted in the match: rollbacks, their depth,
	// frames simulated again.
	Engine rollback.Stats

	// Uptime is how long the match has been played, of the match.
	Uptime time.Duration
	// Stalls are maximal runs of tick periods whose frame could not run when it was
	// due, and Blocked are such periods; of the match.
	Stalls, Blocked uint64
	// Stalled is by how much frames are later than due since they had to wait for other players, in
	// all; of the match. A frame that could not run at first, but within its tick period, has made
	// nothing later, as is usual in lockstep: only whole periods count in which no frame was due, since an
	// earlier one still waited. Stalled / Uptime is the share of the match that stood still, and
	// [LinkStats.Waited] says for whom.
	Stalled time.Duration
	// Waiting is for whom the next frame waits, now: nobody while frames run.
	Waiting PlayerSet
	// Slowed are the players for whom frames wait again and again, so that the match is slower than its tick
	// rate, now: from the event Slowed on, until the match is as fast as it should be. It is looked at every
	// three seconds.
	Slowed PlayerSet
	// Members are the players in the match, now: nobody unless one is played. Silent players are
	// members until the match continues without them.
	Members PlayerSet
	// Changes are the entries of the membership log, of the match; see [Machine.Log].
	Changes uint64
	// Paused says that the match is paused, or will be from some frame on, and Frozen that too few
	// are left to continue; now.
	Paused, Frozen bool
	// Nominal is the tick period of the configuration, and Period the one that keeps
	// pace with the peers, now: up to 4 % longer for a machine that is ahead, and shorter for one that
	// is behind. They are equal unless a match is played.
	Nominal, Period time.Duration

	// Strangers are datagrams from unknown addresses, and Rejected those from the address of a
	// peer that were not valid.
	Strangers, Rejected uint64
	// Datagrams and Bytes of payload were sent to all peers while the match was
	// played. Headers of UDP and IP are not counted.
	Datagrams, Bytes uint64
	// MessagesSent and MessagesReceived are those of the application
	// ([Machine.Send]). One that goes to several peers counts for each.
	MessagesSent, MessagesReceived uint64
	// PendingEvents wait to be taken with [Machine.Events], now: at most 256.
	PendingEvents int
	// DroppedEvents were not taken in time, and DroppedDatagrams found no room
	// because their owner did not take them.
	DroppedEvents, DroppedDatagrams uint64
	// PendingDatagrams wait to be taken by their owner.
	PendingDatagrams int
	// Spectators is of the spectators who watch at this machine.
	Spectators spectate.Stats
	// Links are the ways to the peers, in the order of [Config.Peers].
	Links []LinkStats
}

// Stats returns the statistics. It fills in Links, using the memory that is given.
// Links, and Engine.Histogram, are valid until the next call on the session.
func (m *Machine) Stats(links []LinkStats) Stats {
	s := Stats{
		Phase: m.phase, Match: m.match.number, Prepared: m.counts.prepared,
		Frame: m.sim.Frame(), Health: m.Health(),
		Confirmed: m.sim.Confirmed(), Agreed: m.sim.Agreed(), Window: m.cfg.Window, Engine: m.sim.Stats(),
		Uptime:  m.match.schedule.Uptime(m.now),
		Nominal: m.nominal, Period: m.nominal,
		Strangers: m.counts.strangers, Rejected: m.counts.rejected,
		MessagesSent: m.counts.sent, MessagesReceived: m.counts.received,
		PendingEvents: m.events.Len(), PendingDatagrams: m.out.Len(),
		DroppedEvents: m.events.Dropped(), DroppedDatagrams: m.out.Dropped,
	}
	for _, p := range m.local {
		_, s.Delay[p] = m.sim.Delay(p)
	}
	if m.phase == Playing {
		s.Period = m.match.schedule.Slow(m.period(m.nominal), m.now)
	}
	s.Stalls, s.Blocked, s.Stalled = m.match.stalls.Count()
	if players, since := m.match.stalls.Waiting(); m.phase == Playing && since != 0 {
		s.Waiting = players
	}
	if m.phase == Playing {
		s.Slowed = m.match.stalls.SlowFor()
	}
	s.Changes = m.log.changes
	if m.phase == Playing || m.phase == Ending {
		if s.Members = m.cfg.Local; m.core != nil {
			s.Members = m.core.State().All()
		}
	}
	if m.phase == Playing {
		_, s.Paused = m.Paused()
		s.Frozen = m.match.frozen != 0
	}
	if m.audience != nil {
		s.Spectators = m.audience.Stats()
	}
	for _, l := range m.links {
		s.Datagrams += l.playSent
		s.Bytes += l.playBytes
		links = append(links, l.stats(&m.play))
	}
	s.Links = links
	return s
}
