package tickback_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
)

// tour is a recording of a match of noisy with 2000 frames, and the sum in each state.
func tour(t *testing.T) (file []byte, sums []uint64) {
	t.Helper()
	var out bytes.Buffer
	o := tickback.Options[counter, uint32]{
		Players: 2, TickRate: 50, Match: tickback.Parameters{Seed: 3, Frames: 2000, Data: []byte("dusk")}, Record: &out, Build: "1.0",
	}
	w, n := newWatch(), uint32(0)
	o.Advanced.Now = w.Now
	o.Sample = func(tickback.Player) uint32 { n++; return n % 97 }
	m, err := tickback.Local(noisy, o)
	if err != nil {
		t.Fatal(err)
	}
	sums = []uint64{0}
	for m.Stats().Phase != tickback.Lobby || m.View().Frame < 2000 {
		if _, err := m.Update(); err != nil {
			t.Fatal(err)
		}
		for f := len(sums); f <= int(m.View().Frame); f++ {
			sums = append(sums, m.View().Current.Sum)
		}
		w.advance(time.Second / 50)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), sums
}

func replaying(t *testing.T, file []byte, o tickback.ReplayOptions[counter, uint32]) (*tickback.Replayer[counter, uint32], *watch) {
	t.Helper()
	w := newWatch()
	o.Advanced.Now = w.Now
	r, err := tickback.Replay(noisy, bytes.NewReader(file), int64(len(file)), o)
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

func kinds(s tickback.Session[counter]) (text string) {
	for _, e := range s.Events() {
		text += e.What.String() + " "
	}
	return text
}

// Rule: a recording is played at the pace of the match, from its beginning to its end.
func TestAReplayIsASession(t *testing.T) {
	file, sums := tour(t)
	r, w := replaying(t, file, tickback.ReplayOptions[counter, uint32]{
		Build: "1.0", Start: func(p tickback.Parameters) (func(*counter), error) {
			if p.Seed != 3 || p.Frames != 2000 || string(p.Data) != "dusk" {
				t.Errorf("the parameters are %+v", p)
			}
			return nil, nil
		},
	})
	var s tickback.Session[counter] = r
	begin := w.now
	bangs, hums := 0, 0
	for _, over := s.Outcome(); !over; _, over = s.Outcome() {
		wait, err := s.Update()
		if err != nil || wait < 0 || wait > time.Second/50 {
			t.Fatalf("wait %v, %v", wait, err)
		}
		v := s.View()
		if due := int(w.now.Sub(begin)/(time.Second/50)) + 1; int(v.Frame) != min(due, 2000) || v.Current.Sum != sums[v.Frame] || v.Running != (v.Frame < 2000) {
			t.Fatalf("after %v frame %d, due %d, sum %d, want %d", w.now.Sub(begin), v.Frame, due, v.Current.Sum, sums[v.Frame])
		}
		for _, e := range s.Effects() {
			if bang.Is(&e) {
				bangs++
			} else if e.What.String() == "started" {
				hums++
			}
		}
		w.advance(7 * time.Millisecond)
	}
	if bangs != 2*40 || hums != 20 {
		t.Errorf("%d events of bangs, %d hums", bangs, hums)
	}
	o, _ := s.Outcome()
	if o.Frames != 2000 || o.Health != tickback.Healthy || o.Match != 1 || o.Chain == 0 || s.Stats().Health != tickback.Healthy {
		t.Errorf("%+v, %+v", o, s.Stats())
	}
	if got := kinds(s); got != "started ended " {
		t.Errorf("events: %s", got)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Update(); !errors.Is(err, tickback.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if err := r.Seek(3); !errors.Is(err, tickback.ErrClosed) {
		t.Errorf("Seek after Close: %v", err)
	}
}

// Rule: a replay can be paused and continued, can step and jump, and can change its speed.
func TestAReplayIsUnderControl(t *testing.T) {
	file, sums := tour(t)
	r, w := replaying(t, file, tickback.ReplayOptions[counter, uint32]{Paused: true})
	at := func(want tickback.Frame) {
		t.Helper()
		update(t, r)
		if v := r.View(); r.At() != want || v.Frame != want || v.Current.Sum != sums[want] || want > 0 && want < 2000 && v.Previous.Sum != sums[want-1] {
			t.Fatalf("at %d, want %d: %+v", r.At(), want, v)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	at(0)
	w.advance(time.Hour)
	at(0)
	must(r.Step(3))
	at(3)
	must(r.Step(-1))
	at(2)
	must(r.Step(-100))
	at(0)
	must(r.Seek(1999))
	at(1999)
	if !r.Paused() || r.First() != 0 || r.Next() != 2000 {
		t.Error("paused no more, or other frames")
	}
	must(r.Step(100))
	at(2000)
	if o, over := r.Outcome(); !over || o.Frames != 2000 {
		t.Errorf("at the end: %+v, %v", o, over)
	}
	must(r.Seek(700))
	if _, over := r.Outcome(); over {
		t.Error("it is over in the middle")
	}
	r.Unpause()
	at(700)
	w.advance(time.Second / 50)
	at(701)
	must(r.SetSpeed(4, 1))
	w.advance(time.Second / 50)
	at(705)
	must(r.SetSpeed(1, 2))
	w.advance(time.Second / 50)
	at(705)
	w.advance(time.Second / 50)
	at(706)
	must(r.SetSpeed(100, 1))
	w.advance(time.Second / 10)
	at(1206)
	r.Pause()
	for _, bad := range [][2]int{{0, 1}, {1, 0}, {-1, 1}, {1 << 20, 1}} {
		if err := r.SetSpeed(bad[0], bad[1]); !errors.Is(err, tickback.ErrOptions) {
			t.Errorf("a speed of %v: %v", bad, err)
		}
	}
	if err := r.Seek(2001); !errors.Is(err, tbr.ErrNoFrame) {
		t.Errorf("beyond the end: %v", err)
	}
	r.Effects()
	must(r.Seek(1985)) // within a hum, after several bangs
	for _, e := range r.Effects() {
		if bang.Is(&e) {
			t.Errorf("it sounds: %v", &e)
		}
	}
	h, _ := replaying(t, file, tickback.ReplayOptions[counter, uint32]{})
	for n := range 100 {
		if period, err := h.Advance(); period != time.Second/50 || int(h.At()) != n+1 || err != nil {
			t.Fatalf("by Advance: at %d, %v, %v", h.At(), period, err)
		}
	}
}

// Rule: damage in a recording is reported, and the intact parts are played.
func TestAReplayWarns(t *testing.T) {
	file, _ := tour(t)
	for _, c := range []struct {
		name, says string
		file       []byte
		o          tickback.ReplayOptions[counter, uint32]
		at         tickback.Frame
	}{
		{"another build", "build", file, tickback.ReplayOptions[counter, uint32]{Build: "1.1"}, 2000},
		{"cut off", "not closed", file[:len(file)-40], tickback.ReplayOptions[counter, uint32]{}, 2000},
		{"damaged", "checksum", damaged(t, file, 800), tickback.ReplayOptions[counter, uint32]{}, 800},
	} {
		r, w := replaying(t, c.file, c.o)
		var said []string
		for range 2100 {
			update(t, r)
			for _, e := range r.Events() {
				if e.What == tickback.Warning {
					said = append(said, fmt.Sprint(e.Frame, e.Text))
				}
			}
			w.advance(time.Second / 50)
		}
		if r.At() != c.at || !strings.Contains(strings.Join(said, "; "), c.says) || len(said) > 2 {
			t.Errorf("%s: at %d, %q", c.name, r.At(), said)
		}
	}
	bad := noisy
	bad.Step = func(s *counter, t *rollback.Tick[uint32]) {
		if noisy.Step(s, t); s.Frames == 1010 {
			s.Sum++
		}
	}
	w := newWatch()
	o := tickback.ReplayOptions[counter, uint32]{}
	o.Advanced.Now = w.Now
	r, err := tickback.Replay(bad, bytes.NewReader(file), int64(len(file)), o)
	if err != nil {
		t.Fatal(err)
	}
	var wrong []tickback.Frame
	for range 2100 {
		update(t, r)
		for _, e := range r.Events() {
			if e.What == tickback.Desync {
				wrong = append(wrong, e.Frame)
			}
		}
		w.advance(time.Second / 50)
	}
	if out, over := r.Outcome(); len(wrong) != 1 || wrong[0] != 1050 || !over || out.Health != tickback.Desynced || r.Stats().Health != tickback.Desynced {
		t.Errorf("a step that differs: %v, %+v", wrong, out)
	}
	if _, err := tickback.Replay(noisy, strings.NewReader("no recording"), 12, o); !errors.Is(err, tbr.ErrMagic) {
		t.Errorf("no recording: %v", err)
	}
	o.GameID = "another"
	var differs *replay.DifferenceError
	if _, err := tickback.Replay(noisy, bytes.NewReader(file), int64(len(file)), o); !errors.As(err, &differs) || differs.Item != "game" {
		t.Errorf("another game: %v", err)
	}
}

// damaged returns a copy of a recording in which the block of a frame is damaged.
func damaged(t *testing.T, file []byte, frame uint32) []byte {
	t.Helper()
	r, err := tbr.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	file = bytes.Clone(file)
	for c, err := range r.Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind == tbr.KindFrames && c.Frame == frame {
			file[int(c.Offset)+10] ^= 1
		}
	}
	return file
}
