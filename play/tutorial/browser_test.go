//go:build !js

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
)

func TestMain(m *testing.M) {
	code := browsertest.Run(m)
	_ = os.RemoveAll(programs) // nothing depends on it
	os.Exit(code)
}

// publish builds a step of the tutorial, and serves it as its readers do.
func publish(t *testing.T, tags string) (url string) {
	t.Helper()
	browsertest.Find(t) // without a browser nothing needs to be built
	dir := t.TempDir()
	for to, from := range map[string]string{
		"index.html": "web/index.html", "boot.js": "web/boot.js", "wasm_exec.js": browsertest.Support(t),
		"game.wasm": browsertest.Program(t, ".", "-tags="+tags),
	} {
		b, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, to), b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	url, _ = browsertest.Serve(t, dir, rooms.Config{})
	return url
}

// said is what a page has printed, and its address.
type said struct {
	Lines    []string
	Link     string
	Ticket   string
	Pictures int
	Tones    int // that were begun
}

// listening makes a page's console, its address and its pictures its status: the game itself contains nothing that is
// only for tests.
const listening = `{
	const lines = [], print = console.log;
	let pictures = 0, tones = 0;
	const tone = AudioContext.prototype.createOscillator;
	AudioContext.prototype.createOscillator = function() { tones++; return tone.call(this); };
	console.log = (...words) => { lines.push(words.join(" ")); print(...words); };
	const count = () => { pictures++; requestAnimationFrame(count); };
	requestAnimationFrame(count);
	Object.defineProperty(window, "tickback", {get: () => ({
		Lines: lines, Link: location.href, Ticket: sessionStorage.getItem("tickback.ticket") || "",
		Pictures: document.querySelector("canvas") ? pictures : 0, Tones: tones,
	})});
}`

func visit(t *testing.T, name, url string) *browsertest.Page {
	t.Helper()
	p := browsertest.Shared(t).Blank(t)
	p.Name = name
	p.Resize(480, 270)
	p.Before(listening)
	p.Navigate(url)
	return p
}

// prints returns the lines that contain a text.
func (s said) prints(text string) []string {
	return slices.DeleteFunc(slices.Clone(s.Lines), func(l string) bool { return !strings.Contains(l, text) })
}

// begin presses space in the host's page until the next match has begun for all.
func begin(t *testing.T, host *browsertest.Page, all ...*browsertest.Page) {
	t.Helper()
	before := make([]int, len(all))
	for i, p := range all {
		before[i] = len(browsertest.Now[said](p).prints(" started"))
	}
	host.Key("Space", true)
	for i, p := range all {
		browsertest.Until(p, "the match has begun", func(s said) bool { return len(s.prints(" started")) > before[i] })
	}
	host.Key("Space", false)
}

// endTime limits a match of twenty seconds, which is drawn without a graphics card.
const endTime = 4 * time.Minute

// ends returns what a page prints at the end of a match.
func ends(p *browsertest.Page, match int) string {
	s := browsertest.UntilWithin(p, endTime, "the match is over", func(s said) bool { return len(s.prints("over: ")) == match })
	_, end, _ := strings.Cut(s.prints("over: ")[match-1], "over: ")
	return end
}

// agree waits for the end of a match in both pages, and returns it; it has to be the same. Whether all hashes arrived
// in time (healthy, or otherwise unverified) depends on the machine.
func agree(t *testing.T, host, guest *browsertest.Page, match int) string {
	t.Helper()
	x, y := ends(host, match), ends(guest, match)
	state, _, found := strings.Cut(x, ", healthy")
	if !found {
		state, _, found = strings.Cut(x, ", unverified")
	}
	if !found || !strings.HasPrefix(x, "frame 1200, state ") || !strings.HasPrefix(y, state+", ") || strings.HasSuffix(y, "desynced") {
		t.Errorf("match %d: the host sees the end as %q, and the guest as %q", match, x, y)
	}
	return state
}

// Two people play the finished game, while one of them looks at another page for a while, and agree on its 1200 frames.
func TestTwoPeoplePlay(t *testing.T) {
	host := visit(t, "host", publish(t, ""))
	link := browsertest.Until(host, "there is a room", func(s said) bool { return strings.Contains(s.Link, "#room=") }).Link
	guest := visit(t, "guest", link)
	browsertest.Until(guest, "the guest is in it", func(s said) bool { return s.Ticket != "" && s.Pictures > 5 })
	host.Shot("lobby")
	begin(t, host, host, guest)
	guest.Key("ArrowLeft", true)
	host.Key("ArrowUp", true)
	goesOn := func() {
		pictures := browsertest.Now[said](host).Pictures
		browsertest.Until(host, "it is seen", func(s said) bool { return s.Pictures > pictures+60 })
	}
	goesOn()
	host.Shot("host")
	guest.Shot("guest")
	guest.Key("ArrowLeft", false)
	host.Key("ArrowUp", false)
	guest.Hide()
	goesOn()
	guest.Show()
	agree(t, host, guest, 1)
	host.Shot("over")
	for _, p := range []*browsertest.Page{host, guest} {
		if lines := browsertest.Now[said](p).prints("desync"); len(lines) > 0 {
			t.Errorf("%s tells of trouble: %q", p.Name, lines)
		}
	}
}

// A player who reloads the page leaves the match at once, so that the other need not wait,
// and is back in it with the same seat; both see the same end. Then they play again, and
// one page is hidden all the time.
func TestWhoLoadsThePageAgainIsBack(t *testing.T) {
	browsertest.Rarely(t)
	host := visit(t, "host", publish(t, ""))
	link := browsertest.Until(host, "there is a room", func(s said) bool { return strings.Contains(s.Link, "#room=") }).Link
	guest := visit(t, "guest", link)
	browsertest.Until(guest, "the guest is in it", func(s said) bool { return s.Ticket != "" && s.Pictures > 5 })
	begin(t, host, host, guest)
	guest.Reload()
	seen := browsertest.Until(host, "the guest is back", func(s said) bool { return len(s.prints(" joined: player 1")) == 1 })
	if len(seen.prints(" left: player 1")) != 1 { // and not dropped after five seconds
		t.Errorf("the host tells of %q", seen.Lines)
	}
	first := agree(t, host, guest, 1)
	begin(t, host, host, guest)
	guest.Hide()
	if again := agree(t, host, guest, 2); again == first {
		t.Errorf("both matches end with %q", again)
	}
}
