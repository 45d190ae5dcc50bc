package main

import (
	"syscall/js"
	"time"

	"github.com/tickback/tickback/play/app"
)

// ticker lets a match with others continue while the page is hidden or its pictures are slow. Browsers draw no
// pictures of a hidden page and throttle the page's timers, but not those of a worker, which posts a message for each
// tick.
type ticker struct {
	app    *app.App
	tick   js.Func
	worker js.Value
	ticks  int
	hidden bool

	last time.Time     // when the newest picture was drawn
	mean time.Duration // smoothed time between pictures
	slow bool
}

// workerText is the worker's program: it ticks until it is terminated.
const workerText = `setInterval(() => postMessage(0), 15);`

// newTicker follows the page's visibility.
func newTicker(a *app.App) *ticker {
	t := &ticker{app: a}
	doc := js.Global().Get("document")
	t.tick = js.FuncOf(func(js.Value, []js.Value) any {
		t.pass()
		return nil
	})
	changed := js.FuncOf(func(js.Value, []js.Value) any {
		t.hide(doc.Get("hidden").Bool())
		publish(a)
		return nil
	})
	doc.Call("addEventListener", "visibilitychange", changed)
	if doc.Get("hidden").Bool() { // the page was opened in the background
		t.hide(true)
	}
	return t
}

func (t *ticker) hide(hidden bool) {
	t.hidden = hidden
	t.app.SetAway(hidden)
	t.run()
}

// The average times between pictures above which they count as slow, and below which they count as fast again.
const (
	slowFrom = time.Second / 40
	slowTo   = time.Second / 55
	// atMost limits how much a single pause counts.
	atMost = time.Second / 4
)

// picture records that a picture was drawn. If pictures are slow, peers must not wait for them.
func (t *ticker) picture(now time.Time) {
	if !t.last.IsZero() {
		t.mean += (min(now.Sub(t.last), atMost) - t.mean) / 16
	}
	t.last = now
	if slow := t.mean > slowFrom || t.slow && t.mean > slowTo; slow != t.slow {
		t.slow = slow
		t.run()
	}
}

// run starts or stops the worker as needed.
func (t *ticker) run() {
	if t.hidden || t.slow {
		t.begin()
	} else {
		t.end()
	}
}

// begin starts the worker.
func (t *ticker) begin() {
	if t.worker.Truthy() {
		return
	}
	try(func() {
		blob := js.Global().Get("Blob").New([]any{workerText}, map[string]any{"type": "text/javascript"})
		url := js.Global().Get("URL").Call("createObjectURL", blob)
		t.worker = js.Global().Get("Worker").New(url)
		js.Global().Get("URL").Call("revokeObjectURL", url)
		t.worker.Set("onmessage", t.tick)
	})
}

// end stops the worker.
func (t *ticker) end() {
	if t.worker.Truthy() {
		t.worker.Call("terminate")
		t.worker = js.Undefined()
	}
}

// pass lets time pass between pictures, or without any.
func (t *ticker) pass() {
	t.app.Tick()
	if t.ticks++; t.ticks%publishEvery == 0 {
		publish(t.app)
	}
}
