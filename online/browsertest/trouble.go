//go:build !js

package browsertest

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Resize sets the size of the page in pixels, which may differ from that of the browser's windows.
func (p *Page) Resize(width, height int) {
	p.t.Helper()
	p.Do(chromedp.EmulateViewport(int64(width), int64(height)))
}

// Hide hides the page, like a minimised window: it draws nothing, and its timers are slow.
func (p *Page) Hide() { p.t.Helper(); p.resize(browser.WindowStateMinimized, "hidden") }

// Show shows a hidden page again.
func (p *Page) Show() { p.t.Helper(); p.resize(browser.WindowStateNormal, "visible") }

// resize changes the state of the window, and waits until the page has noticed it.
func (p *Page) resize(to browser.WindowState, visibility string) {
	p.t.Helper()
	id, _, err := browser.GetWindowForTarget().WithTargetID(p.id).Do(p.browser.executor())
	if err == nil {
		err = browser.SetWindowBounds(id, &browser.Bounds{WindowState: to}).Do(p.browser.executor())
	}
	if err != nil {
		p.t.Fatalf("%s: its window: %v", p.Name, err)
	}
	for deadline := time.Now().Add(stepTime); ; time.Sleep(askEvery) {
		var is string
		p.Eval("document.visibilityState", &is)
		if is == visibility {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%s: it is %s, and not %s", p.Name, is, visibility)
		}
	}
}

// Offline disconnects the page from the network, or reconnects it: this affects requests and sockets, but not
// connections between pages.
func (p *Page) Offline(offline bool) {
	p.t.Helper()
	p.Do(chromedp.ActionFunc(func(ctx context.Context) error {
		if err := network.Enable().Do(ctx); err != nil {
			return err
		}
		return network.EmulateNetworkConditions(offline, 0, -1, -1).Do(ctx)
	}))
}

// Insets sets the page's safe-area insets in pixels, as for a notch. A page that is open sees them after a reload.
func (p *Page) Insets(top, right, bottom, left int64) {
	p.t.Helper()
	p.Do(emulation.SetSafeAreaInsetsOverride(&emulation.SafeAreaInsets{Top: top, Right: right, Bottom: bottom, Left: left}))
}

// Slow makes the processor slower for the page by this factor; 1 is full speed.
func (p *Page) Slow(times float64) { p.t.Helper(); p.Do(emulation.SetCPUThrottlingRate(times)) }
