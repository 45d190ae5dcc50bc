package tbr

import "strconv"

// Kind names what a chunk holds: four letters or digits.
type Kind [4]byte

// The kinds of chunks.
var (
	KindGame     = Kind{'G', 'A', 'M', 'E'} // what all peers of the match agree on
	KindInfo     = Kind{'I', 'N', 'F', 'O'} // what this recording says of itself
	KindKeyframe = Kind{'K', 'E', 'Y', 'F'} // a state
	KindOrders   = Kind{'O', 'R', 'D', 'R'} // orders of the block that follows
	KindFrames   = Kind{'F', 'R', 'M', 'S'} // inputs and statuses of the frames in a block
	KindHashes   = Kind{'H', 'A', 'S', 'H'} // hashes of the states in the block before
	KindEnd      = Kind{'E', 'N', 'D', 'S'} // how the recording ended
	KindIndex    = Kind{'I', 'N', 'D', 'X'} // where the segments are

	KindEffects = Kind{'E', 'F', 'F', 'S'} // optional: effects of agreed frames
	KindStats   = Kind{'S', 'T', 'A', 'T'} // optional: statistics of the live session
	KindMembers = Kind{'M', 'E', 'M', 'B'} // optional: who came and went
)

// String returns the four characters, quoted if they are not letters or digits.
func (k Kind) String() string {
	if !k.valid() {
		return strconv.QuoteToASCII(string(k[:]))
	}
	return string(k[:])
}

func (k Kind) valid() bool {
	for _, c := range k {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// own reports whether only the writer itself may write chunks of the kind.
func (k Kind) own() bool {
	switch k {
	case KindGame, KindInfo, KindKeyframe, KindOrders, KindFrames, KindHashes, KindEnd, KindIndex:
		return true
	}
	return false
}

// Flags are properties of a chunk besides its kind.
type Flags byte

// The flags that every kind has. The upper four bits belong to the kind.
const (
	// Required means that a reader that does not know the kind must refuse the file.
	Required Flags = 1 << iota
	// Body means that the chunk is in the part that is the same for all peers of a match.
	Body
)

// known reports whether a chunk of this kind may have these flags. It accepts all flags for kinds that the writer does
// not write itself.
func (f Flags) known(k Kind) bool {
	switch k {
	case KindGame:
		return f == Required|Body
	case KindInfo, KindEnd, KindIndex:
		return f == Required
	case KindKeyframe: // part of the body, except as the first chunk of a recording that begins late
		return f&^(Body|packed) == Required
	case KindOrders:
		return f&^packed == Required|Body
	case KindFrames:
		return f&^(partShort|partFinished|partGone) == Required|Body
	case KindHashes:
		return f == Body
	}
	return true
}

// Chunk is one chunk of a file, without its payload.
type Chunk struct {
	Kind   Kind
	Flags  Flags
	Offset int64  // the offset of its first byte in the file
	Size   int    // the size of its payload in bytes
	Frame  uint32 // the first frame of this block, or of the block that follows

	head int // the number of bytes before the payload
}

// next returns the offset after the chunk.
func (c *Chunk) next() int64 { return c.Offset + int64(c.head) + int64(c.Size) + sumSize }

// fail returns an error about the chunk.
func (c *Chunk) fail(reason error, detail string) *Error {
	return &Error{Reason: reason, Kind: c.Kind, Offset: c.Offset, Detail: detail}
}
