//go:build !js

package firefox

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tickback/tickback/online/browsertest"
)

// Page is a page in its own window. Its methods fail the test if the browser cannot do it; they must be called on the
// goroutine of the test. [browsertest.Until] can query it, too.
type Page struct {
	// Name is the name of the page in messages; "page" unless it is set.
	Name string
	*browsertest.Console

	t       testing.TB
	session *session
	id      string
}

var _ browsertest.Asked = (*Page)(nil)

// Open opens a window of that size at an address for a new user, and waits until the page is loaded. The scripts run
// in it before its own. It is closed with the test.
func (b *Browser) Open(t testing.TB, address string, width, height int, scripts ...string) *Page {
	t.Helper()
	p := &Page{Name: "page", t: t, session: b.session}
	var person struct {
		ID string `json:"userContext"`
	}
	p.do("browser.createUserContext", map[string]any{}, &person)
	var window struct {
		ID string `json:"context"`
	}
	p.do("browsingContext.create", map[string]any{"type": "window", "userContext": person.ID}, &window)
	p.id = window.ID
	p.Console = b.pages.add(p.id)
	t.Cleanup(func() {
		if t.Failed() {
			p.lastWords()
		}
		if complaints := p.Complaints(); len(complaints) > 0 {
			t.Errorf("%s complains: %q", p.Name, complaints)
		}
		_ = p.try("browser.removeUserContext", map[string]any{"userContext": person.ID}, nil) // also closes the window
	})
	p.do("browsingContext.setViewport", map[string]any{"context": p.id, "viewport": map[string]int{"width": width, "height": height}}, nil)
	for _, script := range scripts {
		p.do("script.addPreloadScript", map[string]any{"functionDeclaration": "() => {" + script + "}", "contexts": []string{p.id}}, nil)
	}
	p.do("browsingContext.navigate", map[string]any{"context": p.id, "url": address, "wait": "complete"}, nil)
	return p
}

// lastWords saves a picture of a page whose test has failed, if possible.
func (p *Page) lastWords() {
	if png, err := p.picture(); err == nil {
		_ = os.WriteFile(filepath.Join(p.t.ArtifactDir(), "failed "+p.Name+".png"), png, 0o644) // the test has failed anyway
	}
}

// try sends a command that may fail, with a time limit.
func (p *Page) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), stepTime)
	defer cancel()
	return p.session.do(ctx, method, params, result)
}

func (p *Page) do(method string, params, result any) {
	p.t.Helper()
	if err := p.try(method, params, result); err != nil {
		p.Fatalf("%v", err)
	}
}

// Status returns the JSON of an expression, or "null" if it has no value. It waits for a promise.
func (p *Page) Status(expression string) (json.RawMessage, error) {
	var r struct {
		Type    string
		Details struct{ Text string } `json:"exceptionDetails"`
		Result  struct{ Value json.RawMessage }
	}
	err := p.try("script.evaluate", map[string]any{
		"expression": "(async () => JSON.stringify((await (" + expression + ")) ?? null) ?? 'null')()",
		"target":     map[string]string{"context": p.id}, "awaitPromise": true,
	}, &r)
	if err != nil {
		return nil, err
	}
	if r.Type != "success" {
		return nil, errors.New(r.Details.Text)
	}
	var text string
	err = json.Unmarshal(r.Result.Value, &text)
	return json.RawMessage(text), err
}

// Eval runs a JavaScript expression in the page, and stores its JSON value in to, unless to is nil. It waits for a
// promise.
func (p *Page) Eval(expression string, to any) {
	p.t.Helper()
	text, err := p.Status(expression)
	if err == nil && to != nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
}

// Closed reports whether the browser has ended.
func (p *Page) Closed() bool { return p.session.err() != nil }

// Fatalf fails the test of the page, with the name of the page.
func (p *Page) Fatalf(format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf(p.Name+": "+format, args...)
}

// String returns the name of the page.
func (p *Page) String() string { return p.Name }

// Helper marks its caller as a helper of the page's test.
func (p *Page) Helper() { p.t.Helper() }

// picture returns a picture of the page, as a PNG.
func (p *Page) picture() ([]byte, error) {
	var r struct{ Data string }
	if err := p.try("browsingContext.captureScreenshot", map[string]any{"context": p.id}, &r); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(r.Data)
}

// Shot saves a picture of the page among the test's artifacts, as NAME.png.
func (p *Page) Shot(name string) {
	p.t.Helper()
	png, err := p.picture()
	if err == nil {
		err = os.WriteFile(filepath.Join(p.t.ArtifactDir(), name+".png"), png, 0o644)
	}
	if err != nil {
		p.Fatalf("its picture: %v", err)
	}
}

// Press holds a key for ms milliseconds: a letter, or a key as WebDriver names it, such as "\uE007", which is Enter.
func (p *Page) Press(key string, ms int) {
	p.t.Helper()
	p.act("key", nil, []map[string]any{
		{"type": "keyDown", "value": key}, {"type": "pause", "duration": ms}, {"type": "keyUp", "value": key},
	})
}

// Click presses the left mouse button at a position in pixels for ms milliseconds.
func (p *Page) Click(x, y float64, ms int) {
	p.t.Helper()
	p.act("pointer", map[string]any{"pointerType": "mouse"}, []map[string]any{
		{"type": "pointerMove", "x": int(x), "y": int(y)},
		{"type": "pause", "duration": ms},
		{"type": "pointerDown", "button": 0},
		{"type": "pause", "duration": ms},
		{"type": "pointerUp", "button": 0},
	})
}

// act performs the actions of an input device one after another.
func (p *Page) act(device string, parameters map[string]any, actions []map[string]any) {
	p.t.Helper()
	source := map[string]any{"type": device, "id": device, "actions": actions}
	if parameters != nil {
		source["parameters"] = parameters
	}
	p.do("input.performActions", map[string]any{"context": p.id, "actions": []any{source}}, nil)
}

// pages are the consoles of all pages of a browser.
type pages struct {
	mu  sync.Mutex
	all map[string]*browsertest.Console
}

func (s *pages) add(id string) *browsertest.Console {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = make(map[string]*browsertest.Console)
	}
	c := new(browsertest.Console)
	s.all[id] = c
	return c
}

// tell handles an event from the browser about a page.
func (s *pages) tell(method string, params json.RawMessage) {
	var e struct {
		Level, Text string
		Source      struct{ Context string }
	}
	if method != "log.entryAdded" || json.Unmarshal(params, &e) != nil || e.Level != "error" {
		return
	}
	s.mu.Lock()
	c := s.all[e.Source.Context]
	s.mu.Unlock()
	if c != nil {
		c.Complain(e.Text)
	}
}
