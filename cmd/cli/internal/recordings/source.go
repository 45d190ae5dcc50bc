package recordings

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
)

// recordingFile is a recording that is being read. Its format is recognized by its content, not its name.
type recordingFile struct {
	path   string
	r      *tbr.Reader // nil for RPLK
	stream io.Reader   // for RPLK: reads it from the beginning
	size   int64       // in bytes; 0 for RPLK from a stream
	opened []*os.File
	temp   []*os.File
}

// open opens a recording, or the standard input for "-". Errors name the path.
func (a *family) open(ctx context.Context, path string) (*recordingFile, error) {
	s := &recordingFile{path: path}
	src := io.Reader(&console.Interruptible{Ctx: ctx, Src: a.Stdin})
	if path != "-" {
		f, err := disk.Open(ctx, path)
		if err != nil {
			return nil, s.name(err)
		}
		s.opened = append(s.opened, f)
		src = f
		if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
			src = &console.Interruptible{Ctx: ctx, Src: f}
		}
	}
	if err := s.sniff(src); err != nil {
		s.close()
		return nil, s.name(err)
	}
	return s, nil
}

// name adds the path to an error.
func (s *recordingFile) name(err error) error {
	var named console.Failure // the error of opening another recording
	switch {
	case errors.Is(err, console.ErrInterrupted) || errors.Is(err, context.Canceled):
		return console.Failed(console.ErrInterrupted)
	case errors.As(err, &named):
		return err
	}
	return console.Failed(fmt.Errorf("%s: %w", disk.NameOf(s.path), disk.Bare(err)))
}

// rplkMagic is the beginning of RPLK files.
const rplkMagic = "RPLK"

// headBytes is how many bytes of a stream are read to recognize its format.
const headBytes = 64

// maxSpooled is the maximum number of bytes of a stream that are copied to a temporary file: a few thousand hours of a
// match of two players.
var maxSpooled int64 = 1 << 30

// sniff recognizes the format. A source without random access, such as a pipe, is copied to a file, unless it is
// RPLK.
func (s *recordingFile) sniff(src io.Reader) error {
	f, ok := src.(*os.File)
	if !ok {
		b := bufio.NewReader(src)
		head, err := b.Peek(headBytes)
		if err != nil && err != io.EOF {
			return err
		}
		if strings.HasPrefix(string(head), rplkMagic) {
			s.stream = b
			return nil
		}
		// A stream is only copied if it begins like a recording, since it may be endless.
		if _, err := tbr.Open(bytes.NewReader(head), int64(len(head))); errors.Is(err, tbr.ErrMagic) {
			return err
		}
		if f, err = s.spool(); err != nil {
			return err
		}
		if n, err := io.Copy(f, io.LimitReader(b, maxSpooled+1)); err != nil {
			return err
		} else if n > maxSpooled {
			return fmt.Errorf("more than %d MiB come from what is no file: save it to one first", maxSpooled>>20)
		}
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	s.size = info.Size()
	var head [len(rplkMagic)]byte
	if n, err := f.ReadAt(head[:], 0); err != nil && err != io.EOF {
		return err
	} else if string(head[:n]) == rplkMagic {
		s.stream = f
		return nil
	}
	s.r, err = tbr.Open(f, s.size)
	return err
}

// spool makes a temporary file that is removed with the source.
func (s *recordingFile) spool() (*os.File, error) {
	f, err := os.CreateTemp("", "tickback-*.tbr")
	if err == nil {
		s.temp = append(s.temp, f)
	}
	return f, err
}

// close closes the files that were opened, and removes temporary ones.
func (s *recordingFile) close() {
	for _, f := range s.opened {
		f.Close()
	}
	for _, f := range s.temp {
		f.Close()
		os.Remove(f.Name())
	}
}

// gameOf returns the game of the recording: the one that the flag names, or else the one that the recording names, or
// else the first that RPLK supports.
func (a *family) gameOf(s *recordingFile, flag string) (Game, error) {
	switch {
	case s.r == nil && len(a.games.Classic()) == 0:
		return nil, errors.New("this program has no game that RPLK v1 can hold")
	case s.r == nil && flag == "":
		return a.games.Classic()[0], nil
	case s.r == nil:
		g, err := a.games.Classic().Find(flag)
		if err != nil {
			return nil, fmt.Errorf("RPLK v1 cannot hold %s", flag) // the game exists, but not in RPLK
		}
		return g, nil
	case flag != "":
		return a.games.Find(flag)
	}
	g, err := a.games.Find(s.r.Header().Game)
	if err != nil {
		return nil, fmt.Errorf("the recording is of the game %q, which this program does not have: %s", s.r.Header().Game, strings.Join(a.games.IDs(), ", "))
	}
	return g, nil
}

// checkGame returns an error for a flag that names no known game, before any file is opened.
func (a *family) checkGame(flag string) error {
	if flag == "" {
		return nil
	}
	_, err := a.games.Find(flag)
	return err
}

// recorded is a recording in any format, with its game.
type recorded struct {
	*recordingFile
	r      *tbr.Reader
	game   Game
	replay replay.Game
}

// recorded opens a recording with its game. One in RPLK is converted: then its hashes are computed by this build.
func (a *family) recorded(ctx context.Context, s *recordingFile, flag string) (*recorded, error) {
	g, err := a.gameOf(s, flag)
	if err != nil {
		return nil, err
	}
	m := &recorded{recordingFile: s, r: s.r, game: g}
	if m.replay, err = g.recorded(); err != nil {
		return nil, err
	}
	if m.r == nil {
		m.r, err = a.translate(ctx, m)
	}
	return m, err
}

// translate converts a recording from RPLK. The result is in a file that is removed with the source.
func (a *family) translate(ctx context.Context, m *recorded) (*tbr.Reader, error) {
	src, err := rplk.NewReader(m.stream)
	if err != nil {
		return nil, err
	}
	f, err := m.spool()
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(f, 64<<10)
	p := console.NewProgress(a.Stderr, int64(src.Header().Frames), "simulating")
	defer p.Hide()
	done := uint32(0)
	err = console.CatchPanic(func() error {
		return replay.Import(ctx, w, src, m.game.rplkHeader(src.Header()), m.replay, m.game.buttons(), func(now uint32) {
			p.Add(int64(now - done))
			done = now
		})
	})
	if err := cmp.Or(err, w.Flush()); err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return tbr.Open(f, info.Size())
}

// with opens a recording with its game, and passes it to work.
func (a *family) with(ctx context.Context, path, flag string, work func(m *recorded) error) error {
	if err := a.checkGame(flag); err != nil {
		return err
	}
	s, err := a.open(ctx, path)
	if err != nil {
		return err
	}
	defer s.close()
	err = console.CatchPanic(func() error {
		m, err := a.recorded(ctx, s, flag)
		if err != nil {
			return err
		}
		return work(m)
	})
	if err == nil || errors.Is(err, console.ErrReported) || a.Unwritten(err) {
		return err
	}
	return s.name(err)
}
