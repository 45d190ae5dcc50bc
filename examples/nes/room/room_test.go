//go:build !js

package room

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"

	"github.com/tickback/tickback/examples/nes/console"
)

var minutes = flag.Int("nes.minutes", 0, "play in two pages for so many minutes, over the network awful")

func TestMain(m *testing.M) { os.Exit(browsertest.Run(m)) }

// packed returns the address of a server with the page, which it builds.
func packed(t *testing.T) string {
	t.Helper()
	browsertest.Find(t)
	dir := t.TempDir()
	for _, name := range []string{"index.html", "boot.js"} {
		b, err := os.ReadFile(filepath.Join("..", "web", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	pack := exec.Command("go", "run", "./pack", dir)
	pack.Dir = ".."
	if out, err := pack.CombinedOutput(); err != nil {
		t.Fatalf("go run ./pack: %v\n%s", err, out)
	}
	url, _ := browsertest.Serve(t, dir, rooms.Config{})
	return url
}

// with returns an address with options of the page.
func with(link, options string) string {
	before, room, _ := strings.Cut(link, "#")
	before, _, _ = strings.Cut(before, "?")
	return before + "?" + options + "#" + room
}

// meet opens the page twice, in one room, and begins a match.
func meet(t *testing.T, url, options string) (first, second *browsertest.Page, link string) {
	t.Helper()
	first = browsertest.Shared(t).Open(t, url+"?"+options)
	first.Name = "first"
	browsertest.Until(first, "the page has a room", func(s Status) bool { return strings.HasPrefix(s.Said, "You are alone") })
	first.Eval("location.href", &link)
	second = browsertest.Shared(t).Open(t, with(link, options))
	second.Name = "second"
	browsertest.Until(first, "another page is in the room", func(s Status) bool { return s.Said == "You are two." })
	first.Shot("room")
	first.Eval("document.getElementById('begin').click()", nil)
	return first, second, link
}

// compared collects what pages say of agreed states, and fails if two say different things.
type compared struct {
	t    *testing.T
	seen map[int]string
	both int // the newest mark that two pages have
}

func (c *compared) add(name string, list []Mark) {
	c.t.Helper()
	for _, m := range list {
		if before, ok := c.seen[m.Frame]; ok {
			// Each page tells its marks again and again, so one of another page may have come before.
			if before[:16] != m.Hash {
				c.t.Fatalf("state %d is %s at the %s page, and %s", m.Frame, m.Hash, name, before)
			}
			if !strings.Contains(before, name) {
				c.seen[m.Frame] = before + " " + name
				c.both = max(c.both, m.Frame)
			}
			continue
		}
		c.seen[m.Frame] = m.Hash + " " + name
	}
}

// shared reports whether a state was compared that a page has seen.
func (c *compared) shared(name string) bool {
	for _, names := range c.seen {
		if strings.Contains(names, " "+name) && strings.Count(names, " ") > 1 {
			return true
		}
	}
	return false
}

// colours counts the colours of a page's picture.
func colours(p *browsertest.Page) (n int) {
	p.Eval(`(() => {
		const field = document.getElementById("field");
		const dots = new Uint32Array(field.getContext("2d").getImageData(0, 0, field.width, field.height).data.buffer);
		return new Set(dots).size;
	})()`, &n)
	return n
}

// listen makes a page note the sound that it gives to the browser.
const listen = `(() => {
	const put = AudioBuffer.prototype.copyToChannel;
	window.heard = {Samples: 0, Loudest: 0};
	AudioBuffer.prototype.copyToChannel = function (samples, channel) {
		heard.Samples += samples.length;
		for (const s of samples) heard.Loudest = Math.max(heard.Loudest, Math.abs(s));
		return put.call(this, samples, channel);
	};
})()`

// Rule: two pages play a match, in which their states are equal; whoever watches, and whoever comes back late, sees the same.
func TestTwoPages(t *testing.T) {
	first, second, link := meet(t, packed(t), "dots=-1&bot&runahead=1")
	first.Eval(listen, nil)
	first.Key("KeyK", true) // browsers play sound from the first key on
	first.Key("KeyK", false)
	all := compared{t: t, seen: map[int]string{}}
	reach := func(p *browsertest.Page, name, said string) {
		const patience = 5 * time.Minute // whoever comes late runs all frames so far, in a browser on a busy machine
		s := browsertest.UntilWithin(p, patience, "a state is agreed", func(s Status) bool { return len(s.Marks) > 0 })
		all.add(name, s.Marks)
		if !s.Equal || s.Said != said {
			t.Errorf("the %s page says %+v", name, s)
		}
		// The background, its blues and white, and those of the players and the dot.
		if n := colours(p); n < 6 {
			t.Errorf("the picture of the %s page has %d colours", name, n)
		}
		p.Shot(name)
	}
	reach(first, "first", "You are the red player.")
	reach(second, "second", "You are the blue player.")
	watcher := browsertest.Shared(t).Open(t, with(link, "bot"))
	watcher.Name = "watching"
	reach(watcher, "watching", "You watch.")
	watcher.Close()
	second.Reload()
	reach(second, "late", "You are the blue player.")
	reach(first, "first", "You are the red player.")
	var heard struct {
		Samples int
		Loudest float64
	}
	first.Eval("heard", &heard)
	if heard.Samples < console.SampleRate || heard.Loudest < 0.02 || heard.Loudest > 1 {
		t.Errorf("the first page plays %+v", heard)
	}
	for _, name := range []string{"first", "second", "watching", "late"} {
		if !all.shared(name) {
			t.Errorf("no state of the %s page was seen by another one: %v", name, all.seen)
		}
	}
}

// Rule: two pages come to the same states over a bad network, for as long as they play.
func TestMinutesInTwoPages(t *testing.T) {
	if *minutes == 0 {
		t.Skip("it takes as long as it says: add -nes.minutes 10")
	}
	first, second, _ := meet(t, packed(t), "dots=-1&bot&net=awful")
	all := compared{t: t, seen: map[int]string{}}
	var s [2]Status
	for end := time.Now().Add(time.Duration(*minutes) * time.Minute); time.Now().Before(end); time.Sleep(2 * time.Second) {
		for i, p := range []*browsertest.Page{first, second} {
			s[i] = browsertest.Now[Status](p)
			all.add(p.Name, s[i].Marks)
		}
	}
	first.Shot("first")
	for i, p := range []*browsertest.Page{first, second} {
		t.Logf("%s: %d frames in %.0f s, %d rollbacks, %d frames again, %.0f s waited, delay %d", p.Name, s[i].Frame, s[i].Seconds, s[i].Rollbacks, s[i].Resimulated, s[i].Stalled, s[i].Delay)
		if !s[i].Equal {
			t.Errorf("the %s page has seen another state elsewhere", p.Name)
		}
	}
	t.Logf("equal up to frame %d", all.both)
	if all.both == 0 {
		t.Error("no states were compared")
	}
}
