package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tickback/tickback/play/app"
)

// browser is one chromium with one page.
type browser struct {
	ctx  context.Context
	stop context.CancelFunc
	dir  string // its profile
}

// start starts a browser.
func start(ctx context.Context, size extent) (*browser, error) {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		return nil, errors.New("there is no chromium")
	}
	dir, err := os.MkdirTemp("", "tickback-pace")
	if err != nil {
		return nil, err
	}
	ctx, stopProcess := chromedp.NewExecAllocator(ctx,
		chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.WindowSize(size.w, size.h),
		chromedp.Headless, chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"), chromedp.Flag("mute-audio", true),
		chromedp.Flag("allow-loopback-in-peer-connection", true), chromedp.Flag("disable-features", "WebRtcHideLocalIpsWithMdns"),
	)
	ctx, stopPage := chromedp.NewContext(ctx)
	b := &browser{ctx: ctx, dir: dir, stop: func() { stopPage(); stopProcess() }}
	if err := chromedp.Run(ctx); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *browser) close() error {
	b.stop()
	return os.RemoveAll(b.dir)
}

// status is what the page reports, with its room if it is in one.
type status struct {
	app.Status
	Room string `json:"room"`
}

func (b *browser) status() (s status, err error) {
	var text string
	if err := chromedp.Run(b.ctx, chromedp.Evaluate(`JSON.stringify(window.tickback || {})`, &text)); err != nil {
		return s, err
	}
	return s, json.Unmarshal([]byte(text), &s)
}

// until waits until a condition is true.
func (b *browser) until(what string, is func(s *status) bool) (status, error) {
	return await(what, b.status, is)
}

// await polls a status until a condition is true.
func await[S any](what string, look func() (S, error), is func(s *S) bool) (last S, err error) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if last, err = look(); err != nil || is(&last) {
			return last, err
		}
	}
	return last, fmt.Errorf("after %v it is not true that %s: %+v", patience, what, last)
}
