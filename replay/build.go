package replay

import (
	"context"
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// Build is one build of a game with one recording: it simulates the match once, from the beginning of the recording on,
// and reports the results. [Local] returns this build, [Attach] one in another program. It is not safe for concurrent
// use.
type Build interface {
	// About describes the build and its recording.
	About() About
	// Advance simulates up to state to, at most [MaxAdvance] frames. It returns a hash of all states after the last
	// Advance up to that one, and the first time also of the state with which the recording begins. So the chains of
	// two builds differ exactly if one of the states does.
	Advance(ctx context.Context, to uint32) (chain uint64, err error)
	// Hashes returns the hashes of the states of the last Advance.
	Hashes(ctx context.Context) ([]uint64, error)
	// State returns one of the states of the last Advance. It ends the simulation: Advance is an error afterwards.
	State(ctx context.Context, n uint32) (*View, error)
	// Result returns whether the match has been finished so far, and how.
	Result(ctx context.Context) (Result, error)
}

// MaxAdvance is the maximum number of frames that a [Build] simulates at a time.
const MaxAdvance = 1024

// About describes a build and its recording.
type About struct {
	Game  string `json:"game"`
	Build string `json:"build"` // the build of the program
	// First is the first frame of the recording, and Next the one after the last.
	First uint32 `json:"first"`
	Next  uint32 `json:"next"`
}

// View is a state as seen by one build.
type View struct {
	Hash uint64 `json:"hash"`
	Text []byte `json:"text"`
	// Encoded is the encoded state; nil if the game cannot marshal.
	Encoded []byte `json:"encoded"`
}

// Result says whether the game has finished the match, and if so, in which frame and with which result.
type Result struct {
	Finished bool   `json:"finished"`
	Frame    uint32 `json:"frame"`
	Result   uint64 `json:"result"`
}

// chainOf returns a hash of a list of hashes.
func chainOf(hashes []uint64) uint64 {
	var b [8]byte
	h := xxh3.New()
	for _, hash := range hashes {
		binary.LittleEndian.PutUint64(b[:], hash)
		h.Write(b[:]) // never fails
	}
	return h.Sum64()
}
