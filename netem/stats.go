package netem

// Stats has the statistics of a link so far. At any time
//
//	Sent + Duplicated = Delivered + Lost + Dropped + Cut + InFlight()
type Stats struct {
	Sent      uint64 // datagrams that were sent
	SentBytes uint64 // their sizes, without Link.Overhead

	Cut     uint64 // datagrams not sent because the link was cut or down
	Dropped uint64 // datagrams not sent because the queue or the network was full, or because they exceeded the MTU
	Lost    uint64 // datagrams lost on the way

	Duplicated uint64 // copies that were made
	Corrupted  uint64 // datagrams and copies with flipped bits

	Delivered      uint64 // datagrams and copies that were received
	DeliveredBytes uint64 // the sizes of these
	// Overtaken counts datagrams that were sent before one that was received earlier. (A copy counts as sent just
	// after its original.)
	Overtaken uint64
}

// InFlight returns how many datagrams and copies are on their way.
func (s Stats) InFlight() uint64 {
	return s.Sent + s.Duplicated - s.Delivered - s.Lost - s.Dropped - s.Cut
}

// Add adds the counts of another link.
func (s *Stats) Add(other Stats) {
	s.Sent += other.Sent
	s.SentBytes += other.SentBytes
	s.Cut += other.Cut
	s.Dropped += other.Dropped
	s.Lost += other.Lost
	s.Duplicated += other.Duplicated
	s.Corrupted += other.Corrupted
	s.Delivered += other.Delivered
	s.DeliveredBytes += other.DeliveredBytes
	s.Overtaken += other.Overtaken
}
