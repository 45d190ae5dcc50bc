//go:build !js

package browsertest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(Run(m)) }

// said is the status that the page of these tests reports.
type said struct {
	Loads, Clicks, Pictures, Ticks int
	Keys                           []string
	Visible                        string
	Fetched                        string
}

const text = `<!doctype html><link rel=icon href=data:,><body style="background:#246"><script>
const s = window.tickback = {loads: +(localStorage.loads || 0) + 1, clicks: 0, pictures: 0, ticks: 0, keys: [], visible: document.visibilityState, fetched: ""};
localStorage.loads = s.loads;
onmousedown = () => s.clicks++;
onkeydown = e => s.keys.push(e.code);
document.onvisibilitychange = () => s.visible = document.visibilityState;
const draw = () => { s.pictures++; requestAnimationFrame(draw); };
draw();
setInterval(() => s.ticks++, 20);
const get = () => fetch("/").then(() => s.fetched = "yes", () => s.fetched = "no");
</script>`

// served serves the page of these tests.
func served(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(text)) }))
	t.Cleanup(server.Close)
	return server.URL
}

// The simulated problems of pages have the intended effects, and browsers share nothing.
func TestWhatHappensToPages(t *testing.T) {
	b := Shared(t)
	url := served(t)
	p, other := b.Open(t, url), b.Open(t, url)
	Until(p, "it draws", func(s said) bool { return s.Pictures > 3 && s.Visible == "visible" })
	p.Point(10, 10)
	p.Button(10, 10, true)
	p.Button(10, 10, false)
	p.Key("KeyQ", true)
	p.Key("KeyQ", false)
	Until(p, "it was clicked", func(s said) bool { return s.Clicks == 1 && slices.Equal(s.Keys, []string{"KeyQ"}) })
	p.Reload()
	Until(p, "it was loaded again", func(s said) bool { return s.Loads == 2 })
	if s := Until(p.Another(url), "one more", func(s said) bool { return s.Pictures > 3 }); s.Loads != 3 {
		t.Errorf("another page of the same person: %+v", s)
	}
	p.Hide()
	before := Until(p, "it knows", func(s said) bool { return s.Visible == "hidden" })
	if s := Until(other, "it draws, too", func(s said) bool { return s.Pictures > 100 }); s.Loads != 1 || s.Visible != "visible" {
		t.Errorf("the page of somebody else: %+v", s)
	}
	if s := Now[said](p); s.Pictures > before.Pictures+5 || s.Ticks == 0 {
		t.Errorf("hidden, it goes from %+v to %+v", before, s)
	}
	p.Show()
	Until(p, "it draws again", func(s said) bool { return s.Pictures > before.Pictures+20 && s.Visible == "visible" })
	p.Offline(true)
	p.Forgive("ERR_INTERNET_DISCONNECTED")
	p.Eval("get()", nil)
	Until(p, "nothing to be had", func(s said) bool { return s.Fetched == "no" })
	p.Offline(false)
	p.Eval("get()", nil)
	Until(p, "something to be had", func(s said) bool { return s.Fetched == "yes" })
	p.Shot("page")
	png, err := os.ReadFile(filepath.Join(t.ArtifactDir(), "page.png"))
	if err != nil || !strings.HasPrefix(string(png), "\x89PNG") {
		t.Errorf("the picture: %v", err)
	}
	p.Close()
	p.Close()
}

// Complaints of a page are collected, except for forgiven ones.
func TestComplaints(t *testing.T) {
	p := Shared(t).Blank(t)
	p.Before("window.before = 5")
	p.Navigate(served(t))
	p.Eval(`console.log("no complaint"), console.error("one", 2), setTimeout(() => { throw Error("three") }), fetch("/%").catch(() => 4)`, nil)
	p.Eval(`Promise.reject(Error("four")), new Promise(done => setTimeout(done, 50))`, nil)
	found := strings.Join(p.Complaints(), "; ")
	for _, want := range []string{`"one" 2`, "three", "four", "status of 400"} {
		if !strings.Contains(found, want) {
			t.Errorf("%q is not among %q", want, found)
		}
	}
	if strings.Contains(found, "no complaint") {
		t.Errorf("too much: %q", found)
	}
	p.Forgive(`"one" 2`, "three", "four", "status of 400")
	if left := p.Complaints(); len(left) > 0 {
		t.Errorf("not forgiven: %q", left)
	}
	var before int
	if p.Eval("window.before", &before); before != 5 {
		t.Error("the script that runs before has not")
	}
	p.Eval(`confirm("the test does not stop here")`, nil)
}
