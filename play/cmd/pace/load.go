package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The network for first loads: bytes per second, and the latency of a request.
const (
	loadRate  = 10_000_000 / 8
	loadDelay = 40 * time.Millisecond
)

// stages is a script that records when the page has reached each stage, in milliseconds since it was opened.
const stages = `window.reached = {};
const note = name => reached[name] ??= performance.now();
addEventListener("DOMContentLoaded", () => {
  const text = document.getElementById("text");
  const usual = Object.getOwnPropertyDescriptor(Node.prototype, "textContent");
  Object.defineProperty(text, "textContent", {get: usual.get, set(s) { note(s); usual.set.call(this, s); }}); // an observer would be told when the program has begun
  note("loading");
}, {capture: true});
let now;
Object.defineProperty(window, "tickback", {configurable: true, get: () => now, set(s) { now = s; if (s.pictures) note("title"); }});`

// stageNames are the stages as the page calls them, and its first picture.
var stageNames = []string{"loading", "preparing", "starting", "title"}

// measureLoads opens the page for a new user, several times one after another, over a slow network, and prints when
// it reached each stage.
func measureLoads(ctx context.Context, o arguments, address string) error {
	fmt.Printf("over %.0f Mbit/s and %v, in seconds since the page was opened, and processor time of the browser:\n", loadRate*8/1e6, loadDelay)
	all := make(map[string][]float64)
	var spent []float64
	for i := range o.loads {
		reached, used, err := firstLoad(ctx, o.size, address)
		if err != nil {
			return err
		}
		fmt.Printf("%2d.", i+1)
		for _, name := range stageNames {
			fmt.Printf("  %s %.2f", name, reached[name]/1000)
			all[name] = append(all[name], reached[name]/1000)
		}
		fmt.Printf("  processor %.2f\n", used.Seconds())
		spent = append(spent, used.Seconds())
	}
	fmt.Print("medians:")
	for _, name := range stageNames {
		fmt.Printf("  %s %.2f", name, median(all[name]))
	}
	fmt.Printf("  processor %.2f\n", median(spent))
	return nil
}

// firstLoad opens the page in a browser that has never seen it.
func firstLoad(ctx context.Context, size extent, address string) (reached map[string]float64, used time.Duration, err error) {
	b, err := start(ctx, size)
	if err != nil {
		return nil, 0, err
	}
	defer b.close()
	before := b.load()
	err = chromedp.Run(b.ctx, network.Enable(), network.EmulateNetworkConditions(false, float64(loadDelay.Milliseconds()), loadRate, loadRate),
		chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(stages).Do(ctx)
			return err
		}),
		chromedp.Navigate(address))
	if err != nil {
		return nil, 0, err
	}
	if _, err := b.until("it shows the title", func(s *status) bool { return s.Pictures > 0 }); err != nil {
		return nil, 0, err
	}
	used = b.load().all - before.all
	if err := chromedp.Run(b.ctx, chromedp.Poll(`window.reached.title`, nil), chromedp.Evaluate(`window.reached`, &reached)); err != nil {
		return nil, 0, err
	}
	return reached, used, nil
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
