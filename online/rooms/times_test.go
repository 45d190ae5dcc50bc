//go:build !js

package rooms

import (
	"net/http"
	"testing"
	"time"
)

// A silent connection is closed after 10 s, and not before; then it no longer counts.
func TestWhoSaysNothingHasTenSeconds(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		silent := w.guest("10.0.0.1")
		w.pass(10*time.Second - 1)
		if st := w.Stats(); silent.gone() != 0 || st.Entering != 1 || st.Connections != 1 {
			t.Errorf("after less than that: %v, %+v", silent.gone(), st)
		}
		w.pass(time.Second)
		if st := w.Stats(); silent.gone() != 10*time.Second || st.Entering+st.Connections != 0 {
			t.Errorf("it is hung up on after %v: %+v", silent.gone(), st)
		}
	})
}

// A ping is sent every 20 s, as one of the WebSocket and as a message; clients that answer
// stay.
func TestWhoAnswersPingsStays(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		host, _ := w.host("10.0.0.1", request{})
		w.pass(time.Hour)
		pings := 0
		for _, r := range host.hears() {
			if r.Kind == kindPing {
				pings++
			}
		}
		if host.gone() != 0 || pings != 180 {
			t.Errorf("gone after %v, with %d pings", host.gone(), pings)
		}
	})
}

// A client that answers no ping, because it does not read, counts as away when the next one is
// due, and its place is kept for two minutes more.
func TestWhoAnswersNoPingIsAway(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		host, room := w.host("10.0.0.1", request{})
		w.web.Transport.(*http.Transport).DialContext = w.door.dialRoomy
		deaf, _ := w.connect("10.0.0.2")
		deaf.says(request{Kind: kindJoin, Game: "pong", Room: room})
		connected := func() (is []bool) {
			for _, r := range host.hears() {
				if r.State != nil {
					is = nil
					for _, m := range r.State.Members {
						is = append(is, m.Connected)
					}
				}
			}
			return is
		}
		if is := connected(); len(is) != 2 || !is[1] {
			t.Fatalf("connected are %v", is)
		}
		w.pass(40*time.Second - 1)
		if is := connected(); is != nil {
			t.Fatalf("before 40 s are over, connected are %v", is)
		}
		w.pass(1)
		if is := connected(); len(is) != 2 || is[1] {
			t.Errorf("after 40 s connected are %v", is)
		}
		w.pass(2 * time.Minute)
		if is := connected(); len(is) != 2 { // others may take it in the meantime, which is announced
			t.Errorf("its place is given up in less than two minutes: %v", is)
		}
		w.pass(5 * time.Second) // at which the server looks again, at the latest
		if is := connected(); len(is) != 1 {
			t.Errorf("its place is kept: %v", is)
		}
	})
}

// A client that accepts no message for 10 s is cut off.
func TestWhoTakesNoMessageIsCutOff(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		_, room := w.host("10.0.0.1", request{})
		deaf, _ := w.connect("10.0.0.2")
		deaf.says(request{Kind: kindJoin, Game: "pong", Room: room})
		w.pass(10*time.Second - 1)
		if st := w.Stats(); st.Connected != 2 {
			t.Errorf("before 10 s are over %d are connected", st.Connected)
		}
		w.pass(1)
		if st := w.Stats(); st.Connected != 1 || st.Connections != 1 || st.Members != 2 {
			t.Errorf("after 10 s: %+v", st)
		}
	})
}

// A server checks often enough for what has lasted too long: every 5 s, or eight times in the
// shortest of its time-outs.
func TestHowOftenAServerLooks(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want time.Duration // within which a room has ended
	}{
		{Config{}, 2*time.Minute + 5*time.Second},
		{Config{Grace: 800 * time.Millisecond}, 900 * time.Millisecond},
		{Config{Grace: 8 * time.Millisecond}, 13 * time.Millisecond},
		{Config{Grace: time.Hour, MaxAge: 8 * time.Second}, 9 * time.Second},
		{Config{Grace: time.Hour, MaxIdle: 8 * time.Second}, 9 * time.Second},
	} {
		inVirtualTime(t, c.cfg, func(t *testing.T, w *world) {
			w.pass(time.Millisecond / 2) // not at the same moment as the server looks
			host, _ := w.host("10.0.0.1", request{})
			host.conn.CloseNow()
			w.pass(c.want)
			if n := w.Stats().Rooms; n != 0 {
				t.Errorf("%+v: the room is there after %v", c.cfg, c.want)
			}
		})
	}
}

// A room ends when it is 12 hours old, and when there have been no messages for 3 hours: then
// a member that only answers pings is told.
func TestRoomsEndByAgeAndBySilence(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		quiet, _ := w.host("10.0.0.1", request{})
		busy, _ := w.host("10.0.0.2", request{})
		for range 11 {
			w.pass(time.Hour)
			busy.says(request{Kind: kindStatus, Data: "here"})
		}
		if code, final := quiet.hearsError(); code != "expired" || !final || quiet.gone() < 3*time.Hour || quiet.gone() > 3*time.Hour+10*time.Second {
			t.Errorf("who is silent hears %q, and is gone after %v", code, quiet.gone())
		}
		if busy.gone() != 0 {
			t.Errorf("who is not silent is gone after %v", busy.gone())
		}
		w.pass(time.Hour + 10*time.Second)
		if code, _ := busy.hearsError(); code != "expired" || busy.gone() < 12*time.Hour {
			t.Errorf("in an old room it hears %q, and is gone after %v", code, busy.gone())
		}
	})
}
