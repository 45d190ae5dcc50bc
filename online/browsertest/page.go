//go:build !js

package browsertest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// stepTime is the time limit for one step with a page, so that a page that hangs is noticed even on a busy machine.
const stepTime = time.Minute

// Page is a page in its own window. Its methods fail the test if the browser cannot do it; they must be called on the
// goroutine of the test.
type Page struct {
	// Name is the name of the page in messages; "page" unless it is set.
	Name string
	Console

	t       testing.TB
	browser *Browser
	person  cdp.BrowserContextID
	id      target.ID
	ctx     context.Context
	end     func()
}

// window opens a window with an empty page.
func (b *Browser) window(t testing.TB, person cdp.BrowserContextID) *Page {
	t.Helper()
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(person).WithNewWindow(true).Do(b.executor())
	if err != nil {
		t.Fatal("the browser opens no window: ", err)
	}
	p := &Page{Name: "page", t: t, browser: b, person: person, id: id}
	p.ctx, p.end = chromedp.NewContext(b.ctx, chromedp.WithTargetID(id))
	chromedp.ListenTarget(p.ctx, p.listen)
	p.first()
	t.Cleanup(func() {
		if t.Failed() {
			p.lastWords()
		}
		if complaints := p.Complaints(); len(complaints) > 0 {
			t.Errorf("%s complains: %q", p.Name, complaints)
		}
	})
	return p
}

// lastWords logs the status of the page at the end of a failed test, and saves a picture of it, if the browser
// answers soon.
func (p *Page) lastWords() {
	const soon = 10 * time.Second
	ctx, cancel := context.WithTimeout(p.ctx, soon)
	defer cancel()
	var text string
	if err := chromedp.Run(ctx, evaluate(jsonOf(StatusOf), &text)); err != nil {
		return // the window was closed, or the page hangs
	}
	p.t.Logf("%s says at the end: %s", p.Name, text)
	var png []byte
	if chromedp.Run(ctx, chromedp.CaptureScreenshot(&png)) == nil {
		_ = os.WriteFile(filepath.Join(p.t.ArtifactDir(), "failed "+p.Name+".png"), png, 0o644) // the test has failed anyway
	}
}

// first connects to the page. The connection lasts as long as the context of this first step, which therefore has no
// time limit.
func (p *Page) first() {
	p.t.Helper()
	if err := chromedp.Run(p.ctx); err != nil {
		p.t.Fatalf("%s: %v", p.Name, err)
	}
}

// Another opens one more window for the same user, with the storage of the first page. It is closed with the test.
func (p *Page) Another(address string) *Page {
	p.t.Helper()
	other := p.browser.window(p.t, p.person)
	p.t.Cleanup(other.Close)
	other.Navigate(address)
	return other
}

// try runs actions that may fail, with a time limit.
func (p *Page) try(actions ...chromedp.Action) error {
	ctx, cancel := context.WithTimeout(p.ctx, stepTime)
	defer cancel()
	return chromedp.Run(ctx, actions...)
}

// Do runs actions of chromedp, for steps that have no method here.
func (p *Page) Do(actions ...chromedp.Action) {
	p.t.Helper()
	if err := p.try(actions...); err != nil {
		p.t.Fatalf("%s: %v; it complains of %q", p.Name, err, p.Complaints())
	}
}

// Eval runs a JavaScript expression in the page, and stores its JSON value in to, unless to is nil. It waits for a
// promise.
func (p *Page) Eval(expression string, to any) {
	p.t.Helper()
	p.Do(evaluate(expression, to))
}

// Navigate goes to an address, and waits until the page is loaded.
func (p *Page) Navigate(address string) { p.t.Helper(); p.Do(chromedp.Navigate(address)) }

// Reload loads the page again.
func (p *Page) Reload() { p.t.Helper(); p.Do(chromedp.Reload()) }

// Back goes back one page, like the browser's button. It does not wait: a page that is still in the browser's memory
// is not loaded again.
func (p *Page) Back() { p.t.Helper(); p.Eval("setTimeout(() => history.back()), null", nil) }

// Before runs a script in each document of this window before the document's own scripts.
func (p *Page) Before(script string) {
	p.t.Helper()
	p.Do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
		return err
	}))
}

// Close closes the window, without asking the page. Closing twice is no error.
func (p *Page) Close() {
	_ = target.CloseTarget(p.id).Do(p.browser.executor()) // the window may be closed already
	p.end()
}

// Shot saves a picture of the page among the test's artifacts, as NAME.png.
func (p *Page) Shot(name string) {
	p.t.Helper()
	var png []byte
	p.Do(chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(p.t.ArtifactDir(), name+".png"), png, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// Closed reports whether the window is closed, or its browser has ended.
func (p *Page) Closed() bool { return p.ctx.Err() != nil }

// Fatalf fails the test of the page, with the name of the page.
func (p *Page) Fatalf(format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf(p.Name+": "+format, args...)
}

// String returns the name of the page.
func (p *Page) String() string { return p.Name }

// Helper marks its caller as a helper of the page's test.
func (p *Page) Helper() { p.t.Helper() }

// Status returns the JSON of an expression, or "null" if it has no value.
func (p *Page) Status(expression string) (json.RawMessage, error) {
	var text string
	err := p.try(evaluate(jsonOf(expression), &text))
	return json.RawMessage(text), err
}

func jsonOf(expression string) string {
	return "JSON.stringify((" + expression + ") ?? null) ?? 'null'"
}
