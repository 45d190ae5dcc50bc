package metrics

import (
	"github.com/tickback/tickback"
)

// scope says when the source of a figure begins again at zero.
type scope uint8

const (
	now       scope = iota // never: it is a gauge
	ofMatch                // at the beginning of a match
	ofSession              // at the beginning of a session
)

// figure is a metric, and how to read it from the statistics: of a session, or of a link.
type figure[T any] struct {
	name, help string
	scope      scope
	unit       float64 // the size of one unit of the value
	read       func(*T) int64
}

// Units.
const (
	one         = 1
	nanoseconds = 1e-9
)

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// The counters come first, then the gauges; the numbers of both are the sizes of the arrays in series and linkSeries.
const (
	sessionCounters, sessionGauges = 20, 16
	linkCounters, linkGauges       = 11, 12
)

var sessionFigures = [sessionCounters + sessionGauges]figure[tickback.Stats]{
	{"frames_total", "Frames run for the first time.", ofMatch, one, func(s *tickback.Stats) int64 { return int64(s.Engine.Ticks) }},
	{"resimulated_frames_total", "Frames simulated again by rollbacks.", ofMatch, one, func(s *tickback.Stats) int64 { return int64(s.Engine.Resimulated) }},
	{"mispredicted_inputs_total", "Inputs that came after they had been simulated otherwise.", ofMatch, one, mispredicted},
	{"stalls_total", "Maximal runs of tick periods whose frame could not run when it was due.", ofMatch, one, func(s *tickback.Stats) int64 { return int64(s.Stalls) }},
	{"blocked_periods_total", "Tick periods whose frame could not run when it was due.", ofMatch, one, func(s *tickback.Stats) int64 { return int64(s.Blocked) }},
	{"stalled_seconds_total", "By how much frames were later than due, since they had to wait for a peer.", ofMatch, nanoseconds, func(s *tickback.Stats) int64 { return int64(s.Stalled) }},
	{"played_seconds_total", "Time that matches were played, stalls included.", ofMatch, nanoseconds, func(s *tickback.Stats) int64 { return int64(s.Uptime) }},
	{"desyncs_total", "Matches in which a peer had another state.", ofMatch, one, desynced},
	{"membership_changes_total", "Entries of the log of who is in the match: players who left, were lost or came, and pauses.", ofMatch, one, func(s *tickback.Stats) int64 { return int64(s.Changes) }},
	{"matches_total", "Matches that were prepared.", ofSession, one, func(s *tickback.Stats) int64 { return int64(s.Prepared) }},
	{"stranger_datagrams_total", "Datagrams from nobody known.", ofSession, one, func(s *tickback.Stats) int64 { return int64(s.Strangers) }},
	{"rejected_datagrams_total", "Datagrams from the address of a peer that were no good.", ofSession, one, func(s *tickback.Stats) int64 { return int64(s.Rejected) }},
	{"sent_messages_total", "Messages of the application to peers.", ofSession, one, func(s *tickback.Stats) int64 { return int64(s.MessagesSent) }},
	{"received_messages_total", "Messages of the applications of peers.", ofSession, one, func(s *tickback.Stats) int64 { return int64(s.MessagesReceived) }},
	{"dropped_events_total", "Events that the game did not take in time.", ofSession, one, func(s *tickback.Stats) int64 { return int64(s.DroppedEvents) }},
	{"dropped_datagrams_total", "Datagrams that found no room before they were sent.", ofSession, one, func(s *tickback.Stats) int64 { return int64(s.DroppedDatagrams) }},
	{"spectator_datagrams_total", "Datagrams sent to spectators.", ofSession, one, func(s *tickback.Stats) int64 { return int64(s.Spectators.Datagrams) }},
	{"spectator_bytes_total", "Payload of datagrams sent to spectators.", ofSession, one, func(s *tickback.Stats) int64 { return int64(s.Spectators.Bytes) }},
	{"spectator_states_total", "States that were encoded for spectators.", ofSession, one, func(s *tickback.Stats) int64 { return int64(s.Spectators.States) }},
	{"refused_spectators_total", "Spectators for whom there was no room.", ofSession, one, func(s *tickback.Stats) int64 { return int64(s.Spectators.Refused) }},

	{"member_players", "Players who are in the match.", now, one, func(s *tickback.Stats) int64 { return int64(s.Members.Len()) }},
	{"paused", "1 while the match stands still because somebody has asked for it, else 0.", now, one, func(s *tickback.Stats) int64 { return truth(s.Paused) }},
	{"frozen", "1 while too few are left to go on, else 0.", now, one, func(s *tickback.Stats) int64 { return truth(s.Frozen) }},
	{"newcomers", "Those who have the token and are about to join at this machine.", now, one, func(s *tickback.Stats) int64 { return int64(s.Spectators.Newcomers) }},
	{"spectators", "Spectators who watch at this machine.", now, one, func(s *tickback.Stats) int64 { return int64(s.Spectators.Spectators) }},
	{"pending_datagrams", "Datagrams that wait to be sent.", now, one, func(s *tickback.Stats) int64 { return int64(s.PendingDatagrams) }},
	{"playing", "1 while frames run, else 0.", now, one, func(s *tickback.Stats) int64 { return truth(s.Phase == tickback.Playing) }},
	{"desynced", "1 if a peer had another state in this match, else 0.", now, one, desynced},
	{"window_frames", "Frames that may run on predictions.", now, one, func(s *tickback.Stats) int64 { return int64(s.Window) }},
	{"predicted_frames", "Frames that stand on predictions.", now, one, func(s *tickback.Stats) int64 { return max(int64(s.Frame)-int64(s.Confirmed), 0) }},
	{"unagreed_frames", "Frames of which not all peers are known to have all inputs.", now, one, func(s *tickback.Stats) int64 { return max(int64(s.Frame)-int64(s.Agreed), 0) }},
	{"input_delay_frames", "The longest input delay of a player who plays here.", now, one, longestDelay},
	{"tick_period_seconds", "The tick period that keeps pace with the peers.", now, nanoseconds, func(s *tickback.Stats) int64 { return int64(s.Period) }},
	{"nominal_tick_period_seconds", "The tick period of the configuration.", now, nanoseconds, func(s *tickback.Stats) int64 { return int64(s.Nominal) }},
	{"awaited_players", "Players for whom the next frame waits.", now, one, func(s *tickback.Stats) int64 { return int64(s.Waiting.Len()) }},
	{"pending_events", "Events that the game has not taken yet.", now, one, func(s *tickback.Stats) int64 { return int64(s.PendingEvents) }},
}

func mispredicted(s *tickback.Stats) (n int64) {
	for _, inputs := range s.Engine.Mispredicted {
		n += int64(inputs)
	}
	return n
}

func desynced(s *tickback.Stats) int64 { return truth(s.Health == tickback.Desynced) }

func longestDelay(s *tickback.Stats) int64 {
	longest := 0
	for _, d := range s.Delay {
		longest = max(longest, d)
	}
	return int64(longest)
}

var linkFigures = [linkCounters + linkGauges]figure[linkStats]{
	{"sent_datagrams_total", "Datagrams sent to the peer.", ofSession, one, func(l *linkStats) int64 { return int64(l.Sent) }},
	{"sent_bytes_total", "Payload of datagrams sent to the peer.", ofSession, one, func(l *linkStats) int64 { return int64(l.SentBytes) }},
	{"received_datagrams_total", "Datagrams received from the peer.", ofSession, one, func(l *linkStats) int64 { return int64(l.Received) }},
	{"received_bytes_total", "Payload of datagrams received from the peer.", ofSession, one, func(l *linkStats) int64 { return int64(l.ReceivedBytes) }},
	{"lost_datagrams_total", "Datagrams of the peer that did not arrive here, about.", ofSession, one, func(l *linkStats) int64 { return int64(l.Lost) }},
	{"duplicate_datagrams_total", "Datagrams of the peer that came again, or much too late.", ofSession, one, func(l *linkStats) int64 { return int64(l.Duplicates) }},
	{"rejected_datagrams_total", "Datagrams from the peer's address that were no good.", ofSession, one, func(l *linkStats) int64 { return int64(l.Rejected) }},
	{"control_sent_fragments_total", "Fragments of the control stream sent to the peer.", ofSession, one, func(l *linkStats) int64 { return int64(l.ControlSent) }},
	{"control_resent_fragments_total", "Fragments of the control stream sent again.", ofSession, one, func(l *linkStats) int64 { return int64(l.ControlResent) }},
	{"control_duplicate_fragments_total", "Fragments of the control stream that came again.", ofSession, one, func(l *linkStats) int64 { return int64(l.ControlDuplicates) }},
	{"waited_seconds_total", "Part of the stalled time in which a frame waited for the peer.", ofMatch, nanoseconds, func(l *linkStats) int64 { return int64(l.Waited) }},

	{"path_frames", "Tick periods that inputs are on their way to the peer.", now, one, func(l *linkStats) int64 { return int64(l.PathFrames) }},
	{"unacknowledged_inputs", "Inputs of a player here that the peer has not acknowledged.", now, one, func(l *linkStats) int64 { return int64(l.Unacknowledged) }},
	{"early_items", "What has come from the peer and waits for what belongs to it.", now, one, func(l *linkStats) int64 { return int64(l.Early) }},
	{"up", "1 while the peer takes part, else 0.", now, one, func(l *linkStats) int64 { return truth(l.Connected) }},
	{"round_trip_seconds", "Round trip to the peer, smoothed.", now, nanoseconds, func(l *linkStats) int64 { return int64(l.RoundTrip) }},
	{"round_trip_deviation_seconds", "Mean deviation of the round trip.", now, nanoseconds, func(l *linkStats) int64 { return int64(l.Deviation) }},
	{"jitter_seconds", "How unevenly the peer's inputs arrive: the mean deviation of the lag.", now, nanoseconds, func(l *linkStats) int64 { return int64(l.Jitter) }},
	{"lag_seconds", "How late the peer's inputs arrive here, relative to their frames; negative is early.", now, nanoseconds, func(l *linkStats) int64 { return int64(l.Lag) }},
	{"remote_lag_seconds", "How late our inputs arrive at the peer, as it says.", now, nanoseconds, func(l *linkStats) int64 { return int64(l.RemoteLag) }},
	{"quiet_seconds", "Time since anything has come from the peer.", now, nanoseconds, func(l *linkStats) int64 { return int64(l.Quiet) }},
	{"pending_bytes", "Bytes on the control stream that the peer has not acknowledged.", now, one, func(l *linkStats) int64 { return int64(l.Pending) }},
	{"behind_frames", "Frames that have run here of which the peer has not all inputs yet, as far as it has said.", now, one, func(l *linkStats) int64 { return max(l.frame-int64(l.Confirmed), 0) }},
}

// linkStats has the statistics of a link, and the session's, to which they relate.
type linkStats struct {
	tickback.LinkStats
	frame int64
}

// depths are the upper bounds of the buckets of rollback depth, in frames.
var depths = [...]int{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64, maxDepth}

// maxDepth is the deepest possible rollback; see rollback.MaxWindow.
const maxDepth = 120
