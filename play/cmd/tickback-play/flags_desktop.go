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
	beginning
	auto, silent, forget     bool
	licenses                 bool
	seed                     uint64
	pictures, matches        int
	screenshot, report, size string
	w, h                     int
	room, server             string
	host, join               string
	hosts                    bool // -host was given; its value may be empty
	searchPort               int
	name, game               string
	players, start, frames   int
	watch                    bool
	tanks, token             string
	secret                   tickback.Token  // of token
	file                     string          // a recording
	given                    map[string]bool // the flags that were given
}

// beginning is the client's initial mode, setup of the lab and language.
type beginning struct{ mode, lab, language string }

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
	f.StringVar(&a.mode, "mode", "", "begin with a `MODE`: "+strings.Join(modes, ", "))
	f.StringVar(&a.lab, "lab", "", "begin the lab with this `SETUP`, such as delay.60-seed.7, as the lab's links have it; needs -mode lab")
	f.StringVar(&a.language, "language", "", "speak this `LANGUAGE`, en or de, whatever the settings say")
	f.BoolVar(&a.auto, "auto", false, "let bots play for people")
	f.Uint64Var(&a.seed, "seed", 0, "`NUMBER` for the first match; 0 is any")
	f.IntVar(&a.pictures, "pictures", 0, "end after `N` pictures")
	f.IntVar(&a.matches, "matches", 0, "end after `N` matches or rounds")
	f.StringVar(&a.screenshot, "screenshot", "", "write the last picture to this PNG `FILE`; needs -pictures")
	f.StringVar(&a.report, "report", "", "print what the program does: `json` at the end, or lines of it meanwhile, too, or a line for each picture")
	f.StringVar(&a.size, "size", "", "`WxH` of the window; the usual is 1280x720")
	f.BoolVar(&a.silent, "silent", false, "open no sound device")
	f.BoolVar(&a.forget, "forget", false, "neither read nor write settings")
	f.Func("host", "host a game on the local network at this `ADDRESS`: :7717, 192.168.1.5:7717; \"\" is the usual one", func(text string) error {
		a.host, a.hosts = text, true
		return nil
	})
	f.StringVar(&a.join, "join", "", "join the game that is hosted at this `ADDRESS`, such as 192.168.1.5 or host:7717")
	f.IntVar(&a.searchPort, "search-port", 0, "look for hosts, and let them be found, at this UDP `PORT`; 0 is the usual one, -1 none")
	f.StringVar(&a.room, "room", "", "go to the online room of this `LINK`; a message that has one will do")
	f.StringVar(&a.server, "server", "", "make online rooms at the server of this page, such as `https://play.example.org/`")
	f.StringVar(&a.tanks, "tanks", "", "join the match of tanks that a server owns at this UDP `ADDRESS`, such as host1:7000")
	f.StringVar(&a.token, "token", "", "the `TOKEN` that the server of -tanks wants to see")
	f.StringVar(&a.name, "name", "", "what others call you; the default is that of the settings")
	f.StringVar(&a.game, "game", "", "make a room for this `GAME` at once: duel, arena, skirmish with -host or -mode online, tanks with -mode tanks")
	f.IntVar(&a.players, "players", 0, "places of the room: 2 to 8 for the arena and skirmish; with -host or -mode online")
	f.IntVar(&a.frames, "frames", 0, "end a match or round of the room after `N` frames; 0 leaves it to the rules")
	f.IntVar(&a.start, "start", 0, "begin a match whenever `N` are there; with -auto all places, otherwise 0, which leaves it to the host")
	f.BoolVar(&a.watch, "watch", false, "take no place in the room")
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
	if a.file = f.Arg(0); a.file != "" && a.mode == "" {
		a.mode = "theatre"
	}
	a.room = cmp.Or(online.LinkIn(a.room), a.room) // it may be a whole message with a link
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
	makes := a.hosts || a.mode == "online" || a.game == tanks.ID
	for _, c := range []struct {
		wrong bool
		text  error
	}{
		{a.mode != "" && !slices.Contains(modes, a.mode), usagef("-mode %q: there are %s", a.mode, strings.Join(modes, ", "))},
		{a.language != "" && !spoken(a.language), usagef("-language %q: there are en, de", a.language)},
		{a.lab != "" && a.mode != "lab", usagef("-lab needs -mode lab")},
		{!slices.Contains([]string{"", "json", "lines", "each"}, a.report), usagef("-report %q: there are json, lines, each", a.report)},
		{a.size != "" && !a.sized(), usagef("-size %q: must be such as 640x360, from 320x180 to 16384x16384", a.size)},
		{a.seed > math.MaxUint32, usagef("-seed %d: must be 0 to %d", a.seed, uint32(math.MaxUint32))},
		{a.pictures < 0, usagef("-pictures %d: must be 1 or more", a.pictures)},
		{a.matches < 0, usagef("-matches %d: must be 1 or more", a.matches)},
		{a.screenshot != "" && a.pictures == 0, usagef("-screenshot needs -pictures: after how many of them")},
		{a.hosts && a.join != "", usagef("-host and -join: a machine hosts a game, or joins one")},
		{a.room != "" && (a.hosts || a.join != ""), usagef("-room is for online rooms, -host and -join are for the local network")},
		{!slices.Contains([]string{"", "duel", "arena", skirmish.ID, tanks.ID}, a.game), usagef("-game %q: there are duel, arena, skirmish, tanks", a.game)},
		{a.game == tanks.ID && a.mode != tanks.ID, usagef("-game tanks needs -mode tanks")},
		{a.game != "" && a.game != tanks.ID && a.mode == tanks.ID, usagef("-game %s: -mode tanks has no other game than tanks", a.game)},
		{a.game == tanks.ID && a.server == "", usagef("-game tanks needs -server: others come by a link to its room")},
		{a.given["players"] && a.game == tanks.ID, usagef("-players: a match of tanks has 16 places")},
		{a.tanks != "" && (a.hosts || a.join != "" || a.room != ""), usagef("-tanks is a server, -host, -join and -room are for others")},
		{a.token != "" && a.tanks == "", usagef("-token is for the server of -tanks")},
		{a.game != "" && !makes, usagef("-game needs -host or -mode online: the host of a room says what is played")},
		{a.given["players"] && !makes, usagef("-players needs -host or -mode online: the host of a room says how many play")},
		{a.given["players"] && (a.players < 2 || a.players > 8), usagef("-players %d: must be 2 to 8", a.players)},
		{a.given["players"] && a.players != 2 && a.game != "arena" && a.game != skirmish.ID, usagef("-players %d: a duel has 2; -game arena and -game skirmish have up to 8", a.players)},
		{a.given["frames"] && !makes, usagef("-frames needs -host or -mode online: the host of a room says how long a match is")},
		{a.frames < 0 || a.frames > maxFrames, usagef("-frames %d: must be 1 to %d", a.frames, maxFrames)},
		{a.start != 0 && !makes, usagef("-start needs -host or -mode online: the host begins a match")},
		{a.start < 0 || a.start == 1 || a.start > max(a.players, 2), usagef("-start %d: must be 2 to %d, as many as there are places", a.start, max(a.players, 2))},
		{a.watch && makes, usagef("-watch is for joining a game: a host plays")},
		{a.searchPort < -1 || a.searchPort > math.MaxUint16, usagef("-search-port %d: must be -1 to %d", a.searchPort, math.MaxUint16)},
	} {
		if c.wrong {
			return c.text
		}
	}
	if a.token != "" {
		var err error
		if a.secret, err = tickback.ParseToken(a.token); err != nil {
			return usagef("-token: %w", err)
		}
	}
	if a.join != "" {
		if _, err := lan.ParseAddress(a.join); err != nil {
			return usagef("-join: %w", err)
		}
	}
	return nil
}

// sized parses the size, and reports whether it is valid.
func (a *arguments) sized() bool {
	w, h, ok := strings.Cut(a.size, "x")
	var err1, err2 error
	a.w, err1 = strconv.Atoi(w)
	a.h, err2 = strconv.Atoi(h)
	const most = 1 << 14
	return ok && err1 == nil && err2 == nil && a.w >= 320 && a.h >= 180 && a.w <= most && a.h <= most
}

// maxFrames is the longest match: three days.
const maxFrames = 1 << 24

// netplay returns the flags as the configuration of online play.
func (a *arguments) netplay() netplay.Config {
	c := netplay.Config{
		Machine: machine(), Page: a.server, Link: a.room,
		Game: a.game, Seats: max(a.players, 2), Name: a.name, Frames: tickback.Frame(a.frames), Start: a.start, Watch: a.watch,
	}
	if a.auto && c.Start == 0 {
		c.Start = c.Seats
	}
	c.Create = a.mode == "online" && a.game != ""
	return c
}

// hall returns the flags as the configuration of the tanks.
func (a *arguments) hall() hall.Config {
	return hall.Config{
		Machine: machine(), Page: a.server, Address: a.tanks, Token: a.secret, Dial: hall.UDP,
		Host: a.game == tanks.ID, Name: a.name, Ticks: tickback.Frame(a.frames),
	}
}

// lan returns the flags as the configuration of play on the local network.
func (a *arguments) lan() (netplay.Config, lan.Options) {
	c := a.netplay()
	c.Link, c.Create = a.join, a.hosts
	return c, lan.Options{Listen: a.host, SearchPort: a.searchPort}
}
