package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tickback/tickback/online/serve"
	"github.com/tickback/tickback/play/page"
)

// patience is how long a page may take to load and to start.
const patience = 2 * time.Minute

// arguments are the flags.
type arguments struct {
	pages, loads  int
	keys          int
	seconds       int
	query         string
	web, profile  string
	window        string
	size          extent
	warm, reports time.Duration
}

func main() {
	o := arguments{size: extent{1280, 720}}
	flag.IntVar(&o.pages, "pages", 2, "how many pages play at a time")
	flag.IntVar(&o.loads, "loads", 0, "open the page for so many strangers, one after another, over 10 Mbit/s and 40 ms, and measure that instead")
	flag.IntVar(&o.keys, "keys", 0, "press so many keys in a duel, and measure how long it takes until pictures show it; with -pages 2, also in another page")
	flag.StringVar(&o.window, "window", "", "with -keys, press them in windows of this program, tickback-play for the desktop, and not in pages; needs a display")
	flag.Var(&o.size, "size", "the size of pages and windows: small ones are drawn faster without a graphics card")
	flag.IntVar(&o.seconds, "seconds", 30, "how many seconds to measure")
	flag.StringVar(&o.query, "query", "mode=versus-bot&auto=1&seed=5", "the query of the pages")
	flag.StringVar(&o.web, "web", "", "measure the page in this folder; without it, a page is built")
	flag.StringVar(&o.profile, "profile", "", "write a profile of the first page to this file, and print what takes the most time")
	flag.DurationVar(&o.warm, "warm", 8*time.Second, "how long the pages play before the measurement")
	flag.DurationVar(&o.reports, "every", 5*time.Second, "how often to print rates")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pace:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o arguments) error {
	if o.window != "" {
		return measureWindows(ctx, o)
	}
	if o.web == "" {
		dir, err := os.MkdirTemp("", "tickback-pace")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		source, err := page.Build(ctx, ".", page.Options{})
		if err != nil {
			return err
		}
		if _, err := page.Pack(dir, source); err != nil {
			return err
		}
		o.web = dir
	}
	web, err := serve.New(serve.Config{Files: os.DirFS(o.web)})
	if err != nil {
		return err
	}
	server := httptest.NewServer(web.Handler())
	defer func() {
		_ = web.Close(ctx) // cuts off remaining connections
		server.Close()
	}()
	if o.loads > 0 {
		return measureLoads(ctx, o, server.URL+"/?language=en&silent=1")
	}
	if o.keys > 0 {
		o.query = keyQueries[min(o.pages, 2)-1]
		o.pages = min(o.pages, 2)
	}
	browsers, err := open(ctx, o, server.URL+"/?"+o.query)
	defer func() {
		for _, b := range browsers {
			err = errors.Join(err, b.close())
		}
	}()
	if err != nil {
		return err
	}
	if o.keys > 0 {
		return errors.Join(err, measureKeys(browsers, o.keys))
	}
	return errors.Join(err, measure(browsers, o))
}

// extent is a size in pixels, as a flag.
type extent struct{ w, h int }

// String returns the size as the flag takes it, such as "640x360".
func (e *extent) String() string { return fmt.Sprintf("%dx%d", e.w, e.h) }

// Set takes a size such as "640x360". Anything else, and sizes below 320x180, are errors.
func (e *extent) Set(text string) error {
	var rest string
	if n, _ := fmt.Sscanf(text, "%dx%d%s", &e.w, &e.h, &rest); n != 2 || e.w < 320 || e.h < 180 {
		return errors.New("must be such as 640x360, from 320x180 on")
	}
	return nil
}

// open opens the pages, and waits until all of them play.
func open(ctx context.Context, o arguments, address string) (list []*browser, err error) {
	query, err := url.ParseQuery(o.query)
	if err != nil {
		return nil, err
	}
	for i := range o.pages {
		b, err := start(ctx, o.size)
		if err != nil {
			return list, err
		}
		list = append(list, b)
		if o.keys > 0 {
			err = chromedp.Run(b.ctx, watchKeys())
		}
		if err := errors.Join(err, chromedp.Run(b.ctx, chromedp.Navigate(address))); err != nil {
			return list, err
		}
		if i == 0 && query.Get("mode") == "online" {
			s, err := b.until("there is a room", func(s *status) bool { return s.Room != "" })
			if err != nil {
				return list, err
			}
			room, err := url.Parse(s.Room)
			if err != nil {
				return list, err
			}
			address += "#" + room.Fragment
		}
	}
	for _, b := range list {
		if _, err := b.until("the match runs", func(s *status) bool { return s.Frame > 0 }); err != nil {
			return list, err
		}
	}
	return list, nil
}

// sample is what a page reports at one moment.
type sample struct {
	at     time.Time
	status status
	load   load
}

func look(list []*browser) (all []sample, err error) {
	for _, b := range list {
		s, err := b.status()
		if err != nil {
			return nil, err
		}
		all = append(all, sample{time.Now(), s, b.load()})
	}
	return all, nil
}

// measure prints rates, every few seconds and for the whole time.
func measure(list []*browser, o arguments) error {
	time.Sleep(o.warm)
	first, err := look(list)
	if err != nil {
		return err
	}
	if o.profile != "" {
		if err := list[0].profile(o.profile, time.Duration(o.seconds)*time.Second); err != nil {
			return err
		}
	}
	last, rates := first, make([][]float64, len(list))
	for end := time.Now().Add(time.Duration(o.seconds) * time.Second); o.profile == "" && time.Now().Before(end); {
		time.Sleep(o.reports)
		now, err := look(list)
		if err != nil {
			return err
		}
		report("    ", last, now)
		for i := range list {
			rates[i] = append(rates[i], ticks(&last[i], &now[i]))
		}
		last = now
	}
	now, err := look(list)
	if err != nil {
		return err
	}
	report("all:", first, now)
	for i, list := range rates {
		if len(list) > 0 {
			slices.Sort(list)
			fmt.Printf("page %d: %.1f ticks/s in the median of %v each: between two matches there are none\n", i+1, list[len(list)/2], o.reports)
		}
	}
	return nil
}

// ticks returns the frames of the game per second, between two samples.
func ticks(from, to *sample) float64 {
	return float64(to.status.Frames-from.status.Frames) / to.at.Sub(from.at).Seconds()
}

// report prints the rates between two samples, and the processor time per picture.
func report(name string, from, to []sample) {
	fmt.Print(name)
	for i := range from {
		a, b := from[i], to[i]
		seconds := b.at.Sub(a.at).Seconds()
		pictures := float64(b.status.Pictures - a.status.Pictures)
		each := func(from, to time.Duration) float64 { return float64((to - from).Milliseconds()) / max(pictures, 1) }
		fmt.Printf(" | %5.1f ticks/s %5.1f pictures/s, each %5.1f ms of the page, %5.1f of drawing, %5.1f of all",
			ticks(&a, &b), pictures/seconds,
			each(a.load.page, b.load.page), each(a.load.draw, b.load.draw), each(a.load.all, b.load.all))
	}
	fmt.Println()
}
