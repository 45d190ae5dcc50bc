package recordings

import (
	"strconv"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/letters"
	"github.com/tickback/tickback/replay/tbr"
)

// The keys of the metadata in the client's recordings.
const (
	keyName   = "name." // followed by the number of the player, from 1
	keyMode   = "mode"
	keySeries = "series"
	keyRound  = "round"
)

const (
	// MaxName is the maximum number of letters of a name that are kept.
	MaxName = 24
	// MaxPlayers is the number of names.
	MaxPlayers = tickback.MaxPlayers
)

// Info is what a recording says about its match, besides the match itself.
type Info struct {
	// Names are the players' names; empty if unknown.
	Names [MaxPlayers]string
	// Mode is the mode of the client: "versus-bot", "online".
	Mode string
	// Series distinguishes the rounds of one match from those of others: the rounds share a number that no other
	// match of the program has. 0 is for a match of one round.
	Series uint64
	// Round is the number of the round in the series, from 1; 0 if it is the only one.
	Round int
}

// About returns the description of a match of one round, in a mode, between players with these names.
func About(mode string, names []string) *Info {
	i := &Info{Mode: mode}
	copy(i.Names[:], names)
	return i
}

// InSeries makes the match a round of a series, and returns its description.
func (i *Info) InSeries(series uint64, round int) *Info {
	i.Series, i.Round = series, round
	return i
}

// Options returns how a match in a [Store] is recorded: with hashes once a second, and without states, which would
// make seeking a little faster but the recording twice as large.
func (i *Info) Options() tickback.RecordOptions {
	o := tickback.RecordOptions{KeyframeEvery: -1}
	add := func(key, value string) {
		if value != "" {
			o.Meta = append(o.Meta, tickback.MetaField{Key: key, Value: value})
		}
	}
	for p, name := range i.Names {
		add(keyName+strconv.Itoa(p+1), Clean(name))
	}
	add(keyMode, Clean(i.Mode))
	if i.Series != 0 {
		add(keySeries, strconv.FormatUint(i.Series, 16))
		add(keyRound, strconv.Itoa(i.Round))
	}
	return o
}

// InfoOf returns what a recording from an untrusted source says about its match.
func InfoOf(h *tbr.Header) (i Info) {
	for _, f := range h.Meta {
		switch name, ok := strings.CutPrefix(f.Key, keyName); {
		case ok:
			if p, err := strconv.Atoi(name); err == nil && p >= 1 && p <= MaxPlayers {
				i.Names[p-1] = Clean(f.Value)
			}
		case f.Key == keyMode:
			i.Mode = Clean(f.Value)
		case f.Key == keySeries:
			i.Series, _ = strconv.ParseUint(f.Value, 16, 64) // 0 is none
		case f.Key == keyRound:
			if n, err := strconv.Atoi(f.Value); err == nil && n > 0 && n < 1000 {
				i.Round = n
			}
		}
	}
	return i
}

// Clean makes an untrusted text safe to draw: at most [MaxName] letters, without invisible ones and those that change
// the direction of the text.
func Clean(s string) string {
	return letters.Clean(s, MaxName, 4*MaxName)
}
