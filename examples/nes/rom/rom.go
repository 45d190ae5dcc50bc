package rom

import (
	_ "embed"
	"encoding/binary"
	"hash/fnv"
	"sync"
)

// Source is the source of the game, for [Assemble].
//
//go:embed collect.asm
var Source string

// File returns the game in the form of iNES files: 16 bytes that say what follows, 16 KiB of program and 8 KiB of tiles. It
// belongs to all callers: do not change it.
var File = sync.OnceValue(func() []byte {
	file, err := Assemble(Source)
	if err != nil {
		panic(err) // a test assembles it, too
	}
	return file
})

// Where the game keeps in memory what a front may want to know: of player p at the address plus p.
const (
	PlayerX = 0x02 // the left of 16 dots
	PlayerY = 0x04 // the upper end of 16
	Score   = 0x06 // 0 to Most, and then 0 again
	DotX    = 0x08 // the left of 8
	DotY    = 0x09

	// Goal is where a front writes, before the first frame, how many dots win: up to Most, or 0 for a match that does not
	// end. The game shows that, and counts no further; that the match is over is for the front to say.
	Goal = 0x0300
	Most = 99
	// Luck is where a front writes, before the first frame, a number that decides where dots will be.
	Luck = 0x0301
)

// Digest identifies a game by its file: it is the Content of the parameters of a match, so that nobody plays with another
// game.
func Digest(file []byte) uint64 {
	h := fnv.New64a()
	h.Write(file)
	return binary.BigEndian.Uint64(h.Sum(nil))
}
