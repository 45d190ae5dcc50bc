//go:build !js

package rooms

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Errors are sent as the codes that docs/online.md lists, in its order, and are decoded as the same errors; an unknown
// code is a bad message.
func TestErrorsTravelByTheirCodes(t *testing.T) {
	page, err := os.ReadFile("../../docs/online.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `\\*?rooms\\.\\w+` \\| `([a-z-]+)`").FindAllStringSubmatch(string(page), -1) {
		if !slices.Contains(listed, m[1]) {
			listed = append(listed, m[1])
		}
	}
	if !slices.Equal(Codes(), listed) {
		t.Errorf("the codes are %q, and those of the page %q", Codes(), listed)
	}
	for _, c := range codes {
		r := errorReply(&Error{c.err, "words"}, true)
		got := errorOf(&r, Entry{})
		if r.Code != c.code || !r.Final || !errors.Is(got, c.err) || !strings.HasSuffix(got.Error(), c.err.Error()+": words") {
			t.Errorf("%s: %+v, which is %v", c.code, r, got)
		}
	}
	if got := errorOf(&reply{Code: "else"}, Entry{}); !errors.Is(got, ErrBadMessage) || codeOf(errors.New("else")) != "bad-message" {
		t.Errorf("what is not known is %v", got)
	}
	if got := (&Error{ErrFull, ""}).Error(); got != "rooms: "+ErrFull.Error() {
		t.Errorf("without words it is %q", got)
	}
}

// Another game, and another build, are named on both sides; a game that a server has no rooms for is not named.
func TestMismatchesTravel(t *testing.T) {
	ours := Entry{GameID: "pong", Build: "2"}
	long := strings.Repeat("x", 100)
	for what, c := range map[string]struct {
		r    reply
		want error
	}{
		"a game":        {errorReply(&MismatchError{"game", "pong", "chess"}, true), &MismatchError{"game", "pong", "chess"}},
		"a build":       {errorReply(&MismatchError{"build", "2", "1"}, true), &MismatchError{"build", "2", "1"}},
		"a long game":   {reply{Code: "game", Data: "game", Game: long}, &MismatchError{"game", "pong", long[:64]}},
		"a long build":  {reply{Code: "game", Data: "build", Build: long}, &MismatchError{"build", "2", long[:64]}},
		"no such game":  {errorReply(refuse(ErrGame, "words"), true), &Error{ErrGame, "words"}},
		"another error": {reply{Code: "full", Data: "game", Text: "words"}, &Error{ErrFull, "words"}},
	} {
		got := errorOf(&c.r, ours)
		if got.Error() != c.want.Error() || errors.Is(got, ErrGame) != errors.Is(c.want, ErrGame) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
	if r := errorReply(&MismatchError{"build", "2", "1"}, false); r.Game != "" || r.Build != "1" || r.Final {
		t.Errorf("%+v", r)
	}
	if r := errorReply(&MismatchError{"game", "pong", "chess"}, false); r.Game != "chess" || r.Build != "" || r.Data != "game" {
		t.Errorf("%+v", r)
	}
}

// All limits have different names, by which they are counted.
func TestLimitsHaveNames(t *testing.T) {
	list := Limits()
	slices.Sort(list)
	want := []string{"all-connections", "all-connects", "all-rooms", "connections", "connects", "entry", "host", "messages", "pings", "rooms", "unread"}
	if !slices.Equal(list, want) {
		t.Errorf("%q", list)
	}
}

// A state knows its members, and their seats.
func TestWhoIsInAState(t *testing.T) {
	s := State{Members: []Member{{ID: 1, Seat: NoSeat}, {ID: 3, Seat: 1}}}
	for seat, want := range map[int]uint32{NoSeat: 0, 0: 0, 1: 3} {
		if m, ok := s.At(seat); m.ID != want || ok != (want != 0) {
			t.Errorf("on seat %d is %+v, %v", seat, m, ok)
		}
	}
	for id, want := range map[uint32]bool{0: false, 1: true, 2: false, 3: true} {
		if m, ok := s.Member(id); ok != want || ok && m.ID != id {
			t.Errorf("member %d is %+v, %v", id, m, ok)
		}
	}
}

// Answers of a server without a WebSocket are understood: too many, full, and any other as a server that is not there.
func TestAnswersWithoutAWebSocket(t *testing.T) {
	for status, want := range map[int]error{http.StatusTooManyRequests: ErrRate, http.StatusServiceUnavailable: ErrServerFull, http.StatusNotFound: ErrUnreachable, http.StatusOK: ErrUnreachable} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, strings.Repeat("word", 200), status)
		}))
		_, err := dial(within(t), "ws"+strings.TrimPrefix(web.URL, "http"))
		web.Close()
		var ours *Error
		if !errors.Is(err, want) || !errors.As(err, &ours) || len(ours.Text) > 512 || want != ErrUnreachable && len(ours.Text) != 512 {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// Wrong calls of a client's owner are refused at once, and none of it is remembered.
func TestWhatAClientRefuses(t *testing.T) {
	atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
		d.hears()
		for what, err := range map[string]error{
			"a status": c.SetStatus(strings.Repeat("x", 65)), "settings": c.SetSettings(strings.Repeat("x", 4097)), "a seat": c.TakeSeat(new(16)),
			"match 0": c.Playing(0), "the end of match 0": c.Ended(0),
		} {
			if !errors.Is(err, ErrBadMessage) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if list := d.hears(); len(list) != 0 {
			t.Errorf("it says %+v", list)
		}
		d.breaks()
		time.Sleep(time.Second)
		if list := d.hears(); len(list) != 1 {
			t.Errorf("when it is back it says %+v", list)
		}
	})
}

// Nonsense from the server ends a client, which closes the connection; so does a last message at once.
func TestNonsenseEndsAClient(t *testing.T) {
	atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
		l, _ := d.newest()
		l.toClient <- []byte("{")
		if kinds, e := events(c); kinds[len(kinds)-1] != Closed || !errors.Is(e.Err, ErrBadMessage) {
			t.Errorf("%v, %v", kinds, e.Err)
		}
		<-l.closed
	})
}

// A connection that accepts no greeting fails.
func TestAConnectionThatTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &broken{link{toClient: make(chan []byte), closed: make(chan struct{})}}
		_, err := enterBy(t.Context(), "ws://desk", Entry{GameID: "g", Seats: 2}, func(context.Context, string) (socket, error) { return l, nil })
		if !errors.Is(err, ErrUnreachable) {
			t.Errorf("%v", err)
		}
		<-l.closed
	})
}

// broken is a connection that accepts nothing.
type broken struct{ link }

func (*broken) write(context.Context, []byte) error { return errors.New("broken") }

// A client whose messages are no longer accepted connects again.
func TestAClientWhoseMessagesAreNotTaken(t *testing.T) {
	atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
		events(c)
		l, _ := d.newest()
		l.mu.Lock()
		l.full = true
		l.mu.Unlock()
		if err := c.Signal(1, "x"); err != nil {
			t.Fatal(err)
		}
		if kinds, e := events(c); !slices.Equal(kinds, []EventKind{Away}) || !errors.Is(e.Err, ErrUnreachable) {
			t.Errorf("%v, %v", kinds, e.Err)
		}
	})
}

// A client that enters while a server ends is in no room.
func TestNobodyEntersAServerThatEnds(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		late, _ := w.connect("10.0.0.1") // does not take the last word yet
		ended := make(chan error)
		go func() { ended <- w.Close(t.Context()) }()
		synctest.Wait()
		late.says(request{Kind: kindCreate, Game: "pong", Seats: 2})
		if st := w.Stats(); st.RoomsMade != 0 || st.Refused["shutdown"] != 1 {
			t.Errorf("%+v", st)
		}
		go late.read()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// If no WebSocket can be made, nothing of a request is left.
func TestWhereNoWebSocketIsPossible(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		r := httptest.NewRequest(http.MethodGet, "http://rooms/", nil)
		for name, value := range map[string]string{
			"From": "10.0.0.1", "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
			"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol": Subprotocol,
		} {
			r.Header.Set(name, value)
		}
		w.ServeHTTP(httptest.NewRecorder(), r)
		if st := w.Stats(); st.Connections+st.Entering != 0 {
			t.Errorf("%+v", st)
		}
	})
}

// On a full server nobody makes room for a client that already has as much.
func TestNobodyGivesWayToWhoHasAsMuch(t *testing.T) {
	inVirtualTime(t, Config{MaxConnections: 4}, func(t *testing.T, w *world) {
		for _, from := range []string{"10.0.0.1", "10.0.0.1", "10.0.1.1", "10.0.1.1"} {
			w.host(from, request{})
		}
		if _, status := w.connect("10.0.1.1"); status != http.StatusServiceUnavailable {
			t.Errorf("one more gets %d", status)
		}
		if st := w.Stats(); st.Displaced != 0 || st.Connections != 4 || st.Limited[limitAllConnections] != 1 {
			t.Errorf("%+v", st)
		}
		if _, status := w.connect("10.0.2.1"); status != http.StatusSwitchingProtocols {
			t.Errorf("whoever has less gets %d", status)
		}
	})
}

// Every error says what has happened, with its names and values.
func TestWhatErrorsSay(t *testing.T) {
	for _, c := range []struct {
		err  error
		want []string
	}{
		{&TakenError{By: "Ada"}, []string{ErrMember.Error(), `"Ada" has taken it`}},
		{&TakenError{}, []string{ErrMember.Error(), "another member has taken it"}},
		{&MismatchError{itemBuild, "2", "1"}, []string{"another build", `it has "1"`, `we have "2"`}},
		{&Error{ErrFull, "two watch"}, []string{ErrFull.Error(), "two watch"}},
		{(&room{terms: terms{seats: 2}}).roomToWatch(), []string{ErrFull.Error(), "all 2 seats are taken, and nobody may watch"}},
		{(&room{terms: terms{spectators: 1}, members: []*member{{Member: Member{Seat: NoSeat}}}}).roomToWatch(), []string{ErrFull.Error(), "1 watch, and no more may"}},
	} {
		for _, want := range c.want {
			if !strings.Contains(c.err.Error(), want) {
				t.Errorf("it says %q, want %q", c.err, want)
			}
		}
	}
	if err := (&room{terms: terms{spectators: 2}, members: []*member{{Member: Member{Seat: NoSeat}}, {Member: Member{Seat: 1}}}}).roomToWatch(); err != nil {
		t.Errorf("where one may watch: %v", err)
	}
}

// A part of the common budget is reserved for clients that have sent less than a quarter of their own: they do not wait
// until twice as much was sent.
func TestWhoHasSentLittleDoesNotWaitForOthers(t *testing.T) {
	s := locked(t, Config{})
	now, b := time.Unix(1000, 0), &s.hub.budget
	near, wide := s.hub.visitors.of(addressOf("10.0.0.1"))
	for _, c := range []struct {
		share, all float64 // of what one and all may send at once
		waits      bool
	}{{0, 1.5, false}, {0.25, 1.5, false}, {0.26, 1.5, true}, {0.3, 1.5, true}, {0.3, 0.5, false}, {0, 2.5, true}} {
		near.messages, wide.messages = bucket{last: now}, bucket{last: now}
		s.all.messages = bucket{c.all * b.messages.burst, now}
		one := &conn{server: s, near: near, wide: wide, bucket: bucket{c.share * b.member.burst, now}}
		if wait := one.spend(1, now); (wait > 0) != c.waits {
			t.Errorf("who has sent %v of its part waits %v, when all have sent %v of theirs", c.share, wait, c.all)
		}
	}
}
