//go:build !js

package online

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/internal/turntest"
	"github.com/tickback/tickback/online/rooms"
)

// browserTime limits a match with a page, which has two processors at most.
const browserTime = 2 * time.Minute

func TestMain(m *testing.M) { os.Exit(browsertest.Run(m)) }

// servePage serves the page of internal/page, with rooms.
func servePage(t *testing.T, cfg rooms.Config) (url string) {
	t.Helper()
	browsertest.Find(t) // before anything is built
	dir := browsertest.Folder(t, browsertest.Program(t, "./internal/page", "-ldflags=-s -w"))
	url, _ = browsertest.Serve(t, dir, cfg)
	return url
}

// said is what the page reports about itself.
type said struct {
	Link, Error, Outcome string
	Frame                tickback.Frame
	Seat                 *int
}

// untilPage waits until a page meets a condition; an error of the page fails the test.
func untilPage(t *testing.T, p *browsertest.Page, what string, is func(s said) bool) said {
	t.Helper()
	s := browsertest.Until(p, what, func(s said) bool { return s.Error != "" || is(s) })
	if s.Error != "" {
		var state string
		p.Eval("tickback.state ? tickback.state() : ''", &state)
		t.Fatalf("waiting until %s, the page says %q; it is at %s", what, s.Error, state)
	}
	return s
}

// ending is what a page reports at the end.
type ending struct {
	Frames       tickback.Frame
	Hash, Health string
	Links, Peers int
}

func endOf(t *testing.T, p *browsertest.Page) (e ending) {
	t.Helper()
	s := untilPage(t, p, "the match is over", func(s said) bool { return s.Outcome != "" })
	if err := json.Unmarshal([]byte(s.Outcome), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// Two pages play each other over WebRTC, and agree.
func TestTwoPages(t *testing.T) {
	const frames = 300
	b := browsertest.Shared(t)
	first := b.Open(t, fmt.Sprintf("%s?frames=%d", servePage(t, rooms.Config{}), frames))
	link := untilPage(t, first, "there is a link", func(s said) bool { return s.Link != "" }).Link
	second := b.Open(t, link)
	x, y := endOf(t, first), endOf(t, second)
	t.Logf("%+v and %+v", x, y)
	if x.Frames != frames || x.Hash != y.Hash || x.Health != "healthy" || y.Health != "healthy" {
		t.Errorf("they end with %+v and %+v", x, y)
	}
}

// Two pages that only use paths through the TURN server play through it.
func TestTwoRelayedPages(t *testing.T) {
	const frames = 300
	server := turntest.Start(t, "secret")
	b := browsertest.Shared(t)
	first := b.Open(t, fmt.Sprintf("%s?frames=%d&relay=1", servePage(t, relayed(server, "secret")), frames))
	link := untilPage(t, first, "there is a link", func(s said) bool { return s.Link != "" }).Link
	second := b.Open(t, strings.Replace(link, "#", "?relay=1#", 1))
	x, y := endOf(t, first), endOf(t, second)
	t.Logf("%+v and %+v; %d bytes were relayed", x, y, server.Relayed())
	if x.Frames != frames || x.Hash != y.Hash || x.Health != "healthy" || y.Health != "healthy" {
		t.Errorf("they end with %+v and %+v", x, y)
	}
	if server.Relayed() < frames*20 || server.Refused() != 0 {
		t.Errorf("%d bytes were relayed, and %d requests refused", server.Relayed(), server.Refused())
	}
}

// A server that the browser cannot use is reported at once, with its address.
func TestAPageWithAServerThatCannotBe(t *testing.T) {
	cfg := rooms.Config{ICE: []rooms.ICEServer{{URLs: []string{"turn:127.0.0.1:9"}}}}
	p := browsertest.Shared(t).Open(t, servePage(t, cfg))
	s := browsertest.Until(p, "it fails", func(s said) bool { return s.Error != "" })
	if !strings.Contains(s.Error, `invalid webrtc.Config: ICE server ["turn:127.0.0.1:9"]`) {
		t.Errorf("the page says %q", s.Error)
	}
}

// A page and a program play each other; the page is reloaded in the middle, gets its
// seat back, and both see the same end.
func TestAPageAndAProgram(t *testing.T) {
	const frames = 900
	b := browsertest.Shared(t)
	host := must(t)(Create(within(t), servePage(t, rooms.Config{}), Config{GameID: "duel", Build: "test", Seats: 2, Loopback: true}))
	guest := b.Open(t, host.Link())
	sees(t, host, "the page", func(s rooms.State) bool { return len(s.Members) == 2 })
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	wait(t, host)
	game, err := duel.Game(7)
	if err != nil {
		t.Fatal(err)
	}
	bot := duel.Bot{Seed: 3}
	var m *tickback.Match[duel.State, duel.Input]
	m, err = Play(host, game, tickback.Options[duel.State, duel.Input]{
		Match: tickback.Parameters{Seed: 7, Frames: frames},
		Sample: func(p tickback.Player) duel.Input {
			v := m.View()
			return bot.Input(p, v.Frame, v.Current)
		},
		// A machine that is busy may stand still for seconds; neither side takes that for the end of the other.
		Timeouts: tickback.Timeouts{Drop: 10 * time.Second, Warn: time.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	var end tickback.Outcome
	var joined []tickback.Entry
	var playing sync.WaitGroup
	playing.Go(func() {
		defer m.Close()
		end, joined = run(t, m)
	})
	frame := untilPage(t, guest, "it plays", func(s said) bool { return s.Frame > 60 }).Frame
	guest.Reload()
	x := endOf(t, guest)
	seat := *untilPage(t, guest, "it has a seat", func(s said) bool { return s.Seat != nil }).Seat
	playing.Wait()
	t.Logf("reloaded at frame %d; the page ends with %+v, and the log is %v", frame, x, joined)
	if x.Frames != frames || end.Frames != frames || x.Hash != fmt.Sprintf("%x", end.Hash) || x.Health == "desynced" || seat != 1 {
		t.Errorf("the page ends with %+v on seat %d, and the program with %+v", x, seat, end)
	}
	if len(joined) != 2 || joined[1].Kind != tickback.EntryJoin || !strings.Contains(x.Health+end.Health.String(), "healthy") {
		t.Errorf("the log is %v", joined)
	}
}

// run plays until the end, and returns it with the log.
func run(t *testing.T, m *tickback.Match[duel.State, duel.Input]) (tickback.Outcome, []tickback.Entry) {
	for deadline := time.Now().Add(browserTime); time.Now().Before(deadline); {
		wait, err := m.Update()
		if o, over := m.Outcome(); over {
			return o, append([]tickback.Entry(nil), m.Log()...)
		}
		if err != nil {
			t.Error(err)
			return tickback.Outcome{}, nil
		}
		m.Wait(wait)
	}
	t.Error("the match does not end")
	return tickback.Outcome{}, nil
}
