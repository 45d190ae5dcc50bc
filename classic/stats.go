package classic

import "github.com/tickback/tickback/rollback"

// Stats has the statistics of one side of a match. There is no ping, since RBN1 has no data from which to measure a
// round trip.
type Stats struct {
	Frames    rollback.Frame // frames that have run
	Confirmed rollback.Frame // frames below it have all their inputs here
	Acked     rollback.Frame // own inputs below it are acknowledged

	// PacketsSent and PacketsReceived count datagrams of all kinds, and BytesSent and BytesReceived their bytes
	// without headers. Received are all those passed to [Match.Receive].
	PacketsSent, PacketsReceived uint64
	BytesSent, BytesReceived     uint64

	// Stalls counts runs of tick periods in which no frame could run, and
	// StalledPeriods the periods.
	Stalls, StalledPeriods uint64
	Ignored                Ignored
	Rollback               rollback.Stats // the statistics of the engine, which owns the histogram

	// Health is the result of comparing checksums of the same state. Compared is the number of comparisons, and
	// DesyncFrame the first state whose checksums differ, if Health is Desynced.
	Health      Health
	Compared    uint64
	DesyncFrame rollback.Frame
}

// Ignored counts datagrams and checksums that arrived but had no effect.
type Ignored struct {
	Strangers  uint64 // datagrams from addresses other than the peer's
	Malformed  uint64 // datagrams that are neither RBN1 nor of the handshake
	Unexpected uint64 // datagrams that are of no use in this phase or on this side
	Late       uint64 // datagrams after the end

	Ahead     uint64 // packets with inputs that the other side cannot have made yet, or with a gap before them
	Stale     uint64 // packets with inputs too old to be verified
	Conflicts uint64 // packets with an input that differs from the one that came first
	BadAcks   uint64 // packets that acknowledge inputs that were never sent

	Beyond       uint64 // packets with inputs after the end of the match; their inputs before it are used
	BadChecksums uint64 // checksums of states that the other side cannot have; the rest of the packet is used
}

// Stats returns the statistics so far.
func (m *Match[S, I]) Stats() Stats {
	s := m.stats
	s.Frames, s.Confirmed, s.Acked = m.engine.Frame(), m.engine.Confirmed(), m.acked
	s.Rollback = m.engine.Stats()
	s.Health, s.Compared, s.DesyncFrame = m.sums.health, m.sums.compared, m.sums.wrong
	return s
}
