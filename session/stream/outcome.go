package stream

import (
	"encoding/binary"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// Summary is what a peer reports at the end of a match.
type Summary struct {
	Frames      rollback.Frame // how many were agreed
	Hash        uint64         // the hash of the last state; 0 if it is not hashed
	Chain       uint64         // over the hashes of all states
	Resimulated uint64         // number of resimulated frames
	Health      Health         // as seen by the peer
}

const summarySize = 4 + 8 + 8 + 8 + 1

// maxResimulated limits what a peer can claim, so that sums do not overflow.
const maxResimulated = 1 << 48

// Append appends the encoded summary: Frames in 4 bytes, Hash, Chain and Resimulated in 8 bytes each, all
// little-endian, and Health in one byte.
func (s *Summary) Append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(s.Frames))
	for _, v := range [...]uint64{s.Hash, s.Chain, s.Resimulated} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return append(b, byte(s.Health))
}

// ConsumeSummary decodes a summary from a peer; b must contain nothing else.
func ConsumeSummary(b []byte) (s Summary, err error) {
	if len(b) != summarySize {
		return s, datagram.ErrShort
	}
	s = Summary{
		Frames: rollback.Frame(binary.LittleEndian.Uint32(b)),
		Hash:   binary.LittleEndian.Uint64(b[4:]), Chain: binary.LittleEndian.Uint64(b[12:]),
		Resimulated: min(binary.LittleEndian.Uint64(b[20:]), maxResimulated), Health: Health(b[28]),
	}
	if s.Health > Desynced {
		return s, datagram.ErrRange
	}
	return s, nil
}

// Compare compares the ends of a match at two peers.
func (s *Summary) Compare(theirs *Summary) Verdict {
	v := Verdict{Frame: min(s.Frames, theirs.Frames), Ours: s.Chain, Theirs: theirs.Chain}
	v.Same = s.Frames == theirs.Frames && s.Chain == theirs.Chain && s.Hash == theirs.Hash
	if s.Chain == theirs.Chain {
		v.Ours, v.Theirs = s.Hash, theirs.Hash
	}
	return v
}

// Outcome is how a match ended.
type Outcome struct {
	Match uint32
	Summary
	// Result is what the game passed to rollback.Tick's Finish, if Finished.
	Result   uint64
	Finished bool
	// Left are the players that were gone at the end.
	Left rollback.PlayerSet
	// Unagreed says that the match ended at this machine alone, after the last frame that it knows to be agreed.
	// Either this side has no majority of the match (session.QuorumError), or it was removed and does not know
	// where the others end the match (session.RemovedError). The others may have ended later. A side that has
	// decided which players are gone never sets it. When two peers lose each other, each decides that the other is
	// gone, and each has an end of its own.
	Unagreed bool
	// Fairness is the difference in resimulated frames between the peer with the most and the one with the fewest,
	// in hundredths of a percent of the match's frames: 250 if one has to roll back one frame in 40 more than
	// another. It is 0 if a peer has not reported (Told).
	Fairness int
	// Told says that all peers have reported their summary.
	Told bool
}
