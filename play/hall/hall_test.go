//go:build !js

package hall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/digest"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/hall"
	"github.com/tickback/tickback/play/theatre"
	"github.com/tickback/tickback/transport/udp"
)

// has reports whether a client knows a player with this name.
func (c *client) has(name string) bool { return slices.Contains(c.Status().Names, name) }

// bots returns how many players have a bot's name.
func (c *client) bots() (n int) {
	for _, name := range c.Status().Names {
		if slices.Contains(app.TankNames[:], name) {
			n++
		}
	}
	return n
}

// A host plays with bots. Two guests come, for whom bots make room; one leaves by the menu, and a bot comes. All know
// the same states, and reach the same end. The next match begins by itself. When the host leaves, the guest is told.
func TestComingAndGoing(t *testing.T) {
	inRealTime(t)
	page := serveRooms(t)
	ada := hosts(t, page, true, hall.Config{Fill: 4, Ticks: 300})
	all := []*client{ada}
	until(t, "three bots", all, func() bool { return ada.bots() == 3 })
	bo, cy := guest(t, "Bo", ada.Status().Room, true, hall.Config{}), guest(t, "Cy", ada.Status().Room, true, hall.Config{})
	all = append(all, bo, cy)
	until(t, "one bot", all, func() bool { return bo.has("Cy") && cy.has("Ada") && ada.bots() == 1 && bo.bots() == 1 })
	agreed := map[app.Agreed]int{} // the clients that have had the state, as bits: they are not at the same frame at the same time
	until(t, "the same state", all, func() bool {
		same := false
		for i, c := range all {
			if a := c.Status().Agreed; a.Frame > 0 {
				agreed[a] |= 1 << i
				same = same || agreed[a] == 1<<len(all)-1
			}
		}
		return same
	})
	cy.leaves(t, all)
	until(t, "a bot in its place", all, func() bool { return !bo.has("Cy") && bo.bots() == 2 })
	if cy.link != "" || cy.ticket != "" {
		t.Errorf("who has left keeps %q and %q", cy.link, cy.ticket)
	}
	all = []*client{ada, bo}
	// On a slow machine matches end before all of this has happened: then it is the end of a later one.
	before := [2]int{ada.Status().Matches, bo.Status().Matches}
	until(t, "the same end", all, func() bool {
		a, b := ada.Status(), bo.Status()
		return a.Matches > before[0] && b.Matches > before[1] && a.Outcome != nil && b.Outcome != nil && *a.Outcome == *b.Outcome
	})
	if a, b := ada.Status(), bo.Status(); a.Outcome.Frame != 300 || b.Verdict != "healthy" {
		t.Errorf("%+v, %s", a.Outcome, b.Verdict)
	}
	recorded(t, all)
	until(t, "the next match", all, func() bool { return bo.Status().Seat >= 0 && bo.Status().Frame > 10 && bo.Status().Frame < 300 })
	ada.leaves(t, all)
	until(t, "Bo to be told", all, func() bool { return strings.Contains(bo.Status().Message, "The host has left") })
}

// recorded fails unless each client, on a machine that is fast enough, has recorded the match from where it joined, with
// all names, and the theatre verifies the recording.
func recorded(t *testing.T, all []*client) {
	t.Helper()
	for _, c := range all {
		if fps := c.Status().FPS; fps < 20 || c.hung > time.Second/2 { // more than the inbox of a connection holds
			t.Logf("%s shows %.0f pictures a second, and none for %v: it misses states that others send, and recordings end there", c.name, fps, c.hung)
			continue
		}
		until(t, "a recording", all, func() bool { return c.Status().Recordings > 0 })
		r := c.Recordings()[0] // the newest
		if r.Game != tanks.ID || r.Frames == 0 || r.Mode != "server" || r.Reason != "" || !slices.Contains(r.Names[:], "ADA") || !slices.Contains(r.Names[:], "BO") {
			t.Errorf("%s has a recording of %s, %q, %d frames, %q", c.name, r.Game, r.Names, r.Frames, r.Reason)
		}
		o := theatre.Open("tanks.tbr", r.Bytes)
		for !o.Work(time.Second) {
		}
		f, err := o.File()
		if err != nil {
			t.Fatal(err)
		}
		v := f.Verify()
		for !v.Work(time.Second) {
		}
		if got := v.Text(); got != theatre.Verified {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// A hidden page that hosts continues for its guest.
func TestAHiddenHostGoesOn(t *testing.T) {
	inRealTime(t)
	ada := hosts(t, serveRooms(t), false, hall.Config{Fill: -1})
	bo := guest(t, "Bo", ada.Status().Room, true, hall.Config{})
	both := []*client{ada, bo}
	until(t, "Bo to play", both, func() bool { return bo.Status().Frame > 10 && bo.Status().Seat >= 0 })
	ada.hidden = true
	ada.SetAway(true)
	from := bo.Status().Agreed.Frame
	until(t, "hidden ticks", both, func() bool { return bo.Status().Agreed.Frame > from+40 })
	if a := ada.bots(); a != 0 {
		t.Errorf("%d bots", a)
	}
}

// The host kicks a guest, and the guest is told.
func TestAGuestIsSentAway(t *testing.T) {
	inRealTime(t)
	ada := hosts(t, serveRooms(t), true, hall.Config{Fill: -1})
	bo := guest(t, "Bo", ada.Status().Room, true, hall.Config{})
	both := []*client{ada, bo}
	until(t, "Bo to play", both, func() bool { return ada.has("Bo") && bo.Status().Frame > 10 })
	ada.press("Escape", "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
	ada.click(559, 206)
	during(both, 600*time.Millisecond)
	ada.click(559, 206)
	until(t, "Bo to be told", both, func() bool { return strings.Contains(bo.Status().Message, "sent away") && !ada.has("Bo") })
}

// serveUDP owns a match with the given number of places until the test ends.
func serveUDP(t *testing.T, players int, change func(o *tickback.ServerOptions[tanks.State, tanks.Input])) (address string) {
	t.Helper()
	conn, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := tickback.ServerOptions[tanks.State, tanks.Input]{
		Players: players, Transport: conn, GameID: tanks.ID, Build: digest.Build(digest.Tanks), TickRate: tanks.TicksPerSecond, Start: app.StartTanks,
	}
	if change != nil {
		change(&o)
	}
	s, err := tickback.Serve(tanks.Game(0), o)
	if err != nil {
		t.Fatal(err)
	}
	stop, done := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(stop); <-done })
	go func() {
		defer close(done)
		defer s.Close()
		for {
			wait, _ := s.Update()
			select {
			case <-time.After(min(wait, 5*time.Millisecond)):
			case <-stop:
				return
			}
		}
	}()
	return conn.LocalAddr().String()
}

// A window joins a server at its address, and adapts to its number of places and its sight. If it cannot join, it shows the
// reason.
func TestServersAtAnAddress(t *testing.T) {
	inRealTime(t)
	token := tickback.NewToken()
	for name, c := range map[string]struct {
		address string
		cfg     hall.Config
		says    string // "" is that it plays
	}{
		"it plays":       {serveUDP(t, 16, nil), hall.Config{}, ""},
		"fewer places":   {serveUDP(t, 3, nil), hall.Config{}, ""},
		"partial sight":  {serveUDP(t, 2, func(o *tickback.ServerOptions[tanks.State, tanks.Input]) { o.Sight = tanks.Sight }), hall.Config{}, ""},
		"the token":      {serveUDP(t, 16, func(o *tickback.ServerOptions[tanks.State, tanks.Input]) { o.Token = token }), hall.Config{Token: token}, ""},
		"no token":       {serveUDP(t, 16, func(o *tickback.ServerOptions[tanks.State, tanks.Input]) { o.Token = token }), hall.Config{}, "token"},
		"another build":  {serveUDP(t, 16, nil), hall.Config{Build: "tanks 2"}, "Another version"},
		"another game":   {serveUDP(t, 16, func(o *tickback.ServerOptions[tanks.State, tanks.Input]) { o.GameID = "pong" }), hall.Config{}, "Another game"},
		"nobody":         {"127.0.0.1:9", hall.Config{}, "silent"},
		"no such name":   {"nobody.invalid:7000", hall.Config{}, "nobody.invalid"},
		"not an address": {"7000", hall.Config{}, "7000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.cfg.Address, c.cfg.Dial = c.address, hall.UDP
			one := start(t, "Ada", true, c.cfg)
			if c.says != "" {
				until(t, "a screen that says so", []*client{one}, func() bool { return strings.Contains(one.Status().Message, c.says) })
				return
			}
			until(t, "it to play", []*client{one}, func() bool { return one.Status().Seat >= 0 && one.Status().Agreed.Frame > 20 })
		})
	}
}

// A player who comes to a match without a free place is told, and joins when there is one.
func TestAFullServer(t *testing.T) {
	inRealTime(t)
	cfg := hall.Config{Address: serveUDP(t, 1, nil), Dial: hall.UDP}
	ada := start(t, "Ada", true, cfg)
	until(t, "Ada to play", []*client{ada}, func() bool { return ada.Status().Seat == 0 })
	bo := start(t, "Bo", true, cfg)
	both := []*client{ada, bo}
	until(t, "Bo to be told", both, func() bool { return strings.Contains(bo.Status().Message, "The match is full") })
	ada.Close()
	during([]*client{bo}, 500*time.Millisecond) // right after a game no button can be pressed
	bo.press("Enter")
	until(t, "Bo to play", []*client{bo}, func() bool { return bo.Status().Seat == 0 && bo.Status().Message == "" })
}

// A window whose server is killed and restarted plays in the new match, without asking; if the server does not come back,
// the window says that it is silent, and Enter retries.
func TestAServerThatIsKilledUnderAWindow(t *testing.T) {
	inRealTime(t)
	var server *tickback.Server[tanks.State, tanks.Input]
	var conn *udp.Conn
	begin := func(address string) string {
		var err error
		if conn, err = udp.Listen(address); err != nil {
			t.Fatal(err)
		}
		server, err = tickback.Serve(tanks.Game(0), tickback.ServerOptions[tanks.State, tanks.Input]{
			Players: 4, Transport: conn, GameID: tanks.ID, Build: digest.Build(digest.Tanks), TickRate: tanks.TicksPerSecond, Start: app.StartTanks,
		})
		if err != nil {
			t.Fatal(err)
		}
		return conn.LocalAddr().String()
	}
	kill := func() { conn.Close(); server = nil } // without a word
	address := begin("127.0.0.1:0")
	one := start(t, "Ada", true, hall.Config{Address: address, Dial: hall.UDP})
	all, said := []*client{one}, ""
	plays := func(frames tickback.Frame) func() bool {
		return func() bool {
			if server != nil {
				server.Update()
			}
			said += one.Status().Message
			return one.Status().Seat >= 0 && server.View().Frame > frames && server.Members().Len() == 1
		}
	}
	until(t, "it to play", all, plays(40))
	kill()
	begin(address)
	until(t, "it to play in the new match", all, plays(20))
	if said != "" {
		t.Errorf("it says %q", said)
	}
	kill()
	until(t, "it to say so", all, func() bool { return strings.Contains(one.Status().Message, "silent") })
	begin(address)
	during(all, 500*time.Millisecond) // right after a game no button can be pressed
	one.press("Enter")
	until(t, "it to play again", all, func() bool { return plays(20)() && one.Status().Message == "" })
	server.Close()
}
