//go:build !js

package browsertest

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Options configures a browser. Zero values are the defaults.
type Options struct {
	Width, Height int // the size of windows in pixels; 960 by 540
	// Awake keeps the timers of hidden pages as fast as those of visible ones. Without it they run once a second, as
	// in an ordinary browser.
	Awake bool
	// Flags are additional flags of the command line, without their dashes: true, or a text.
	Flags map[string]any
}

// startTime is the time limit for the start of a browser, on a busy machine.
const startTime = time.Minute

// Browser is a headless browser. Its windows do not cover each other: all are visible and drawn.
type Browser struct {
	ctx  context.Context
	stop func()
}

// flags returns the command-line flags of a browser that connects only to the tests, draws without a graphics card,
// plays no sound, and connects pages of one machine with each other.
func flags(o Options) map[string]any {
	all := map[string]any{
		"disable-quic": true, "disable-background-networking": true, "disable-component-update": true, "disable-sync": true,
		"disable-default-apps": true, "disable-extensions": true, "disable-breakpad": true, "disable-dev-shm-usage": true,
		"metrics-recording-only": true, "password-store": "basic", "force-color-profile": "srgb",
		"disable-features":                       "WebRtcHideLocalIpsWithMdns,Translate,CalculateNativeWinOcclusion",
		"allow-loopback-in-peer-connection":      true,
		"disable-backgrounding-occluded-windows": true,
		"use-angle":                              "swiftshader",
		"enable-unsafe-swiftshader":              true,
		"autoplay-policy":                        "no-user-gesture-required",
		"mute-audio":                             true,
		"disable-popup-blocking":                 true,
		"disable-prompt-on-repost":               true,
		"disable-hang-monitor":                   true,
		"disable-ipc-flooding-protection":        true,
		"disable-client-side-phishing-detection": true,
		"disable-search-engine-choice-screen":    true,
		"hide-crash-restore-bubble":              true,
	}
	if o.Awake {
		all["disable-background-timer-throttling"], all["disable-renderer-backgrounding"] = true, true
	}
	for name, value := range o.Flags {
		all[name] = value
	}
	return all
}

// start starts a browser, which keeps its files in a folder of its own until it is stopped.
func start(path string, o Options) (*Browser, error) {
	dir, err := os.MkdirTemp("", "tickback-browser")
	if err != nil {
		return nil, err
	}
	if o.Width == 0 {
		o.Width, o.Height = 960, 540
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.WindowSize(o.Width, o.Height), chromedp.WSURLReadTimeout(startTime),
		chromedp.Headless, chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
	}
	for name, value := range flags(o) {
		options = append(options, chromedp.Flag(name, value))
	}
	ctx, freed := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, closed := chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {})) // an older version reports unknown events
	b := &Browser{ctx, func() { closed(); freed(); _ = os.RemoveAll(dir) }}               // dir is temporary
	if err := chromedp.Run(ctx); err != nil {
		b.stop()
		return nil, err
	}
	return b, nil
}

// Start starts a browser, which is closed when the test ends. It skips the test like [Find].
func Start(t testing.TB, o Options) *Browser {
	t.Helper()
	b, err := start(Find(t), o)
	if err != nil {
		t.Fatal("the browser does not start: ", err)
	}
	t.Cleanup(b.stop)
	return b
}

var shared struct {
	sync.Mutex
	browser *Browser
}

// Shared returns the browser of this test program, which has the default options and is
// started when the first test asks for it. It needs [Run]. It skips the test like [Find].
func Shared(t testing.TB) *Browser {
	t.Helper()
	path := Find(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.browser != nil && shared.browser.ctx.Err() == nil {
		return shared.browser
	}
	b, err := start(path, Options{})
	if err != nil {
		t.Fatal("the browser does not start: ", err)
	}
	shared.browser = b
	return b
}

// Run runs the tests of a package, closes the shared browser, and removes what [Program] and [Folder] have made. It
// returns the code for os.Exit.
func Run(m *testing.M) int {
	code := m.Run()
	shared.Lock()
	defer shared.Unlock()
	if shared.browser != nil {
		shared.browser.stop()
	}
	forgetPrograms()
	return code
}

// executor returns the context for commands to the whole browser.
func (b *Browser) executor() context.Context {
	return cdp.WithExecutor(b.ctx, chromedp.FromContext(b.ctx).Browser)
}

// person makes a new user of the browser, who shares no storage with others.
func (b *Browser) person() (cdp.BrowserContextID, error) {
	return target.CreateBrowserContext().WithDisposeOnDetach(true).Do(b.executor())
}

// Open opens a window at an address for a new user. The page is closed with the test.
func (b *Browser) Open(t testing.TB, address string) *Page {
	t.Helper()
	p := b.Blank(t)
	p.Navigate(address)
	return p
}

// Blank opens a window without a page for a new user, to be prepared.
func (b *Browser) Blank(t testing.TB) *Page {
	t.Helper()
	person, err := b.person()
	if err != nil {
		t.Fatal("the browser: ", err)
	}
	p := b.window(t, person)
	t.Cleanup(func() {
		p.Close()
		_ = target.DisposeBrowserContext(person).Do(b.executor()) // a failure does not matter
	})
	return p
}
