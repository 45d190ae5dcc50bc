package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"math"
	"net"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/tickback/tickback/play/app"
)

// windowFlags returns the flags for one window or for two; two play a match at the address.
func windowFlags(n int, address string) [][]string {
	if n < 2 {
		return [][]string{{"-mode", "versus-bot", "-seed", "5"}}
	}
	return [][]string{
		{"-host", address, "-search-port", "-1", "-game", "duel", "-start", "2"},
		{"-join", address, "-search-port", "-1"},
	}
}

// window is a program that shows a window, and what it reports about its pictures.
type window struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when its output ends

	mu    sync.Mutex
	last  app.Status
	from  float32   // where our fighter was drawn when a key was pressed
	armed bool      // it watches for a picture where the fighter is elsewhere
	seen  time.Time // when the program reported that it had made this picture
	shown uint64    // the number of that picture
}

func startWindow(ctx context.Context, o *arguments, flags []string) (*window, error) {
	all := append([]string{"-silent", "-forget", "-language", "en", "-report", "each", "-size", o.size.String()}, flags...)
	w := &window{cmd: exec.CommandContext(ctx, o.window, all...), ended: make(chan struct{})}
	w.cmd.Env = append(os.Environ(), "LIBGL_ALWAYS_SOFTWARE=1")
	w.cmd.Stderr = os.Stderr
	out, err := w.cmd.StdoutPipe()
	if err == nil {
		err = w.cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	go func() {
		defer close(w.ended)
		for lines.Scan() {
			w.read(lines.Bytes())
		}
	}()
	return w, nil
}

// read handles the program's report about a picture.
func (w *window) read(line []byte) {
	now := time.Now()
	var s app.Status
	if json.Unmarshal(line, &s) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = s
	if w.armed && len(s.Drawn) > 0 && math.Abs(float64(s.Drawn[0]-w.from)) > 0.001 {
		w.armed, w.seen, w.shown = false, now, s.Pictures
	}
}

// arm makes the window watch for a picture that shows that the fighter has moved, and returns the number of the last
// picture.
func (w *window) arm() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed, w.seen = true, time.Time{}
	if len(w.last.Drawn) > 0 {
		w.from = w.last.Drawn[0]
	}
	return w.last.Pictures
}

// found returns when there was such a picture, and its number; the time is zero if there was none.
func (w *window) found() (time.Time, uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen, w.shown
}

// status returns the program's last report, or an error if it has ended.
func (w *window) status() (app.Status, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.ended:
		return w.last, errors.New("the program has ended, or the display has")
	default:
		return w.last, nil
	}
}

// close ends the program.
func (w *window) close() {
	_ = w.cmd.Process.Kill()
	<-w.ended
	_ = w.cmd.Wait() // it was killed
}

// until waits until a condition is true.
func (w *window) until(what string, is func(s *app.Status) bool) error {
	_, err := await(what, w.status, is)
	return err
}

// measureWindows presses keys in a window, and prints how long it took until the windows showed it. The time of a
// picture is when the program has made it, just before it is drawn.
func measureWindows(ctx context.Context, o arguments) error {
	if o.keys < 1 {
		return errors.New("-window needs -keys: how many to press")
	}
	keys, err := openKeyboard()
	if err != nil {
		return err
	}
	defer keys.close()
	address, err := freeAddress()
	if err != nil {
		return err
	}
	var list []*window
	defer func() {
		for _, w := range list {
			w.close()
		}
	}()
	for _, flags := range windowFlags(o.pages, address) {
		w, err := startWindow(ctx, &o, flags)
		if err != nil {
			return err
		}
		list = append(list, w)
		if err := w.until("it shows pictures", func(s *app.Status) bool { return s.Pictures > 10 }); err != nil {
			return err
		}
	}
	for _, w := range list {
		if err := w.until("the fight has begun", func(s *app.Status) bool { return s.Frame > countdown && len(s.Drawn) > 0 }); err != nil {
			return err
		}
	}
	if err := keys.focus(list[0].cmd.Process.Pid); err != nil {
		return err
	}
	var found delays
	for i := range o.keys {
		time.Sleep(restTime)
		before := uint64(0)
		for k, w := range list {
			if last := w.arm(); k == 0 {
				before = last
			}
		}
		pressed := time.Now()
		if err := keys.press([...]rune{'d', 'a'}[i%2], holdKey); err != nil {
			return err
		}
		time.Sleep(restTime / 2)
		for k, w := range list {
			if _, err := w.status(); err != nil {
				return err
			}
			seen, picture := w.found()
			switch ms := seen.Sub(pressed).Seconds() * 1000; {
			case seen.IsZero():
				return errNobodyMoves
			case k == 0:
				found.add(ms, int(picture-before))
			default:
				found.remote = append(found.remote, ms)
			}
		}
	}
	s, err := list[0].status()
	if err != nil {
		return err
	}
	found.print(&s)
	return nil
}

// freeAddress returns an address on loopback at which nothing listens now.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
