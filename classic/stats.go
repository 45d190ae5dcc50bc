package classic

import "github.com/tickback/tickback/rollback"

// Stats is what one side of a match has done. There is no ping: RBN1 has nothing from which a round trip could be
// measured.
type Stats struct {
	Frames    rollback.Frame // frames that have run
	Confirmed rollback.Frame // frames below it have all their inputs here
	Acked     rollback.Frame // own inputs below it are acknowledged

	// PacketsSent and PacketsReceived count datagrams of all kinds, and BytesSent and BytesReceived their bytes without
	// headers. Received are those given to [Match.Receive], whatever they were.
	PacketsSent, PacketsReceived uint64
	BytesSent, BytesReceived     uint64

	// Stalls counts runs of tick periods in which no frame could run, and
	// StalledPeriods the periods.
	Stalls, StalledPeriods uint64
	Ignored                Ignored
	Rollback               rollback.Stats // the histogram belongs to the engine

	// Health is the result of comparing checksums of the same state, Compared is how often that was possible, and
	// DesyncFrame is the first state found different, if Desynced.
	Health      Health
	Compared    uint64
	DesyncFrame rollback.Frame
}

// Ignored counts datagrams and checksums that arrived and changed nothing.
type Ignored struct {
	Strangers  uint64 // datagrams from elsewhere than the peer
	Malformed  uint64 // datagrams that are neither RBN1 nor of the handshake
	Unexpected uint64 // datagrams that this phase or this side does not use
	Late       uint64 // datagrams after the end

	Ahead     uint64 // packets with inputs that the other side cannot have made yet, or with a gap before them
	Stale     uint64 // packets with inputs too old to be verified
	Conflicts uint64 // packets with an input other than the one that came first
	BadAcks   uint64 // packets that acknowledge what was never sent

	Beyond       uint64 // packets with inputs after the end of the match; those before count
	BadChecksums uint64 // checksums of states that the other side cannot have; the packet counts
}

// Stats returns what this side has done so far.
func (m *Match[S, I]) Stats() Stats {
	s := m.stats
	s.Frames, s.Confirmed, s.Acked = m.engine.Frame(), m.engine.Confirmed(), m.acked
	s.Rollback = m.engine.Stats()
	s.Health, s.Compared, s.DesyncFrame = m.sums.health, m.sums.compared, m.sums.wrong
	return s
}
