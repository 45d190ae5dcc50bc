//go:build !js

package rooms

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// Traffic is counted: messages and their bytes, of members and of clients that violate the
// protocol.
func TestMessagesAreCounted(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		a, room := w.host("10.0.0.1", request{})
		b := w.joins("10.0.0.2", room)
		first := w.Stats()
		q := request{Kind: kindSignal, To: 1, Data: "x"}
		b.says(q, q)
		sent := encode(reply{Kind: kindSignal, From: 2, Data: "x"})
		st := w.Stats()
		if st.MessagesReceived != first.MessagesReceived+2 || st.BytesReceived != first.BytesReceived+2*uint64(len(encode(q))) {
			t.Errorf("received are %d messages, %d bytes", st.MessagesReceived-first.MessagesReceived, st.BytesReceived-first.BytesReceived)
		}
		if st.MessagesSent != first.MessagesSent+2 || st.BytesSent != first.BytesSent+2*uint64(len(sent)) {
			t.Errorf("sent are %d messages, %d bytes", st.MessagesSent-first.MessagesSent, st.BytesSent-first.BytesSent)
		}
		if first.MessagesReceived != 2 || first.MessagesSent != 3 { // two enter; two welcomes, and news for the first
			t.Errorf("to enter takes %d messages, and %d answers", first.MessagesReceived, first.MessagesSent)
		}
		b.conn.Write(t.Context(), websocket.MessageText, bytes.Repeat([]byte(" "), MaxMessage+1))
		if synctest.Wait(); w.Stats().Refused["bad-message"] != 1 || b.gone() == 0 {
			t.Errorf("a message that is too large: %+v", w.Stats().Refused)
		}
		a.conn.Write(t.Context(), websocket.MessageText, append(bytes.Repeat([]byte(" "), MaxMessage-len(encode(q))), encode(q)...))
		if synctest.Wait(); w.Stats().Refused["bad-message"] != 1 || a.gone() != 0 {
			t.Errorf("a message as large as may be: %+v", w.Stats().Refused)
		}
	})
}

// A member can send 512 messages at once and 32 a second, and is cut off when it sends more. A
// message that everybody hears counts eightfold, and so does entering; a refused request
// counts as well.
func TestTheBudgetOfAMember(t *testing.T) {
	signal := request{Kind: kindSignal, To: 1}
	for what, c := range map[string]struct {
		q   request
		fit int // of what is left of 512 messages
	}{
		"a signal": {signal, 512},
		"a status": {request{Kind: kindStatus}, 64},
		"a start":  {request{Kind: kindStart}, 64}, // which is refused
	} {
		inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
			_, room := w.host("10.0.0.1", request{})
			g := w.joins("10.0.0.2", room)
			more := func(n int) bool {
				for range n {
					g.says(c.q)
				}
				_, final := g.hearsError()
				return !final
			}
			bytes := float64(len(encode(c.q))) / 4096 // which count a little, too
			each := 512 / float64(c.fit)
			fits := int(512 / (each + bytes))
			if !more(fits) {
				t.Fatalf("%s: cut off within %d", what, fits)
			}
			w.pass(2 * time.Second)
			if fits = int((64 + 512 - float64(fits)*(each+bytes)) / (each + bytes)); !more(fits) {
				t.Fatalf("%s: cut off within %d, two seconds later", what, fits)
			}
			g.conn.Write(t.Context(), websocket.MessageText, encode(c.q))
			if code, final := g.hearsError(); code != "rate" || !final || w.Stats().Limited[limitMessages] != 1 || w.Stats().Refused["rate"] != 1 {
				t.Errorf("%s: for one more it hears %q, and counted are %v", what, code, w.Stats().Limited)
			}
		})
	}
}

// Entering counts for the address, even if it is refused.
func TestEnteringCountsForTheAddress(t *testing.T) {
	for _, room := range []string{"", "none"} {
		inVirtualTime(t, Config{MessagesPerSecond: 1, Burst: 1}, func(t *testing.T, w *world) { // 16 at once for an address
			q := request{Kind: kindCreate, Game: "pong", Seats: 2}
			if room != "" {
				q = request{Kind: kindJoin, Game: "pong", Room: room}
			}
			w.guest("10.0.0.1").says(q)
			if n := w.Stats().Delayed; n != 0 {
				t.Fatalf("the first one waits")
			}
			w.guest("10.0.0.1").says(q) // each costs 8 and a little for its bytes
			if n := w.Stats().Delayed; n != 1 {
				t.Errorf("%q: of two that enter %d wait", q.Kind, n)
			}
		})
	}
}

// A client is not read while its address has sent more than it may.
func TestMessagesWaitUntilTheyArePaid(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		_, room := w.host("10.0.0.1", request{})
		g := w.joins("10.0.0.2", room)
		w.mu.Lock()
		near, _ := w.hub.visitors.of(addressOf("10.0.0.2"))
		near.messages = bucket{used: 8192, last: time.Now()}
		w.mu.Unlock()
		began, q := time.Now(), request{Kind: kindSignal, To: 1}
		g.says(q, q, q) // the last one is taken when two are paid, of which an address sends 512 a second
		want := time.Duration(2 * (1 + float64(len(encode(q)))/4096) / 512 * float64(time.Second))
		if took := time.Since(began); (took-want).Abs() > time.Microsecond || w.Stats().Delayed != 3 {
			t.Errorf("%v, want %v; %d have waited", took, want, w.Stats().Delayed)
		}
	})
}

// A refused request is answered, counted, and ends nothing.
func TestARefusedWishEndsNothing(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		host, room := w.host("10.0.0.1", request{})
		b := w.joins("10.0.0.2", room)
		b.says(request{Kind: kindStart})
		if code, final := b.hearsError(); code != "host" || final || w.Stats().Refused["host"] != 1 {
			t.Errorf("it hears %q, final %v, and counted are %v", code, final, w.Stats().Refused)
		}
		host.says(request{Kind: kindStart})
		if list := b.hears(); len(list) != 1 || list[0].State == nil || list[0].State.Match != 1 {
			t.Errorf("then it hears %+v", list)
		}
	})
}

// Each refusal is logged: of a connection, of entering, and of a request.
func TestRefusalsAreLogged(t *testing.T) {
	var log records
	inVirtualTime(t, Config{PerAddress: 2, Log: slog.New(&log)}, func(t *testing.T, w *world) {
		_, room := w.host("10.0.0.1", request{})
		w.joins("10.0.0.1", room).says(request{Kind: kindStart})
		w.connect("10.0.0.1")
		w.joins("10.0.0.2", "nowhere")
		if log.refused != 3 || log.made != 1 || !strings.Contains(log.text.String(), "reason=gone") {
			t.Errorf("%d are logged: %s", log.refused, log.text.String())
		}
	})
}

// A request that asks for no WebSocket is answered, and logged with what is wrong with it.
func TestARequestForSomethingElseIsLogged(t *testing.T) {
	var log records
	inVirtualTime(t, Config{Log: slog.New(&log)}, func(t *testing.T, w *world) {
		answer := httptest.NewRecorder()
		w.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "http://localhost/", nil))
		if answer.Code != http.StatusUpgradeRequired || w.Stats().Connections != 0 {
			t.Errorf("the answer is %d, and there are %d connections", answer.Code, w.Stats().Connections)
		}
		if text := log.text.String(); !strings.Contains(text, "error=") || !strings.Contains(text, "Upgrade") {
			t.Errorf("logged is %q", text)
		}
	})
}

// A member that was kicked, whose place was taken over, or whose room has ended learns that
// once, and its messages after that, before it closes the connection, have no effect.
func TestAfterTheLastWordNothingIsDone(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		host, room := w.host("10.0.0.1", request{Seats: 3})
		g := w.guest("10.0.0.2")
		g.says(request{Kind: kindJoin, Game: "pong", Room: room})
		var at *conn
		w.mu.Lock()
		for c := range w.conns {
			if c.at.member.ID == 2 {
				at = c
			}
		}
		w.mu.Unlock()
		secret := g.hears()[0].Secret
		again := w.guest("10.0.0.2")
		again.says(request{Kind: kindRejoin, Game: "pong", Room: room, Secret: secret})
		if _, err := at.handled(&request{Kind: kindStatus, Data: "late"}, 1); !errors.Is(err, ErrReplaced) {
			t.Errorf("of a place that was taken over: %v", err)
		}
		host.says(request{Kind: kindKick, To: 2})
		if _, err := at.handled(&request{Kind: kindStatus, Data: "late"}, 1); !errors.Is(err, ErrMember) {
			t.Errorf("of a member that was sent away: %v", err)
		}
		for _, r := range host.hears() {
			if r.State != nil && len(r.State.Members) > 1 && r.State.Members[1].Status != "" {
				t.Errorf("the host hears %+v", r.State)
			}
		}
		if code, final := g.hearsError(); code != "replaced" || !final {
			t.Errorf("the one before hears %q", code)
		}
		if code, final := again.hearsError(); code != "kicked" || !final {
			t.Errorf("who is sent away hears %q", code)
		}
	})
}

// A member that leaves gives its place up at once, and its connection is closed; one that
// closes the connection keeps its place.
func TestLeavingIsNotHangingUp(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		_, room := w.host("10.0.0.1", request{Seats: 3})
		a, b := w.joins("10.0.0.2", room), w.joins("10.0.0.3", room)
		a.says(request{Kind: kindLeave})
		b.conn.CloseNow()
		synctest.Wait()
		if st := w.Stats(); st.Members != 2 || st.Connected != 1 || st.Connections != 1 || a.gone() == 0 {
			t.Errorf("%+v, and who has left is gone after %v", st, a.gone())
		}
	})
}

// A client that has to make room for others no longer counts, is told so, and is cut off a
// second later if it does not leave by itself.
func TestWhoGivesWayHasASecond(t *testing.T) {
	for after, hears := range map[time.Duration]bool{time.Second - 1: true, time.Second + 1: false} {
		inVirtualTime(t, Config{MaxConnections: 4}, func(t *testing.T, w *world) {
			stuck, _ := w.connect("10.0.0.1") // takes nothing yet
			w.guest("10.0.0.2")
			if st := w.Stats(); st.Entering != 1 || st.Connections != 1 || st.Limited[limitEntry] != 1 {
				t.Errorf("%+v", st)
			}
			w.pass(after)
			if _, b, err := stuck.conn.Read(t.Context()); (err == nil) != hears || hears && !bytes.Contains(b, []byte("server-full")) {
				t.Errorf("after %v it hears %s, %v", after, b, err)
			}
		})
	}
}

// A server that ends notifies all, including those in no room, and waits until they have gone;
// new ones are refused from the beginning. Clients that do not leave are cut off when the time
// is up.
func TestAServerEnds(t *testing.T) {
	inVirtualTime(t, Config{WriteTimeout: time.Hour}, func(t *testing.T, w *world) {
		member, room := w.host("10.0.0.1", request{})
		other := w.joins("10.0.0.2", room)
		silent := w.guest("10.0.0.3")
		if err := w.Close(t.Context()); err != nil {
			t.Error(err)
		}
		for _, g := range []*guest{member, other, silent} {
			if code, final := g.hearsError(); code != "shutdown" || !final {
				t.Errorf("it hears %q, final %v", code, final)
			}
		}
		if st := w.Stats(); st.Rooms+st.Members+st.Connections+st.Entering != 0 {
			t.Errorf("left are %+v", st)
		}
		if _, status := w.connect("10.0.0.4"); status != http.StatusServiceUnavailable || w.Stats().Refused["shutdown"] != 1 {
			t.Errorf("a newcomer gets %d", status)
		}
		if err := w.Close(t.Context()); err != nil {
			t.Errorf("once more: %v", err)
		}
	})
	inVirtualTime(t, Config{WriteTimeout: time.Hour, PingEvery: time.Hour}, func(t *testing.T, w *world) {
		w.connect("10.0.0.1") // reads nothing
		began := time.Now()
		why := errors.New("enough")
		ctx, cancel := context.WithTimeoutCause(t.Context(), 3*time.Second, why)
		defer cancel()
		if err := w.Close(ctx); !errors.Is(err, why) || time.Since(began) != 3*time.Second {
			t.Errorf("who does not go ends it with %v, after %v", err, time.Since(began))
		}
	})
}

// A connection without the subprotocol is closed, and a refused request gets the reason as a
// status that programs know.
func TestAnswersBeforeTheFirstMessage(t *testing.T) {
	inVirtualTime(t, Config{PerAddress: 1, MaxConnections: 2}, func(t *testing.T, w *world) {
		c, _, err := websocket.Dial(t.Context(), "ws://rooms/", &websocket.DialOptions{HTTPClient: w.web})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err = c.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusPolicyViolation || !strings.Contains(err.Error(), Subprotocol) {
			t.Errorf("without the subprotocol: %v", err)
		}
		c.CloseNow()
		synctest.Wait()
		w.host("10.0.0.1", request{})
		if _, status := w.connect("10.0.0.1"); status != http.StatusTooManyRequests {
			t.Errorf("one too many of an address: %d", status)
		}
		w.host("10.0.1.1", request{})
		if _, status := w.connect("10.0.2.1"); status != http.StatusServiceUnavailable {
			t.Errorf("one too many of all: %d", status)
		}
		r := httptest.NewRequest(http.MethodGet, "http://evil.example/", nil)
		r.Header.Set("Origin", "http://evil.example")
		answer := httptest.NewRecorder()
		if w.ServeHTTP(answer, r); answer.Code != http.StatusForbidden || !strings.Contains(answer.Body.String(), "evil.example") {
			t.Errorf("by another name: %d, %s", answer.Code, answer.Body)
		}
	})
}

// A client's bytes are read no faster than 32 KiB a second, after 256 KiB at once.
func TestBytesAreReadNoFasterThanTheyMayCome(t *testing.T) {
	inVirtualTime(t, Config{MessagesPerSecond: 1 << 16, Burst: 1 << 16}, func(t *testing.T, w *world) {
		g, _ := w.host("10.0.0.1", request{})
		q := request{Kind: kindSignal, To: 1, Data: strings.Repeat("x", 8000)}
		const header = 8 // of a frame
		fits := 256 << 10 / (len(encode(q)) + header)
		began := time.Now()
		for range fits {
			g.says(q)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("256 KiB take %v", took)
		}
		for range 10 {
			g.says(q)
		}
		want := time.Duration(9.5 * float64(len(encode(q))+header) / (32 << 10) * float64(time.Second))
		if took := time.Since(began); (took - want).Abs() > want/10 {
			t.Errorf("%d bytes more take %v, want %v", 10*len(encode(q)), took, want)
		}
	})
}
