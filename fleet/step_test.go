package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// An owner that keeps the time itself calls Step once for each frame, after the
// period that it returned: both peers play at the nominal rate, keep pace, and each frame is sampled
// once.
func TestStepKeepsPace(t *testing.T) {
	for _, late := range []time.Duration{0, 7 * time.Millisecond} {
		l := newLab(t, 2, delay(50*time.Millisecond), frames(1200))
		next := []time.Duration{0, late}
		sent := 0
		l.OnSend = func(int, int, []byte) { sent++ }
		playing := 0
		for l.Now = 0; l.Now < 30*time.Second; l.Now += 500 * time.Microsecond {
			for l.deliver(l.Now, l.Now+1) {
			}
			for i, p := range l.Peers {
				if l.Now < next[i] {
					continue
				}
				period := p.Step(l.Now)
				if period < 15*time.Millisecond || period > 18*time.Millisecond {
					t.Fatalf("a period of %v", period)
				}
				next[i] += period
				l.send(p)
				p.Events = append(p.Events, p.Session.Events()...)
			}
			if l.Peers[0].Phase() == session.Playing {
				if playing == 0 {
					sent = 0
				}
				playing++
			}
			if _, ok := l.Peers[0].Outcome(); ok && l.Peers[1].Phase() == session.Lobby {
				break
			}
		}
		l.same(0, l.Peers...)
		l.healthy()
		l.sampledInOrder(0, 0, 0, 1)
		l.sampledInOrder(0, 0, 1, 1)
		seconds := float64(playing) / 2000
		if seconds < 19.5 || seconds > 21 {
			t.Errorf("1200 frames took %.1f s", seconds)
		}
		if rate := float64(sent) / 2 / seconds; rate < 55 || rate > 66 {
			t.Errorf("%.1f datagrams a second", rate)
		}
		a, b := l.Peers[0].Stats(nil).Links[0], l.Peers[1].Stats(nil).Links[0]
		if d := (a.Lag - b.Lag).Abs(); d > 3*time.Millisecond {
			t.Errorf("the lags are %v and %v", a.Lag, b.Lag)
		}
	}
}

// Progress is between zero and a period, and never goes back within a frame.
func TestProgressIsSteady(t *testing.T) {
	l := newLab(t, 2, delay(30*time.Millisecond))
	l.play()
	p := l.Peers[0]
	last, frame := time.Duration(0), p.Frame()
	for range 3000 {
		l.pass(time.Millisecond)
		passed, full := p.Progress(p.clock.Local(l.Now))
		if passed < 0 || passed > full || full != period {
			t.Fatalf("%v of %v have passed", passed, full)
		}
		if p.Frame() == frame && passed < last {
			t.Fatalf("frame %d: %v, then %v", frame, last, passed)
		}
		last, frame = passed, p.Frame()
	}
}
