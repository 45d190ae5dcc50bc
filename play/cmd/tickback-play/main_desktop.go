//go:build desktop && !js

package main

import (
	_ "embed" // the licences
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/clipboard"
	"github.com/tickback/tickback/play/hall"
	"github.com/tickback/tickback/play/netplay"
	"github.com/tickback/tickback/play/settings"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/play/window"
	_ "github.com/tickback/tickback/play/window/display" // reports a missing display
)

func main() {
	err := start()
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return
	}
	fmt.Fprintln(os.Stderr, "tickback-play:", err)
	if errors.Is(err, errUsage) {
		os.Exit(2)
	}
	os.Exit(1)
}

func start() error {
	args, err := parse(os.Args[1:], os.Stderr)
	if err != nil {
		return err
	}
	if args.licenses {
		_, err := os.Stdout.WriteString(notices)
		return err
	}
	return run(args)
}

// notices are the licences of everything in the binary; make notices writes them.
//
//go:embed notices_desktop.txt
var notices string

func run(args arguments) error {
	var content []byte
	var unfit error // shown in the window
	if args.file != "" {
		var gone *fs.PathError
		if content, unfit = read(args.file); errors.As(unfit, &gone) {
			return unfit
		}
	}
	var trouble error // a minor problem
	var store settings.Store = &settings.Memory{}
	if !args.begin.forget {
		if file, err := settings.UserFile(); err != nil {
			trouble = fmt.Errorf("settings will be forgotten: %w", err)
		} else {
			store = file
		}
	}
	a := app.New(app.Options{
		Store: store, Mixer: sound.NewMixer(), Mode: args.begin.mode, Auto: args.begin.auto,
		Seed: uint32(args.begin.seed), Quit: true, Now: time.Now(), KeyName: window.KeyNames(), SaveFile: saveFile,
		Lab:      app.LabOptions{Setup: args.begin.lab, Link: func(setup string) string { return "tickback-play -mode lab -lab " + setup }},
		Language: args.begin.language, Languages: []string{os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG")},
	})
	if trouble != nil {
		a.Note(trouble)
	}
	if args.file != "" {
		a.Receive(filepath.Base(args.file), content, unfit)
	}
	online, field := args.netplay(), args.hall()
	online.Others = map[string]func(*app.App, string) app.Scene{tanks.ID: hall.Join(field)}
	a.Add(hall.Mode(field), args.begin.mode == tanks.ID || args.tanks.address != "")
	a.Add(netplay.Mode(online), args.begin.mode == "online" || args.room.link != "")
	a.Add(netplay.LAN(args.lan()), args.begin.mode == "lan" || args.local.hosts || args.local.join != "")
	last, err := show(a, args.show)
	status := a.Status() // before Close leaves the match
	a.Close()
	if err != nil {
		return err
	}
	if args.show.report != "" {
		if err := json.NewEncoder(os.Stdout).Encode(status); err != nil {
			return err
		}
	}
	return last
}

// show shows the app until it is done or the process is told to end. last is the error from the screenshot.
func show(a *app.App, args showing) (last, err error) {
	signals, end := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		<-signals
		signal.Stop(signals) // so that the next one ends the process immediately
		close(end)
	}()
	o := window.Options{
		App: a, Width: args.w, Height: args.h, Pictures: args.pictures, Silent: args.silent,
		Until: end, Paste: clipboard.Desktop{Getenv: os.Getenv}.Read,
	}
	switch args.report {
	case "lines":
		o.Each = reporter(a, reportEvery)
	case "each":
		o.Each = reporter(a, 0)
	}
	if args.screenshot != "" {
		o.Last = func(m *image.RGBA) { last = write(args.screenshot, m) }
	}
	if args.matches > 0 {
		o.Done = func() bool { return a.Status().Matches >= args.matches }
	}
	err = window.Run(o)
	return last, err
}

// reportEvery is how often lines of a report are printed.
const reportEvery = 500 * time.Millisecond

// reporter returns a function that prints these lines at most this often.
func reporter(a *app.App, every time.Duration) func() {
	var last time.Time
	lines := json.NewEncoder(os.Stdout)
	return func() {
		if now := time.Now(); now.Sub(last) >= every {
			last = now
			_ = lines.Encode(a.Status()) // if nobody reads any longer, the last line reports the error
		}
	}
}

func write(name string, m *image.RGBA) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := png.Encode(f, m); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
