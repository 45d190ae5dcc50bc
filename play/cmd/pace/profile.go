package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/chromedp/cdproto/profiler"
	"github.com/chromedp/chromedp"
)

// profile writes a profile of a page to a file, which a browser's developer tools can open, and
// prints what takes the most time.
func (b *browser) profile(file string, d time.Duration) error {
	var p *profiler.Profile
	err := chromedp.Run(b.ctx, profiler.Enable(), profiler.SetSamplingInterval(500), profiler.Start(), chromedp.Sleep(d),
		chromedp.ActionFunc(func(ctx context.Context) (err error) {
			p, err = profiler.Stop().Do(ctx)
			return err
		}))
	if err != nil {
		return err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	printTop(p)
	return os.WriteFile(file, text, 0o644)
}

// printTop prints the functions with the most samples.
func printTop(p *profiler.Profile) {
	const most = 40
	names := map[int64]string{}
	for _, n := range p.Nodes {
		names[n.ID] = n.CallFrame.FunctionName
	}
	counts := map[string]int{}
	for _, id := range p.Samples {
		counts[names[id]]++
	}
	order := make([]string, 0, len(counts))
	for name := range counts {
		order = append(order, name)
	}
	slices.SortFunc(order, func(a, b string) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) })
	for _, name := range order[:min(most, len(order))] {
		fmt.Printf("%5.1f %%  %s\n", 100*float64(counts[name])/float64(len(p.Samples)), name)
	}
}
