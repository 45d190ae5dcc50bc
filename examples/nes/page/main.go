//go:build js

// Command page is the console in a browser: people meet in a room, and play from machine to machine. "go run ./pack" builds it.
// The page's address may have options, such as "?dots=25&runahead=2": those of package room, in small letters, with "bot" and
// "net" among them; less than 0 dots is a match that does not end.
package main

import (
	"net/url"
	"strconv"
	"syscall/js"

	"github.com/tickback/tickback/examples/nes/console"
	"github.com/tickback/tickback/examples/nes/room"
	"github.com/tickback/tickback/examples/nes/speaker"
)

func main() {
	// A twentieth of a second waits, besides what the browser has.
	queue := speaker.NewQueue(console.SampleRate / 20)
	screen := newScreen(speaker.NewPage(queue, console.SampleRate))
	options, err := options()
	if err != nil {
		screen.Say(err.Error())
		return
	}
	options.Hear = queue.Write
	game, err := room.Open("", screen, options)
	if err != nil {
		screen.Say(err.Error())
		return
	}
	screen.paint(game.Preview())
	update := game.Background(game.Update) // which also calls it while the page is hidden
	for {
		screen.wait()
		if err := update(); err != nil {
			screen.Say(err.Error())
			return
		}
		screen.draw(game.View())
		screen.report(game)
	}
}

// options reads the options in the page's address.
func options() (o room.Options, err error) {
	query, err := url.ParseQuery(trimmed(js.Global().Get("location").Get("search").String()))
	if err != nil {
		return o, err
	}
	number := func(name string, to *int) {
		if text := query.Get(name); text != "" && err == nil {
			*to, err = strconv.Atoi(text)
		}
	}
	number("dots", &o.Dots)
	number("runahead", &o.RunAhead)
	o.Net, o.Bot = query.Get("net"), query.Has("bot")
	return o, err
}

// trimmed returns the search part of an address without its question mark.
func trimmed(search string) string {
	if search == "" {
		return ""
	}
	return search[1:]
}
