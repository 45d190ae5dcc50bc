package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/hall"
	"github.com/tickback/tickback/play/netplay"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/play/window"
)

// publishEvery is how many pictures there are between updates of the page's status. With publish=each in the address
// it is one, for measurements of pictures.
const publishEvery = 6

func main() {
	query, err := url.ParseQuery(trimmed(js.Global().Get("location").Get("search").String()))
	if err != nil {
		query = url.Values{}
	}
	seed, _ := strconv.ParseUint(query.Get("seed"), 10, 32) // 0 means any
	mixer := sound.NewMixer()
	said := newMirror()
	a := app.New(app.Options{
		Mirror: said,
		Store:  storage{}, Mixer: mixer, Mode: query.Get("mode"), Auto: query.Get("auto") == "1",
		Seed: uint32(seed), Now: time.Now(), KeyName: window.KeyNames(), Choose: chooser(), SaveFile: saveFile, Calm: calm(),
		Lab:      app.LabOptions{Setup: query.Get("lab"), Link: labLink, Copy: copyText},
		Language: query.Get("language"), Languages: languages(),
	})
	watchFiles(a)
	o, field := onlineConfig(query), hallConfig(query)
	o.Others = map[string]func(*app.App, string) app.Scene{tanks.ID: hall.Join(field)}
	a.Add(hall.Mode(field), query.Get("mode") == "tanks" && o.Link == "")
	a.Add(netplay.Mode(o), query.Get("mode") == "online" || o.Link != "")
	ticks := newTicker(a)
	watchPage(a)
	pictures, every := 0, publishEvery
	if query.Get("publish") == "each" {
		every = 1
	}
	err = window.Run(window.Options{App: a, Silent: query.Get("silent") == "1", Each: func() {
		ticks.picture(time.Now())
		reflect(said)
		if pictures%every == 0 {
			publish(a)
		}
		pictures++
	}})
	if err != nil {
		fmt.Println(err)
		js.Global().Call("tickbackFailed", err.Error())
	}
}

// languages returns the tags of the languages that the browser prefers, best first.
func languages() (tags []string) {
	const most = 20
	list := js.Global().Get("navigator").Get("languages")
	if list.Type() != js.TypeObject {
		return nil
	}
	for i := range min(list.Length(), most) {
		tags = append(tags, list.Index(i).String())
	}
	return tags
}

// onlineConfig returns the configuration of online play in the page's address. A link to a room takes precedence over
// everything else in the address.
func onlineConfig(query url.Values) netplay.Config {
	here := js.Global().Get("location").Get("href").String()
	c := netplay.Config{Machine: machine(), Page: here, Game: query.Get("game"), Name: query.Get("name"), Watch: query.Get("watch") == "1"}
	if _, fragment, _ := strings.Cut(here, "#"); strings.HasPrefix(fragment, "room=") {
		c.Link = here // even a damaged one, so that the user is told
	}
	c.Create = query.Get("mode") == "online" && c.Game != ""
	number := func(key string) int {
		n, _ := strconv.ParseUint(query.Get(key), 10, 24) // 0 means the default
		return int(n)
	}
	c.Seats, c.Start, c.Frames = number("seats"), number("start"), tickback.Frame(number("frames"))
	return c
}

// hallConfig returns the configuration of the tanks in the page's address.
func hallConfig(query url.Values) hall.Config {
	c := hall.Config{Machine: machine(), Page: js.Global().Get("location").Get("href").String(), Name: query.Get("name"), Host: query.Get("host") == "1"}
	fill, err := strconv.Atoi(query.Get("bots"))
	switch {
	case err != nil:
	case fill <= 0:
		c.Fill = -1
	default:
		c.Fill = fill
	}
	ticks, _ := strconv.ParseUint(query.Get("frames"), 10, 24) // 0 means the default
	c.Ticks = tickback.Frame(ticks)
	return c
}

// labLink returns the page's link to a setup of the lab.
func labLink(setup string) string {
	location := js.Global().Get("location")
	return location.Get("origin").String() + location.Get("pathname").String() + "?mode=lab&lab=" + setup
}

// watchPage handles texts that are pasted into the page, and links that are followed in it.
func watchPage(a *app.App) {
	js.Global().Call("addEventListener", "paste", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if data := args[0].Get("clipboardData"); data.Truthy() {
			a.Paste(data.Call("getData", "text").String())
		}
		return nil
	}))
	js.Global().Call("addEventListener", "hashchange", js.FuncOf(func(js.Value, []js.Value) any {
		location := js.Global().Get("location")
		if online.RoomOf(location.Get("href").String()) != "" {
			location.Call("reload") // the page then starts in the room
		}
		return nil
	}))
}

// calm reports whether the system asks for reduced motion.
func calm() bool {
	return js.Global().Call("matchMedia", "(prefers-reduced-motion: reduce)").Get("matches").Bool()
}

func trimmed(search string) string {
	if len(search) > 0 {
		return search[1:]
	}
	return ""
}

// publish sets window.tickback.
func publish(a *app.App) {
	text, err := json.Marshal(a.Status())
	if err != nil {
		return // a status can always be encoded
	}
	js.Global().Set("tickback", js.Global().Get("JSON").Call("parse", string(text)))
}

// storage is the browser's local storage. If it is forbidden, settings are not stored.
type storage struct{}

const storageKey = "tickback.play"

// Load returns the stored settings. ok is false if there are none, or if the page may not use the storage; the
// error is always nil.
func (storage) Load() (text []byte, ok bool, err error) {
	defer func() {
		if e := recover(); e != nil {
			text, ok, err = nil, false, nil // the page may not use the storage
		}
	}()
	v := js.Global().Get("localStorage").Call("getItem", storageKey)
	if v.IsNull() {
		return nil, false, nil
	}
	return []byte(v.String()), true, nil
}

// Save stores the settings, unless the browser forbids it or has no more room, which is an error.
func (storage) Save(text []byte) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("the settings cannot be stored: %v", e)
		}
	}()
	js.Global().Get("localStorage").Call("setItem", storageKey, string(text))
	return nil
}
