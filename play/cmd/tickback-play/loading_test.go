//go:build !js

package main_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/serve"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/page"
)

// shaky is a server of the page that counts requests, and can break off in the middle of the program.
type shaky struct {
	*httptest.Server
	handler http.Handler

	mu     sync.Mutex
	broken bool
	asked  map[string]int // files that were sent, by their names
}

func openShaky(t *testing.T) *shaky {
	t.Helper()
	browsertest.Find(t)
	s, err := serve.New(serve.Config{Files: os.DirFS(packed.files(t))})
	if err != nil {
		t.Fatal(err)
	}
	k := &shaky{handler: s.Handler(), asked: map[string]int{}}
	k.Server = httptest.NewServer(k)
	t.Cleanup(func() {
		_ = s.Close(context.Background()) // who is still there is cut off
		k.Close()
	})
	return k
}

func (k *shaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	k.asked[r.URL.Path]++
	broken := k.broken && strings.HasSuffix(r.URL.Path, ".wasm")
	k.mu.Unlock()
	if !broken {
		k.handler.ServeHTTP(w, r)
		return
	}
	answer := httptest.NewRecorder()
	k.handler.ServeHTTP(answer, r)
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	_, _ = w.Write(answer.Body.Bytes()[:answer.Body.Len()/2]) // it is broken off anyway
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func (k *shaky) set(broken bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.broken = broken
}

// files returns how many files of a kind were requested.
func (k *shaky) files(ext string) (n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for name, times := range k.asked {
		if strings.HasSuffix(name, ext) {
			n += times
		}
	}
	return n
}

// runs waits until the program draws pictures.
func runs(t *testing.T, p *browsertest.Page) {
	t.Helper()
	until(t, p, "it runs", func(s app.Status) bool { return s.Pictures > 3 })
}

// tells waits until the page says why it has not loaded.
func tells(p *browsertest.Page) (text string) {
	p.Eval(`new Promise((done) => setInterval(() => document.getElementById("load").className === "bad" &&
		done(document.getElementById("text").textContent), 50))`, &text)
	return text
}

// Each reason that prevents the page from loading is reported in its own words.
func TestThePageSaysWhyItCannotLoad(t *testing.T) {
	site := openShaky(t)
	for _, c := range []struct{ name, script, says string }{
		{"no WebAssembly", `delete window.WebAssembly`, "WebAssembly"},
		{"no WebGL", `HTMLCanvasElement.prototype.getContext = () => null`, "WebGL 2"},
		{"no server", `window.fetch = () => Promise.reject(new Error("nobody answers"))`, "nobody answers"},
		{"no WebGL, in German", `HTMLCanvasElement.prototype.getContext = () => null; localStorage.setItem("tickback.play", '{"language":"de"}')`, "Das hat nicht geklappt: dieser Browser"},
		{"another page", `window.fetch = () => Promise.resolve(new Response("", {status: 404}))`, "404"},
	} {
		p := visit(t, c.name, site.URL, 640, 360, c.script)
		if text := tells(p); !strings.Contains(text, c.says) {
			t.Errorf("%s: %q", c.name, text)
		}
	}
}

// A download that breaks off is reported, and can be retried. A browser that cannot compile during the download works,
// too.
func TestABrokenDownloadIsTriedAgain(t *testing.T) {
	site := openShaky(t)
	site.set(true)
	p := visit(t, "broken off", site.URL, 640, 360, `delete WebAssembly.instantiateStreaming`)
	p.Forgive("ERR_", "net::")
	if text := tells(p); !strings.Contains(text, "connection was lost") {
		t.Errorf("it says %q", text)
	}
	p.Shot("broken-off")
	site.set(false)
	p.Eval(`document.getElementById("again").click()`, nil)
	runs(t, p)
}

// bars is a script that records what the page shows while it loads.
const bars = `window.bars = [], window.stages = [], window.amounts = [];
const add = (list, id) => {
  const text = document.getElementById(id)?.textContent;
  if (text && text !== list.at(-1)) list.push(text);
};
setInterval(() => {
  add(stages, "text"), add(amounts, "bytes");
  const width = parseFloat(document.querySelector("#bar i")?.style.width || "0");
  if (width !== bars.at(-1)) bars.push(width);
}, 1);`

// A page that was loaded once opens without a server, and plays everything that needs none.
func TestThePageOpensWithoutANetwork(t *testing.T) {
	site := open(t, rooms.Config{})
	p := visit(t, "kept", site.url, 640, 360, "")
	runs(t, p)
	p.Eval(`navigator.serviceWorker.ready.then(() => true)`, nil)
	site.stop()
	p.Forgive("ERR_", "net::", "Failed to fetch")
	p.Navigate(site.url + "?mode=versus-bot")
	until(t, p, "a match runs without a server", func(s app.Status) bool { return s.Mode == "duel" && s.Frame > 3 })
	p.Shot("without-a-network")
}

// The bar goes from empty to full. The second time, only the index is loaded.
func TestThePageLoadsOnce(t *testing.T) {
	site := openShaky(t)
	p := visit(t, "page", site.URL, 640, 360, bars)
	runs(t, p)
	var shown []float64
	p.Eval(`bars`, &shown)
	for i := range len(shown) - 1 {
		if shown[i+1] < shown[i] {
			t.Errorf("the bar goes back: %v", shown)
		}
	}
	if len(shown) < 3 || shown[len(shown)-1] != 100 {
		t.Errorf("the bar shows %v", shown)
	}
	var stages, amounts []string
	p.Eval(`stages`, &stages)
	p.Eval(`amounts`, &amounts)
	// A stage that takes only a moment may not be seen.
	if stages = slices.DeleteFunc(stages, func(s string) bool { return s == "preparing" }); !slices.Equal(stages, []string{"loading", "starting"}) {
		t.Errorf("the stages are %q", stages)
	}
	if last := amounts[max(len(amounts), 1)-1:]; len(last) != 1 || !regexp.MustCompile(`^(\d+\.\d) of (\d+\.\d) MB$`).MatchString(last[0]) {
		t.Errorf("the bytes are shown as %q", amounts)
	}
	p.Navigate(site.URL + "/?silent=1")
	runs(t, p)
	if programs, scripts := site.files(".wasm"), site.files(".js")-site.files(page.Worker); programs != 1 || scripts != 2 {
		t.Errorf("in two visits the program was asked for %d times, and scripts %d times", programs, scripts)
	}
}
