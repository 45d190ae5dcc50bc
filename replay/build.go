package replay

import (
	"context"
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// Build is one build of a game over one recording: it simulates the match once, from
// the beginning of the recording on, and tells what it comes to. [Local] is this build,
// [Attach] one in another program. It is not safe for concurrent use.
type Build interface {
	// About says what it is.
	About() About
	// Advance simulates up to state to, at most [MaxAdvance] frames, and returns a hash
	// of all states since the last Advance up to it and, the first time, of the one with
	// which the recording begins. So the chain of two builds differs exactly if a state
	// does.
	Advance(ctx context.Context, to uint32) (chain uint64, err error)
	// Hashes are those of the states of the last Advance.
	Hashes(ctx context.Context) ([]uint64, error)
	// State is one of the states of the last Advance. It ends the simulation: Advance is an
	// error afterwards.
	State(ctx context.Context, n uint32) (*View, error)
	// Result is how the match has finished so far.
	Result(ctx context.Context) (Result, error)
}

// MaxAdvance is how many frames a [Build] simulates at a time.
const MaxAdvance = 1024

// About says which build it is, and what its recording is.
type About struct {
	Game  string `json:"game"`
	Build string `json:"build"` // of the program
	// First is the first frame of the recording, and Next the one after the last.
	First uint32 `json:"first"`
	Next  uint32 `json:"next"`
}

// View is a state as one build has it.
type View struct {
	Hash uint64 `json:"hash"`
	Text []byte `json:"text"`
	// Encoded is the encoding; nil if the game cannot marshal.
	Encoded []byte `json:"encoded"`
}

// Result is what the game said when it finished the match.
type Result struct {
	Finished bool   `json:"finished"`
	Frame    uint32 `json:"frame"`
	Result   uint64 `json:"result"`
}

// chainOf is a hash of hashes.
func chainOf(hashes []uint64) uint64 {
	var b [8]byte
	h := xxh3.New()
	for _, hash := range hashes {
		binary.LittleEndian.PutUint64(b[:], hash)
		h.Write(b[:]) // never fails
	}
	return h.Sum64()
}
