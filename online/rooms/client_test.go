//go:build !js

package rooms

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// desk is a room server that sends what a test wants, in virtual time.
type desk struct {
	t       *testing.T
	state   State
	ping    int
	refuses error // each that connects
	answers []reply
	silent  bool

	mu     sync.Mutex
	tries  []time.Duration // when somebody has connected
	within time.Duration   // that the last one had
	began  time.Time
	link   *link // the newest
}

// link is a connection to a desk.
type link struct {
	toClient chan []byte
	closed   chan struct{}
	once     sync.Once

	mu   sync.Mutex
	sent []request
	full bool          // it takes nothing more
	slow time.Duration // the time that sending takes, whatever ends in the meantime
}

// atDesk runs a test with a client that has entered.
func atDesk(t *testing.T, e Entry, d *desk, test func(t *testing.T, d *desk, c *Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d.t, d.began = t, time.Now()
		d.state = State{Room: "room", GameID: "pong", Build: "1", Seats: 2, Host: 1, Members: []Member{{ID: 1, Seat: 0, Connected: true}, {ID: 2, Seat: 1, Connected: true}}}
		e.GameID, e.Build, e.Room = "pong", "1", "room"
		c, err := enterBy(t.Context(), "ws://desk", e, d.dial)
		if err != nil {
			t.Fatal(err)
		}
		test(t, d, c)
		c.Abandon()
	})
}

func (d *desk) dial(ctx context.Context, _ string) (socket, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tries = append(d.tries, time.Since(d.began))
	if end, ok := ctx.Deadline(); ok {
		d.within = time.Until(end)
	}
	if d.refuses != nil {
		return nil, d.refuses
	}
	d.link = &link{toClient: make(chan []byte, 4*maxEvents), closed: make(chan struct{})}
	for _, r := range d.answers {
		d.link.toClient <- encode(r)
	}
	if !d.silent {
		d.link.toClient <- encode(reply{Kind: kindWelcome, You: 2, Secret: "secret", Token: "token", State: &d.state, Ping: d.ping, ICE: []ICEServer{{URLs: []string{"stun:a"}}}})
	}
	return d.link, nil
}

// refuse refuses connections from now on, or accepts them again.
func (d *desk) refuse(why error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refuses = why
}

// newest returns the newest connection, and the time limit of its attempt.
func (d *desk) newest() (*link, time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.link, d.within
}

// says sends something to the client.
func (d *desk) says(list ...reply) {
	l, _ := d.newest()
	for _, r := range list {
		l.toClient <- encode(r)
	}
	synctest.Wait()
}

// hears returns what the client has sent on its current connection.
func (d *desk) hears() []request {
	synctest.Wait()
	l, _ := d.newest()
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.sent
	l.sent = nil
	return list
}

// breaks breaks the connection.
func (d *desk) breaks() {
	l, _ := d.newest()
	l.close()
	synctest.Wait()
}

// waits returns the times between attempts, and clears them.
func (d *desk) waits(since time.Duration) (list []time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, at := range d.tries {
		list, since = append(list, at-since), at
	}
	d.tries = nil
	return list
}

func (l *link) read(ctx context.Context) ([]byte, error) {
	select {
	case b := <-l.toClient:
		return b, nil
	case <-l.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *link) write(_ context.Context, b []byte) error {
	q, err := decodeRequest(b)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	time.Sleep(l.slow)
	if l.full {
		return io.ErrShortWrite
	}
	l.sent = append(l.sent, q)
	select {
	case <-l.closed:
		return io.EOF
	default:
		return nil
	}
}

func (l *link) close() { l.once.Do(func() { close(l.closed) }) }

// events returns the events of a client, and whether it announced any.
func events(c *Client) (kinds []EventKind, last Event) {
	synctest.Wait()
	for e, ok := c.Receive(); ok; e, ok = c.Receive() {
		kinds, last = append(kinds, e.Kind), e
	}
	return kinds, last
}

func noticed(c *Client) bool {
	synctest.Wait()
	select {
	case <-c.Notify():
		return true
	default:
		return false
	}
}

// A client that loses the server tries again after a quarter of a second, and then after twice
// as long each time, 5 s at most, for as long as a server keeps its place. An attempt takes 15
// s at most.
func TestAClientTriesAgain(t *testing.T) {
	var cfg Config
	if err := cfg.complete(); err != nil || DefaultPatience != cfg.Grace {
		t.Errorf("it is patient for %v, and a place is kept for %v", DefaultPatience, cfg.Grace)
	}
	atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
		time.Sleep(time.Second)
		events(c)
		d.waits(0)
		d.refuse(refuse(ErrUnreachable, "nobody is there"))
		d.breaks()
		if kinds, e := events(c); !slices.Equal(kinds, []EventKind{Away}) || !errors.Is(e.Err, ErrUnreachable) {
			t.Fatalf("%v, %v", kinds, e.Err)
		}
		time.Sleep(2*time.Minute - 1)
		if kinds, _ := events(c); kinds != nil {
			t.Fatalf("before two minutes are over: %v", kinds)
		}
		time.Sleep(time.Nanosecond)
		kinds, e := events(c)
		if !slices.Equal(kinds, []EventKind{Closed}) || !errors.Is(e.Err, ErrUnreachable) || !errors.Is(c.Err(), ErrUnreachable) || strings.Contains(e.Err.Error(), "nobody is there") {
			t.Errorf("%v, %v: the reason is that of the loss", kinds, e.Err)
		}
		waits := d.waits(time.Second)
		want := []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second}
		if len(waits) < 27 || !slices.Equal(waits[:5], want) || slices.Min(waits[5:]) != 5*time.Second || slices.Max(waits[5:]) != 5*time.Second {
			t.Errorf("it has waited %v", waits)
		}
	})
	atDesk(t, Entry{Patience: time.Hour}, &desk{}, func(t *testing.T, d *desk, c *Client) {
		d.refuse(refuse(ErrServerFull, "full"))
		d.breaks()
		time.Sleep(time.Hour / 2)
		if _, within := d.newest(); within != 15*time.Second || c.Err() != nil {
			t.Errorf("a try has %v, and it ends with %v", within, c.Err())
		}
		d.refuse(nil)
		time.Sleep(5 * time.Second)
		if kinds, _ := events(c); !slices.Equal(kinds, []EventKind{Changed, Away, Changed, Back}) {
			t.Errorf("when the server is there again: %v", kinds)
		}
	})
}

// An error that another connection would not fix ends a client at once; others do not.
func TestWhatEndsAClient(t *testing.T) {
	for _, code := range codes {
		patient := slices.Contains([]error{ErrRate, ErrServerFull, ErrSlow}, code.err)
		atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
			d.says(errorReply(code.err, true))
			kinds, e := events(c)
			want := []EventKind{Changed, Closed}
			if patient {
				want[1] = Away
			}
			if !slices.Equal(kinds, want) || !errors.Is(e.Err, code.err) || errors.Is(c.Err(), code.err) == patient {
				t.Errorf("%s: %v, %v, %v", code.code, kinds, e.Err, c.Err())
			}
			if !patient {
				if err := c.Start(); !errors.Is(err, code.err) {
					t.Errorf("%s: then it starts with %v", code.code, err)
				}
				return
			}
			time.Sleep(250 * time.Millisecond)
			if kinds, _ := events(c); !slices.Equal(kinds, []EventKind{Changed, Back}) {
				t.Errorf("%s: then %v", code.code, kinds)
			}
			d.refuse(&Error{ErrKicked, ""})
			d.breaks()
			time.Sleep(250 * time.Millisecond)
			if kinds, e := events(c); !slices.Equal(kinds, []EventKind{Away, Closed}) || !errors.Is(e.Err, ErrKicked) {
				t.Errorf("%s: %v, %v", code.code, kinds, e.Err)
			}
		})
	}
}

// A server that is silent for three of its pings and 5 s counts as gone: the interval that it
// announces is accepted from a second to an hour.
func TestASilentServer(t *testing.T) {
	for ping, want := range map[int]time.Duration{20_000: 65 * time.Second, 0: 8 * time.Second, 1001: 8003 * time.Millisecond, 1 << 30: 3*time.Hour + 5*time.Second} {
		atDesk(t, Entry{}, &desk{ping: ping}, func(t *testing.T, d *desk, c *Client) {
			time.Sleep(want - 1)
			d.says(reply{Kind: kindPing})
			time.Sleep(want - 1)
			if kinds, _ := events(c); !slices.Equal(kinds, []EventKind{Changed}) {
				t.Errorf("pings of %d ms: %v before %v are over", ping, kinds, want)
			}
			time.Sleep(time.Nanosecond)
			if kinds, _ := events(c); !slices.Equal(kinds, []EventKind{Away}) {
				t.Errorf("pings of %d ms: %v after %v", ping, kinds, want)
			}
		})
	}
}

// A client sends its own changes from when the server was out of reach when it is back, and
// does not repeat what the server knows.
func TestWhatAClientSaysWhenItIsBack(t *testing.T) {
	status := func(text string) request { return request{Kind: kindStatus, Data: text} }
	playing := func(n uint32) request { return request{Kind: kindPlaying, Match: n} }
	ended := func(n uint32) request { return request{Kind: kindEnded, Match: n} }
	for what, v := range map[string]struct {
		says  func(c *Client) []error
		room  func(s *State) // as it is when the client is back
		hears []request
	}{
		"nothing":                     {nil, nil, nil},
		"a status":                    {func(c *Client) []error { return []error{c.SetStatus("away")} }, nil, []request{status("away")}},
		"a status that is known":      {func(c *Client) []error { return []error{c.SetStatus("away")} }, func(s *State) { s.Members[1].Status = "away" }, nil},
		"no status, and one is known": {nil, func(s *State) { s.Members[1].Status = "away" }, []request{status("")}},
		"that it plays":               {func(c *Client) []error { return []error{c.Playing(3)} }, func(s *State) { s.Match = 3 }, []request{playing(3)}},
		"that it plays the first":     {func(c *Client) []error { return []error{c.Playing(1)} }, func(s *State) { s.Match = 1 }, []request{playing(1)}},
		"that it plays, as is known":  {func(c *Client) []error { return []error{c.Playing(3)} }, func(s *State) { s.Match, s.Members[1].Playing = 3, 3 }, nil},
		"that it plays another match": {func(c *Client) []error { return []error{c.Playing(3)} }, func(s *State) { s.Match = 4 }, nil},
		"an end":                      {func(c *Client) []error { return []error{c.Ended(3)} }, func(s *State) { s.Match, s.Members[1].Playing = 3, 3 }, []request{ended(3)}},
		"an end of one before":        {func(c *Client) []error { return []error{c.Ended(2)} }, func(s *State) { s.Match, s.Members[1].Playing = 3, 3 }, nil},
		"ends of two":                 {func(c *Client) []error { return []error{c.Ended(3), c.Ended(2)} }, func(s *State) { s.Match, s.Members[1].Playing = 3, 3 }, []request{ended(3)}},
		"that it plays, and an end":   {func(c *Client) []error { return []error{c.Playing(3), c.Ended(3)} }, func(s *State) { s.Match = 3 }, nil},
		"an end, and that it plays":   {func(c *Client) []error { return []error{c.Ended(3), c.Playing(3)} }, func(s *State) { s.Match, s.Members[1].Playing = 3, 3 }, nil},
		"that it is out":              {func(c *Client) []error { return []error{c.SetStatus("away")} }, func(s *State) { s.Members = s.Members[:1] }, nil},
	} {
		atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
			d.breaks()
			if v.says != nil {
				for _, err := range v.says(c) {
					if err != nil {
						t.Errorf("%s: %v", what, err)
					}
				}
			}
			if err := c.Signal(1, "x"); !errors.Is(err, ErrUnreachable) {
				t.Errorf("a signal while it is away: %v", err)
			}
			if v.room != nil {
				d.mu.Lock()
				v.room(&d.state)
				d.mu.Unlock()
			}
			time.Sleep(250 * time.Millisecond)
			list := d.hears()
			if len(list) == 0 || list[0].Kind != kindRejoin || list[0].Room != "room" || list[0].Secret != "secret" || list[0].Instance != c.connector.instance || len(list[0].Instance) < 12 {
				t.Fatalf("%s: it comes back with %+v", what, list)
			}
			if list = list[1:]; len(list)+len(v.hears) > 0 && !reflect.DeepEqual(list, v.hears) {
				t.Errorf("%s: it says %+v, want %+v", what, list, v.hears)
			}
		})
	}
}

// A client that is closed sends all that waits, gives its place up, and ends when the server
// closes the connection: after 2 s at most. One that is abandoned keeps its place.
func TestClosingAClient(t *testing.T) {
	atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
		go func() {
			time.Sleep(time.Second)
			d.link.close()
		}()
		began := time.Now()
		c.Signal(1, "last")
		c.Close()
		list := d.hears()
		if n := len(list); n != 3 || list[1].Kind != kindSignal || list[2].Kind != kindLeave || time.Since(began) != time.Second {
			t.Errorf("it says %+v, and ends after %v", list, time.Since(began))
		}
		if kinds, e := events(c); kinds[len(kinds)-1] != Closed || !errors.Is(e.Err, ErrClosed) || !errors.Is(c.SetStatus(""), ErrClosed) {
			t.Errorf("%v, %v", kinds, e.Err)
		}
	})
	atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
		began := time.Now()
		if c.Close(); time.Since(began) != 2*time.Second {
			t.Errorf("a server that does not hang up keeps it for %v", time.Since(began))
		}
	})
	atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
		d.refuse(refuse(ErrUnreachable, ""))
		d.breaks()
		began := time.Now()
		if c.Close(); time.Since(began) != 0 || !errors.Is(c.Err(), ErrClosed) {
			t.Errorf("away, it takes %v, and ends with %v", time.Since(began), c.Err())
		}
	})
	atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
		d.hears()
		if c.Abandon(); len(d.hears()) != 0 || !errors.Is(c.Err(), ErrClosed) {
			t.Error("one that is abandoned says something, or goes on")
		}
	})
}

// When a client has ended nothing of it runs any more, not even sending.
func TestNothingOfAClientIsLeft(t *testing.T) {
	for what, ends := range map[string]func(c *Client){"closed": func(c *Client) { c.Close() }, "abandoned": (*Client).Abandon} {
		atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
			synctest.Wait()
			l, _ := d.newest()
			l.slow = time.Hour
			began := time.Now()
			c.Signal(1, "x")
			synctest.Wait()
			if ends(c); time.Since(began) < time.Hour {
				t.Errorf("one that is %s has ended after %v", what, time.Since(began))
			}
		})
	}
}

// Events of a client wait until they are fetched: changes of the room are one event, and of
// more than 1024 events the oldest are dropped.
func TestEventsOfAClient(t *testing.T) {
	atDesk(t, Entry{}, &desk{ping: 3600_000}, func(t *testing.T, d *desk, c *Client) {
		if !noticed(c) || noticed(c) {
			t.Error("it does not say once that it has entered")
		}
		events(c)
		d.says(reply{Kind: kindState, State: &d.state}, reply{Kind: kindState, State: &d.state}, reply{Kind: kindPing})
		if kinds, _ := events(c); !slices.Equal(kinds, []EventKind{Changed}) || !noticed(c) {
			t.Errorf("several changes are %v", kinds)
		}
		if d.says(reply{Kind: kindPing}); noticed(c) {
			t.Error("a ping is an event")
		}
		for i := range 1025 {
			d.link.toClient <- encode(reply{Kind: kindSignal, From: 1, Data: fmt.Sprint(i)})
		}
		synctest.Wait()
		first, _ := c.Receive()
		if kinds, e := events(c); first.Data != "1" || len(kinds) != 1023 || e.Data != "1024" || e.From != 1 {
			t.Errorf("the first of %d is %q, and the last %q", 1+len(kinds), first.Data, e.Data)
		}
		d.says(errorReply(refuse(ErrHost, "words"), false))
		if kinds, e := events(c); !slices.Equal(kinds, []EventKind{Refused}) || !errors.Is(e.Err, ErrHost) || !strings.Contains(e.Err.Error(), "words") || c.Err() != nil {
			t.Errorf("a refusal is %v, %v", kinds, e.Err)
		}
	})
}

// At most 1024 messages wait to be sent.
func TestMessagesOfAClientAreBounded(t *testing.T) {
	o := newOutbox()
	for i := range 1024 {
		if !o.add([]byte{1}) {
			t.Fatalf("message %d is refused", i)
		}
	}
	if o.add([]byte{1}) {
		t.Error("one more is not refused")
	}
	o.next()
	if !o.add([]byte{1}) {
		t.Error("when one is sent, there is no place")
	}
	o.next()
	o.finish([]byte("last"))
	if o.next(); o.add([]byte{1}) {
		t.Error("after the last one there is another")
	}
	atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
		d.link.mu.Lock() // it takes none
		var err error
		for i := 0; i < 1100 && err == nil; i++ {
			err = c.Signal(1, "x")
		}
		d.link.mu.Unlock()
		if !errors.Is(err, ErrRate) {
			t.Errorf("too many wait: %v", err)
		}
	})
}

// A client knows the server's last message, even if that is short.
func TestWhatAClientKnows(t *testing.T) {
	atDesk(t, Entry{}, &desk{}, func(t *testing.T, d *desk, c *Client) {
		if c.You() != 2 || c.Me().Seat != 1 || c.Token() != "token" || c.Ticket() != "room.secret" || len(c.ICE()) != 1 || c.State().Room != "room" {
			t.Errorf("%+v", c.Me())
		}
		s := c.State()
		s.Members[0].Name, c.ICE()[0].URLs = "changed", nil
		if c.State().Members[0].Name != "" || c.ICE()[0].URLs == nil {
			t.Error("what is changed in a copy is changed in the client")
		}
		d.state.Room, d.state.Members = "other", d.state.Members[:1]
		d.says(reply{Kind: kindState, State: &d.state}, reply{Kind: kindICE, ICE: []ICEServer{{}, {}}})
		if me := c.Me(); me.ID != 2 || me.Seat != NoSeat || c.Token() != "" || c.Ticket() != "other.secret" || len(c.ICE()) != 2 {
			t.Errorf("it is %+v, with the ticket %s", me, c.Ticket())
		}
		if kinds, _ := events(c); !slices.Equal(kinds, []EventKind{Changed, Renewed}) {
			t.Errorf("%v", kinds)
		}
		d.breaks()
		time.Sleep(time.Second)
		if list := d.hears(); list[0].Room != "other" {
			t.Errorf("it comes back by %+v", list[0])
		}
	})
}

// A client that does not get in learns why, and nothing is left of the connection.
func TestWhoDoesNotGetIn(t *testing.T) {
	for what, c := range map[string]struct {
		d    *desk
		e    Entry
		want error
	}{
		"nobody is there":     {&desk{refuses: refuse(ErrUnreachable, "")}, Entry{GameID: "g", Seats: 2}, ErrUnreachable},
		"a refusal":           {&desk{answers: []reply{errorReply(ErrFull, true)}}, Entry{GameID: "g", Seats: 2}, ErrFull},
		"something else":      {&desk{answers: []reply{{Kind: "else"}}}, Entry{GameID: "g", Seats: 2}, ErrBadMessage},
		"nothing is said":     {&desk{silent: true}, Entry{GameID: "g", Seats: 2}, ErrUnreachable},
		"a welcome of nobody": {&desk{answers: []reply{{Kind: kindWelcome, Secret: "x", State: &State{}}}}, Entry{GameID: "g", Seats: 2}, ErrBadMessage},
		"no game":             {&desk{}, Entry{Seats: 2}, ErrBadMessage},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			d := c.d
			if _, err := enterBy(ctx, "ws://desk", c.e, d.dial); !errors.Is(err, c.want) {
				t.Errorf("%s: %v", what, err)
			}
			if d.link != nil {
				<-d.link.closed
			}
		})
	}
}
