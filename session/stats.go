package session

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/spectate"
)

// counts are the machine's own counters; the engine and the links have others.
type counts struct {
	prepared            uint32
	strangers, rejected uint64
	sent, received      uint64 // messages of the application
}

func (c *counts) countPrepared() { c.prepared++ }
func (c *counts) countSent()     { c.sent++ }
func (c *counts) countReceived() { c.received++ }

// Stats are the statistics of a session at one moment.
//
// There are three kinds of figures. Those marked "now" describe this moment. Those marked "of the match" start at
// zero when a match is prepared (see Prepared), stop when it is over, and stay until the next one is prepared. All
// others count from the beginning of the session and never decrease.
type Stats struct {
	// Phase is the phase of the session, now.
	Phase Phase
	// Match is the number of the current match, prepared or running, or of the last one: 1 for the first, 0 before
	// it. A refused proposal uses up a number.
	Match uint32
	// Prepared is how many matches have been prepared here, that is, state 0 was created. When it changes, the
	// figures of the match have restarted at zero.
	Prepared uint32
	// Frame is the next frame to run, and so the number of frames that have run, of the match.
	Frame Frame
	// Health says whether the states of all peers were equal in the match, as far as they have been compared.
	Health Health

	// Confirmed is the number of frames for which all inputs are here, and Agreed the number of frames that every
	// peer has reported to have; of the match. Frame - Confirmed, if positive, is how many frames rely on
	// predictions: the part of the window that is in use. Confirmed can be ahead of Frame if there is input delay.
	Confirmed, Agreed Frame
	// Window is how many frames may rely on predictions, as configured; 0 means lockstep.
	Window int
	// Delay is the actual input delay of each local player, in frames, now; it may differ from the one requested.
	// It is 0 for all others.
	Delay [rollback.MaxPlayers]int
	// Engine has the counters of the engine in the match: rollbacks, their depth, resimulated frames.
	Engine rollback.Stats

	// Uptime is how long the match has been running, of the match.
	Uptime time.Duration
	// Blocked counts the tick periods whose frame could not run when it was due, and Stalls the runs of consecutive
	// such periods; of the match.
	Stalls, Blocked uint64
	// Stalled is the total delay of frames caused by waiting for other players; of the match. A frame that could
	// not run at first, but within its tick period, delays nothing, as is usual in lockstep: only whole periods
	// count in which no frame was due because an earlier one was still waiting. Stalled / Uptime is the share of
	// the match that was lost, and [LinkStats.Waited] says which players caused it.
	Stalled time.Duration
	// Waiting are the players that the next frame waits for, now: none while frames run.
	Waiting PlayerSet
	// Slowed are the players that frames wait for again and again, so that the match is slower than its tick rate,
	// now: from the event Slowed on, until the match is at full speed. It is updated every three seconds.
	Slowed PlayerSet
	// Members are the players in the match, now: none unless a match is running. Silent players are members until
	// the match continues without them.
	Members PlayerSet
	// Changes is the number of entries in the membership log, of the match; see [Machine.Log].
	Changes uint64
	// Paused says that the match is paused, or will be from some frame on, and Frozen that too few peers are left
	// to continue; now.
	Paused, Frozen bool
	// Nominal is the configured tick period, and Period the one that keeps pace with the peers, now: up to 4 %
	// longer for a machine that is ahead, and shorter for one that is behind. They are equal unless a match is
	// running.
	Nominal, Period time.Duration

	// Strangers counts datagrams from unknown addresses, and Rejected invalid ones from the address of a peer.
	Strangers, Rejected uint64
	// Datagrams and Bytes (of payload) count what was sent to all peers during the match. UDP and IP headers are
	// not included.
	Datagrams, Bytes uint64
	// MessagesSent and MessagesReceived count the messages of the application ([Machine.Send]). A message to
	// several peers counts once for each.
	MessagesSent, MessagesReceived uint64
	// PendingEvents is the number of events that [Machine.Events] has yet to return, now: at most 256.
	PendingEvents int
	// DroppedEvents and DroppedDatagrams count events and datagrams that were dropped because the owner did not
	// fetch them in time.
	DroppedEvents, DroppedDatagrams uint64
	// PendingDatagrams is the number of datagrams that the owner has yet to fetch.
	PendingDatagrams int
	// Spectators has the statistics of the spectators at this machine.
	Spectators spectate.Stats
	// Links are the links to the peers, in the order of [Config.Peers].
	Links []LinkStats
}

// Stats returns the statistics. It appends to links to fill in Links. Links, and Engine.Histogram, are valid until
// the next call on the session.
func (m *Machine) Stats(links []LinkStats) Stats {
	s := Stats{
		Phase: m.phase, Match: m.match.Number(), Prepared: m.counts.prepared,
		Frame: m.sim.Frame(), Health: m.Health(),
		Confirmed: m.sim.Confirmed(), Agreed: m.sim.Agreed(), Window: m.cfg.Window, Engine: m.sim.Stats(),
		Uptime:  m.pacing.schedule.Uptime(m.now),
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
		s.Period = m.pacing.schedule.Slow(m.period(m.nominal), m.now)
	}
	s.Stalls, s.Blocked, s.Stalled = m.pacing.stalls.Count()
	if players, since := m.pacing.stalls.Waiting(); m.phase == Playing && since != 0 {
		s.Waiting = players
	}
	if m.phase == Playing {
		s.Slowed = m.pacing.stalls.SlowFor() & m.notGone()
	}
	s.Changes = m.match.Changes()
	if m.phase == Playing || m.phase == Ending {
		if s.Members = m.cfg.Local; m.match.Log() != nil {
			s.Members = m.match.Log().State().All()
		}
	}
	if m.phase == Playing {
		_, s.Paused = m.Paused()
		s.Frozen = m.match.Frozen()
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
