package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/tickback/tickback/play/app"
)

// keyQueries are the queries for one page and for two, with a player who presses keys in each.
var keyQueries = [...]string{
	"mode=versus-bot&seed=5&silent=1&publish=each",
	"mode=online&game=duel&seats=2&start=2&seed=5&silent=1&publish=each",
}

// keyScript records when a key arrives, and when a picture first shows that a fighter has moved: in milliseconds, by
// a clock that all pages of a machine share, and in pictures.
const keyScript = `(() => {
  const clock = () => performance.timeOrigin + performance.now();
  let now;
  window.probe = {};
  window.watchFighter = () => (window.probe = {from: now.drawn[0], pictures: now.pictures});
  addEventListener("keydown", () => { probe.key ??= clock(); probe.before ??= now.pictures; }, true);
  Object.defineProperty(window, "tickback", {configurable: true, get: () => now, set(s) {
    now = s;
    if (probe.from === undefined || probe.seen || !s.drawn) return;
    if (Math.abs(s.drawn[0] - probe.from) > 0.001) { probe.seen = clock(); probe.after = s.pictures; }
  }});
})()`

func watchKeys() chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(keyScript).Do(ctx)
		return err
	})
}

// probe is what a page has recorded about a key: times in milliseconds, and numbers of pictures.
type probe struct {
	Key, Seen     float64
	Before, After int
}

// The pace of presses: the fighter runs, and comes to rest.
const (
	holdKey  = 200 * time.Millisecond
	restTime = 900 * time.Millisecond
	// countdown is how many frames pass until fighters can move.
	countdown = 200
)

// measureKeys presses keys of the first player, and prints how long it took until the pages showed it.
func measureKeys(list []*browser, n int) error {
	for _, b := range list {
		if _, err := b.until("the fight has begun", func(s *status) bool { return s.Frame > countdown && len(s.Drawn) > 0 }); err != nil {
			return err
		}
	}
	var found delays
	for i := range n {
		code := [...]string{"KeyD", "KeyA"}[i%2]
		for _, b := range list {
			if err := chromedp.Run(b.ctx, chromedp.Evaluate(`watchFighter(), null`, nil)); err != nil {
				return err
			}
		}
		err := chromedp.Run(list[0].ctx, input.DispatchKeyEvent(input.KeyRawDown).WithCode(code).WithKey(code),
			chromedp.Sleep(holdKey), input.DispatchKeyEvent(input.KeyUp).WithCode(code).WithKey(code), chromedp.Sleep(restTime))
		if err != nil {
			return err
		}
		var first probe
		for k, b := range list {
			var p probe
			if err := chromedp.Run(b.ctx, chromedp.Evaluate(`probe`, &p)); err != nil {
				return err
			}
			switch {
			case p.Seen == 0:
				return errNobodyMoves
			case k == 0:
				first = p
				found.add(p.Seen-p.Key, p.After-p.Before)
			default:
				found.remote = append(found.remote, p.Seen-first.Key)
			}
		}
	}
	s, err := list[0].status()
	if err != nil {
		return err
	}
	found.print(&s.Status)
	return nil
}

var errNobodyMoves = errors.New("a key was pressed, and nobody moves: the round is over, or the machine is too slow")

// delays are the times until keys became visible: in milliseconds, where they were pressed and elsewhere, and in
// pictures.
type delays struct{ local, remote, pictures []float64 }

func (d *delays) add(ms float64, pictures int) {
	d.local, d.pictures = append(d.local, ms), append(d.pictures, float64(pictures))
}

func (d *delays) print(s *app.Status) {
	fmt.Printf("%d keys, at %.0f pictures and %.0f ticks a second\n", len(d.local), s.FPS, s.Ticks)
	spread("pictures until one shows it", d.pictures)
	spread("ms until then", d.local)
	if len(d.remote) > 0 {
		spread("ms until the other one shows it", d.remote)
	}
}

// spread prints the minimum, the median, the 90th percentile, and the maximum.
func spread(what string, list []float64) {
	slices.Sort(list)
	fmt.Printf("%s: %.1f, median %.1f, 90 %% %.1f, most %.1f\n", what, list[0], median(list), list[len(list)*9/10], list[len(list)-1])
}
