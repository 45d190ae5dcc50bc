//go:build desktop && !js

package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/lan"
	"github.com/tickback/tickback/play/hall"
	"github.com/tickback/tickback/play/netplay"
	"github.com/tickback/tickback/play/words"
)

// arguments are the flags.
type arguments struct {
	begin    beginning
	show     showing
	room     roomFlags
	local    lanFlags
	tanks    tanksFlags
	licenses bool
	file     string          // a recording
	given    map[string]bool // the flags that were given
}

// beginning is how the program begins.
type beginning struct {
	mode, lab, language string // the initial mode, setup of the lab, and language
	auto, forget        bool
	seed                uint64
}

// showing is the window, how long it is open, and what is reported of it.
type showing struct {
	size               string
	w, h               int // the size, parsed
	silent             bool
	pictures, matches  int
	screenshot, report string
}

// roomFlags say which room to make or to join, online or on the local network.
type roomFlags struct {
	link, server, name, game string
	players, start, frames   int
	watch                    bool
}

// lanFlags are for play on the local network.
type lanFlags struct {
	host, join string
	hosts      bool // -host was given; its value may be empty
	searchPort int
}

// tanksFlags are for a match of tanks at a server.
type tanksFlags struct {
	address, token string
	secret         tickback.Token // the token, parsed
}

// errUsage is wrapped by errors about flags. The process then exits with 2.
var errUsage = errors.New("wrong usage (-help lists the flags)")

func usagef(format string, args ...any) error {
	return fmt.Errorf("%w: %w", errUsage, fmt.Errorf(format, args...))
}

// parse reads the flags. The error wraps flag.ErrHelp or errUsage.
func parse(args []string, stderr io.Writer) (a arguments, err error) {
	f := flag.NewFlagSet("tickback-play", flag.ContinueOnError)
	f.SetOutput(io.Discard) // an error is one line; the flags are only listed on request
	f.Usage = func() {}
	f.StringVar(&a.begin.mode, "mode", "", "begin with a `MODE`: "+strings.Join(modes, ", "))
	f.StringVar(&a.begin.lab, "lab", "", "begin the lab with this `SETUP`, such as delay.60-seed.7, as the lab's links have it; needs -mode lab")
	f.StringVar(&a.begin.language, "language", "", "speak this `LANGUAGE`, en or de, whatever the settings say")
	f.BoolVar(&a.begin.auto, "auto", false, "let bots play for people")
	f.Uint64Var(&a.begin.seed, "seed", 0, "`NUMBER` for the first match; 0 is any")
	f.IntVar(&a.show.pictures, "pictures", 0, "end after `N` pictures")
	f.IntVar(&a.show.matches, "matches", 0, "end after `N` matches or rounds")
	f.StringVar(&a.show.screenshot, "screenshot", "", "write the last picture to this PNG `FILE`; needs -pictures")
	f.StringVar(&a.show.report, "report", "", "print what the program does: `json` at the end, or lines of it meanwhile, too, or a line for each picture")
	f.StringVar(&a.show.size, "size", "", "`WxH` of the window; the usual is 1280x720")
	f.BoolVar(&a.show.silent, "silent", false, "open no sound device")
	f.BoolVar(&a.begin.forget, "forget", false, "neither read nor write settings")
	f.Func("host", "host a game on the local network at this `ADDRESS`: :7717, 192.168.1.5:7717; \"\" is the usual one", func(text string) error {
		a.local.host, a.local.hosts = text, true
		return nil
	})
	f.StringVar(&a.local.join, "join", "", "join the game that is hosted at this `ADDRESS`, such as 192.168.1.5 or host:7717")
	f.IntVar(&a.local.searchPort, "search-port", 0, "look for hosts, and let them be found, at this UDP `PORT`; 0 is the usual one, -1 none")
	f.StringVar(&a.room.link, "room", "", "go to the online room of this `LINK`; a message that has one will do")
	f.StringVar(&a.room.server, "server", "", "make online rooms at the server of this page, such as `https://play.example.org/`")
	f.StringVar(&a.tanks.address, "tanks", "", "join the match of tanks that a server owns at this UDP `ADDRESS`, such as host1:7000")
	f.StringVar(&a.tanks.token, "token", "", "the `TOKEN` that the server of -tanks wants to see")
	f.StringVar(&a.room.name, "name", "", "what others call you; the default is that of the settings")
	f.StringVar(&a.room.game, "game", "", "make a room for this `GAME` at once: duel, arena, skirmish with -host or -mode online, tanks with -mode tanks")
	f.IntVar(&a.room.players, "players", 0, "places of the room: 2 to 8 for the arena and skirmish; with -host or -mode online")
	f.IntVar(&a.room.frames, "frames", 0, "end a match or round of the room after `N` frames; 0 leaves it to the rules")
	f.IntVar(&a.room.start, "start", 0, "begin a match whenever `N` are there; with -auto all places, otherwise 0, which leaves it to the host")
	f.BoolVar(&a.room.watch, "watch", false, "take no place in the room")
	f.BoolVar(&a.licenses, "licenses", false, "print the licenses of everything that this is built from")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(stderr, "usage: tickback-play [flags] [RECORDING]")
		f.SetOutput(stderr)
		f.PrintDefaults()
		return a, err
	} else if err != nil {
		return a, usagef("%w", err)
	}
	if f.NArg() > 1 {
		return a, usagef("%d recordings: only one can be watched at a time", f.NArg())
	}
	if a.file = f.Arg(0); a.file != "" && a.begin.mode == "" {
		a.begin.mode = "theatre"
	}
	a.room.link = cmp.Or(online.LinkIn(a.room.link), a.room.link) // it may be a whole message with a link
	a.given = map[string]bool{}
	f.Visit(func(f *flag.Flag) { a.given[f.Name] = true })
	return a, a.check()
}

// modes are the values of -mode.
var modes = []string{"versus-bot", "versus", "arena", "tanks", "online", "lan", "skirmish", "lab", "theatre", "settings"}

// spoken reports whether there is a language with that tag.
func spoken(tag string) bool {
	_, ok := words.Parse(tag)
	return ok
}

// check returns an error for values that cannot be used together.
func (a *arguments) check() error {
	makes := a.local.hosts || a.begin.mode == "online" || a.room.game == tanks.ID
	for _, c := range []struct {
		wrong bool
		text  error
	}{
		{a.begin.mode != "" && !slices.Contains(modes, a.begin.mode), usagef("-mode %q: there are %s", a.begin.mode, strings.Join(modes, ", "))},
		{a.begin.language != "" && !spoken(a.begin.language), usagef("-language %q: there are en, de", a.begin.language)},
		{a.begin.lab != "" && a.begin.mode != "lab", usagef("-lab needs -mode lab")},
		{!slices.Contains([]string{"", "json", "lines", "each"}, a.show.report), usagef("-report %q: there are json, lines, each", a.show.report)},
		{a.show.size != "" && !a.show.sized(), usagef("-size %q: must be such as 640x360, from 320x180 to 16384x16384", a.show.size)},
		{a.begin.seed > math.MaxUint32, usagef("-seed %d: must be 0 to %d", a.begin.seed, uint32(math.MaxUint32))},
		{a.show.pictures < 0, usagef("-pictures %d: must be 1 or more", a.show.pictures)},
		{a.show.matches < 0, usagef("-matches %d: must be 1 or more", a.show.matches)},
		{a.show.screenshot != "" && a.show.pictures == 0, usagef("-screenshot needs -pictures: after how many of them")},
		{a.local.hosts && a.local.join != "", usagef("-host and -join: a machine hosts a game, or joins one")},
		{a.room.link != "" && (a.local.hosts || a.local.join != ""), usagef("-room is for online rooms, -host and -join are for the local network")},
		{!slices.Contains([]string{"", "duel", "arena", skirmish.ID, tanks.ID}, a.room.game), usagef("-game %q: there are duel, arena, skirmish, tanks", a.room.game)},
		{a.room.game == tanks.ID && a.begin.mode != tanks.ID, usagef("-game tanks needs -mode tanks")},
		{a.room.game != "" && a.room.game != tanks.ID && a.begin.mode == tanks.ID, usagef("-game %s: -mode tanks has no other game than tanks", a.room.game)},
		{a.room.game == tanks.ID && a.room.server == "", usagef("-game tanks needs -server: others come by a link to its room")},
		{a.given["players"] && a.room.game == tanks.ID, usagef("-players: a match of tanks has 16 places")},
		{a.tanks.address != "" && (a.local.hosts || a.local.join != "" || a.room.link != ""), usagef("-tanks is a server, -host, -join and -room are for others")},
		{a.tanks.token != "" && a.tanks.address == "", usagef("-token is for the server of -tanks")},
		{a.room.game != "" && !makes, usagef("-game needs -host or -mode online: the host of a room says what is played")},
		{a.given["players"] && !makes, usagef("-players needs -host or -mode online: the host of a room says how many play")},
		{a.given["players"] && (a.room.players < 2 || a.room.players > 8), usagef("-players %d: must be 2 to 8", a.room.players)},
		{a.given["players"] && a.room.players != 2 && a.room.game != "arena" && a.room.game != skirmish.ID, usagef("-players %d: a duel has 2; -game arena and -game skirmish have up to 8", a.room.players)},
		{a.given["frames"] && !makes, usagef("-frames needs -host or -mode online: the host of a room says how long a match is")},
		{a.room.frames < 0 || a.room.frames > maxFrames, usagef("-frames %d: must be 1 to %d", a.room.frames, maxFrames)},
		{a.room.start != 0 && !makes, usagef("-start needs -host or -mode online: the host begins a match")},
		{a.room.start < 0 || a.room.start == 1 || a.room.start > max(a.room.players, 2), usagef("-start %d: must be 2 to %d, as many as there are places", a.room.start, max(a.room.players, 2))},
		{a.room.watch && makes, usagef("-watch is for joining a game: a host plays")},
		{a.local.searchPort < -1 || a.local.searchPort > math.MaxUint16, usagef("-search-port %d: must be -1 to %d", a.local.searchPort, math.MaxUint16)},
	} {
		if c.wrong {
			return c.text
		}
	}
	if a.tanks.token != "" {
		var err error
		if a.tanks.secret, err = tickback.ParseToken(a.tanks.token); err != nil {
			return usagef("-token: %w", err)
		}
	}
	if a.local.join != "" {
		if _, err := lan.ParseAddress(a.local.join); err != nil {
			return usagef("-join: %w", err)
		}
	}
	return nil
}

// sized parses the size, and reports whether it is valid.
func (o *showing) sized() bool {
	w, h, ok := strings.Cut(o.size, "x")
	var err1, err2 error
	o.w, err1 = strconv.Atoi(w)
	o.h, err2 = strconv.Atoi(h)
	const most = 1 << 14
	return ok && err1 == nil && err2 == nil && o.w >= 320 && o.h >= 180 && o.w <= most && o.h <= most
}

// maxFrames is the longest match: three days.
const maxFrames = 1 << 24

// netplay returns the flags as the configuration of online play.
func (a *arguments) netplay() netplay.Config {
	c := netplay.Config{
		Machine: machine(), Page: a.room.server, Link: a.room.link,
		Game: a.room.game, Seats: max(a.room.players, 2), Name: a.room.name, Frames: tickback.Frame(a.room.frames), Start: a.room.start, Watch: a.room.watch,
	}
	if a.begin.auto && c.Start == 0 {
		c.Start = c.Seats
	}
	c.Create = a.begin.mode == "online" && a.room.game != ""
	return c
}

// hall returns the flags as the configuration of the tanks.
func (a *arguments) hall() hall.Config {
	return hall.Config{
		Machine: machine(), Page: a.room.server, Address: a.tanks.address, Token: a.tanks.secret, Dial: hall.UDP,
		Host: a.room.game == tanks.ID, Name: a.room.name, Ticks: tickback.Frame(a.room.frames),
	}
}

// lan returns the flags as the configuration of play on the local network.
func (a *arguments) lan() (netplay.Config, lan.Options) {
	c := a.netplay()
	c.Link, c.Create = a.local.join, a.local.hosts
	return c, lan.Options{Listen: a.local.host, SearchPort: a.local.searchPort}
}
