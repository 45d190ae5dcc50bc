// Package samples has recordings that are included in the client, so that the theatre has something to show before
// anything was played: a close duel, a brawl of eight, and a duel with a desync.
//
// [List] lists them.
//
// After a change of the rules, go run ./play/cmd/samples makes them again from their seeds.
package samples

import (
	"embed"
	"fmt"
	"slices"
	"sync"

	"github.com/tickback/tickback/play/recordings"
)

// Names are the files, in the order in which they are shown.
var Names = [...]string{"close-duel.tbr", "brawl-of-eight.tbr", "desync.tbr"}

//go:embed *.tbr
var files embed.FS

// File returns a sample, by its name. The caller owns the bytes.
func File(name string) ([]byte, error) { return files.ReadFile(name) }

// List returns the samples. Their bytes must not be changed.
func List() []recordings.Recording { return list() }

var list = sync.OnceValue(func() []recordings.Recording {
	var s recordings.Store
	for _, name := range slices.Backward(Names[:]) { // the store lists the newest first
		b, err := File(name)
		if err == nil {
			_, err = s.Begin(recordings.Info{}).Write(b)
		}
		if err != nil {
			panic(fmt.Sprintf("samples: %s: %v", name, err)) // they are part of the program
		}
	}
	return s.List()
})
