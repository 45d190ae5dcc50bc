package theatre

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// MaxFile is the maximum size of a file in bytes.
const MaxFile = 64 << 20

// Reasons why a file is not played.
var (
	ErrTooLarge = errors.New("the file is too large")
	ErrEmpty    = errors.New("the file is empty")
	// ErrGame says that the recording is of another game.
	ErrGame = errors.New("the recording is of another game")
	// ErrShape says that the recording's game has no matches of this kind.
	ErrShape = errors.New("no match of the game is like that")
	// ErrNothing says that the recording has no frames.
	ErrNothing = errors.New("the recording has no frames")
	// ErrBrowser says that the browser does not provide the bytes of the file.
	ErrBrowser = errors.New("the browser cannot read the file")
)

// OpenError says which file cannot be opened, and why.
type OpenError struct {
	Name string
	Err  error
}

// Error explains the error to players.
func (e *OpenError) Error() string {
	return fmt.Sprintf("%s: %s", recordings.Clean(e.Name), explain(e.Err))
}

// Unwrap returns the reason.
func (e *OpenError) Unwrap() error { return e.Err }

// explain explains an error to players.
func explain(err error) string {
	is := func(list ...error) bool {
		for _, e := range list {
			if errors.Is(err, e) {
				return true
			}
		}
		return false
	}
	switch {
	case is(tbr.ErrMagic, rplk.ErrMagic):
		return words.T("this is no recording. It takes files that end in .tbr or .rplk.")
	case is(tbr.ErrVersion, rplk.ErrVersion):
		return words.F("the recording has a format that this program does not know. It may be newer: %v", err)
	case is(ErrTooLarge):
		return words.F("the file is too large: it may have %d MiB", MaxFile>>20)
	case is(ErrEmpty):
		return words.T("the file is empty")
	case is(ErrGame):
		return words.F("the recording is of the game %s. Here are duel, arena, tanks and skirmish.", detail(err, ErrGame))
	case is(ErrShape):
		return words.F("no match of the game is like that: %s", detail(err, ErrShape))
	case is(ErrNothing):
		return words.T("the recording has no frames")
	case is(ErrBrowser):
		return words.T("the browser cannot read the file")
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return words.F("the file cannot be read: %v", path.Err)
	}
	return words.F("the file is damaged: %s", Plainly(err))
}

// detail returns the text of an error without its reason.
func detail(err, reason error) string {
	return strings.TrimPrefix(err.Error(), reason.Error()+": ")
}

// Plainly returns the text of an error about a file without the names of packages before it, and without the word
// "damaged", which the surrounding sentence already says.
func Plainly(err error) string {
	text := err.Error()
	for {
		before := text
		for _, prefix := range [...]string{"tbr: ", "rplk: ", "replay: ", "damaged: "} {
			text = strings.TrimPrefix(text, prefix)
		}
		if text == before {
			return text
		}
	}
}

// File is an open recording.
type File struct {
	// Name is the name of the file.
	Name string
	// Reader reads it. RPLK v1 is converted, and then has no hashes.
	Reader *tbr.Reader
	// Info is the recording's own description of its match.
	Info recordings.Info
	// Classic says that it was RPLK v1.
	Classic bool
	// Damage is what is wrong with it, so that not all of it can be played; nil if nothing was found so far.
	Damage error

	original []byte
	bytes    []byte // the original bytes, or the converted ones
	kind     kind
}

// Header returns the header of the recording.
func (f *File) Header() *tbr.Header { return f.Reader.Header() }

// Frames returns the number of frames in the recording.
func (f *File) Frames() uint32 { return f.Reader.Next() - f.Reader.First() }

// Original returns the original file: its name, and its bytes, which must not be changed.
func (f *File) Original() (name string, b []byte) { return f.Name, f.original }

func (f *File) source() io.ReaderAt { return bytes.NewReader(f.bytes) }

// Opening is a file that is being opened.
type Opening struct {
	*Task
	file *File
}

// Open begins to open an untrusted file, in slices. The bytes must not be changed any more.
func Open(name string, b []byte) *Opening {
	o := &Opening{}
	o.Task = Begin(func(p *Pace) error {
		f, err := open(p, name, b)
		if err != nil && !errors.Is(err, errCancelled) {
			err = &OpenError{Name: name, Err: err}
		}
		o.file = f
		return err
	})
	return o
}

// File returns the file, or an [*OpenError], once the task is over.
func (o *Opening) File() (*File, error) { return o.file, o.Err() }

func open(p *Pace, name string, b []byte) (*File, error) {
	switch {
	case len(b) == 0:
		return nil, ErrEmpty
	case len(b) > MaxFile:
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, len(b), MaxFile)
	}
	f := &File{Name: name, original: b, bytes: b}
	if bytes.HasPrefix(b, []byte("RPLK")) {
		if err := f.translate(p); err != nil {
			return nil, err
		}
	}
	var err error
	source := &pacedSource{f.source(), p}
	if f.Reader, err = tbr.Open(source, int64(len(f.bytes))); err != nil {
		return nil, err
	}
	source.p = nil // from now on, other tasks read it
	h, known := f.Header(), false
	if f.kind, known = kindOf(h.Game); !known {
		return nil, fmt.Errorf("%w: %.40q", ErrGame, h.Game)
	}
	if err := f.kind.check(h); err != nil {
		return nil, err
	}
	if f.Frames() == 0 {
		return nil, ErrNothing
	}
	f.Info = recordings.InfoOf(h)
	if f.Damage == nil {
		f.Damage = f.Reader.Damage()
	}
	return f, nil
}

// translate converts RPLK v1 to the format that the rest of the program plays: the same frames, without anything that
// RPLK does not have. Frames after damage are left out.
func (f *File) translate(p *Pace) error {
	src, err := rplk.NewReader(bytes.NewReader(f.bytes))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	h := tbr.Header{
		Game: duel.ID, TickRate: duel.TicksPerSecond, Seed: uint64(src.Header().Seed), KeyframeEvery: tbr.NoKeyframes,
		Shape: agreed.Shape{Players: 2, InputSize: 2},
	}
	w, err := tbr.NewWriter(&out, h)
	if err != nil {
		return err
	}
	rows := make([]rplk.Inputs, 256)
	frame := agreed.Frame{Inputs: make([]byte, 4)}
	for {
		n, err := src.Read(rows)
		for _, in := range rows[:n] {
			for p, buttons := range in {
				frame.Inputs[2*p], frame.Inputs[2*p+1] = byte(buttons), byte(buttons>>8)
			}
			frame.Number = w.Next()
			if err := w.Frame(&frame); err != nil {
				return err
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			f.Damage = err
			break
		}
		if err := p.Yield(); err != nil {
			return err
		}
	}
	err = w.Close(tbr.End{Reason: "converted from RPLK v1"})
	f.bytes, f.Classic = out.Bytes(), true
	return err
}
