package recordings

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/tickback/tickback/replay/tbr"
)

const (
	// MaxMatches is the maximum number of matches that a store keeps; the rounds of a series count as one.
	MaxMatches = 16
	// MaxBytes is the maximum size of all recordings together, in bytes.
	MaxBytes = 32 << 20
	// MaxTape is the maximum size of one recording in bytes: enough for hours of a match.
	MaxTape = 8 << 20
	// maxTapes is the maximum number of recordings, including rounds.
	maxTapes = 128
	// minFrames is the shortest match that is worth keeping, in frames: a second of a duel.
	minFrames = 60
)

// ErrFull is returned by a [Tape] once the recording has [MaxTape] bytes, and the part so far can be played; or once
// the store has dropped it.
var ErrFull = errors.New("recordings: no room for more of the match")

// Store has the recordings of the most recent matches. The zero value is empty. It is safe for concurrent use:
// matches write on goroutines of their own.
type Store struct {
	mu    sync.Mutex
	tapes []*Tape // by age, the oldest first
	bytes int
	count uint64
	last  uint64 // the newest number of a series
}

// Tape is the [io.Writer] that a match is recorded to.
type Tape struct {
	store  *Store
	id     uint64
	series uint64
	b      []byte
	look   bool // there is new data, which may complete it
	ended  bool // it is complete, or nothing more will be written
	gone   bool // it was dropped
	about  Recording
	names  [MaxPlayers]string // the names set after the beginning
	called bool
}

// Recording is a match that is kept.
type Recording struct {
	// ID distinguishes it from others in the store.
	ID uint64
	Info
	Game    string
	Seed    uint64
	Created int64 // milliseconds since 1970
	Players int
	Rate    int // frames a second
	Frames  uint32
	// Finished says that the game has ended the match, with Result.
	Finished bool
	Result   uint64
	// Hash is the hash of the last state, if Hashed.
	Hash   uint64
	Hashed bool
	// Reason is why the recording ended before the match; empty if it did not.
	Reason string
	// Bytes is the file. It must not be changed.
	Bytes []byte
}

// NewSeries returns a number for the rounds of a match, which no other match has; see [Info].
func (s *Store) NewSeries() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	return s.last
}

// Begin begins the recording of a match. If there are too many recordings, the oldest are removed.
func (s *Store) Begin(i Info) *Tape {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	t := &Tape{store: s, id: s.count, series: i.Series}
	s.tapes = append(s.tapes, t)
	s.shrink()
	return t
}

// Write appends bytes of the recording.
func (t *Tape) Write(b []byte) (int, error) {
	s := t.store
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case t.gone || t.ended:
		return 0, ErrFull
	case len(t.b)+len(b) > MaxTape:
		t.look, t.ended = true, true
		return 0, ErrFull
	}
	t.b = append(t.b, b...)
	t.look = true
	s.bytes += len(b)
	s.shrink()
	if t.gone {
		return 0, ErrFull
	}
	return len(b), nil
}

// Call sets the names of the players if they become known after the beginning: in a match of a server they join and
// leave. The store lists these names; the file has those of the beginning.
func (t *Tape) Call(names [MaxPlayers]string) {
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	if t.called && t.names == names {
		return
	}
	t.names, t.called, t.look = names, true, true
}

// Drop removes a recording that has not begun.
func (t *Tape) Drop() {
	s := t.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.tapes, t); i >= 0 {
		s.drop(i)
	}
}

// shrink drops the oldest recordings.
func (s *Store) shrink() {
	for len(s.tapes) > 1 && (s.bytes > MaxBytes || len(s.tapes) > maxTapes || s.matches() > MaxMatches) {
		s.drop(0)
	}
}

// matches returns the number of matches.
func (s *Store) matches() (n int) {
	for i, t := range s.tapes {
		if t.series == 0 || !slices.ContainsFunc(s.tapes[:i], func(o *Tape) bool { return o.series == t.series }) {
			n++
		}
	}
	return n
}

func (s *Store) drop(i int) {
	t := s.tapes[i]
	s.bytes -= len(t.b)
	t.gone, t.b = true, nil
	s.tapes = slices.Delete(s.tapes, i, i+1)
}

// List returns the complete matches, newest first. Matches with fewer than 60 frames are not kept.
func (s *Store) List() (list []Recording) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle()
	for _, t := range slices.Backward(s.tapes) {
		if t.ended {
			list = append(list, t.about)
		}
	}
	return list
}

// Len returns the length of [Store.List].
func (s *Store) Len() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle()
	for _, t := range s.tapes {
		if t.ended {
			n++
		}
	}
	return n
}

// settle examines everything written since the last call.
func (s *Store) settle() {
	for i := len(s.tapes) - 1; i >= 0; i-- {
		t := s.tapes[i]
		if !t.look {
			continue
		}
		t.look = false
		if t.read(); t.ended && t.about.Frames < minFrames {
			s.drop(i)
		}
	}
}

// read finds out what the recording contains, and whether it is complete.
func (t *Tape) read() {
	r, err := tbr.Open(bytes.NewReader(t.b), int64(len(t.b)))
	if err != nil {
		return // not even its beginning is complete
	}
	h := r.Header()
	t.about = Recording{
		ID: t.id, Info: InfoOf(h), Game: h.Game, Seed: h.Seed, Created: h.Created, Players: h.Shape.Players, Rate: h.TickRate,
		Frames: r.Next() - r.First(), Bytes: t.b[:len(t.b):len(t.b)],
	}
	for p, name := range t.names {
		if name = Clean(name); name != "" {
			t.about.Names[p] = name
		}
	}
	if e, closed := r.End(); closed {
		t.ended = true
		t.about.Finished, t.about.Result, t.about.Hash, t.about.Hashed, t.about.Reason = e.Finished, e.Result, e.Hash, e.Hashed, e.Reason
	} else if t.ended {
		t.about.Reason = fmt.Sprintf("the recording has no room: it has %d bytes", len(t.b))
	}
}
