package recordings

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/replay/tbr"
)

// The keys of the metadata that recordings of the client have.
const (
	keyName   = "name." // and the number of the player, from 1
	keyMode   = "mode"
	keySeries = "series"
	keyRound  = "round"
)

const (
	// MaxName is how many letters of a name are kept.
	MaxName = 24
	// MaxPlayers is how many names there are.
	MaxPlayers = tickback.MaxPlayers
)

// Info is what a recording says of its match, besides what the match does.
type Info struct {
	// Names are those of the players; empty is not known.
	Names [MaxPlayers]string
	// Mode is in which mode of the client it was played: "versus-bot", "online".
	Mode string
	// Series tells the rounds of one match from those of others: a number that the rounds
	// have in common, and no other match of the program. 0 is a match of one round.
	Series uint64
	// Round is which round of the series it is, from 1; 0 is the only one.
	Round int
}

// Options returns how a match is recorded that is kept in a [Store]: with hashes once a
// second, and without states. They would make a file only a little quicker to go
// through, and twice as large.
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

// InfoOf returns what a recording, which may come from anywhere, says of its match.
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

// Clean makes of a text that comes from anywhere one that can be drawn: at most [MaxName]
// letters, none of which is invisible or turns the direction of the text.
func Clean(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == MaxName {
			break
		}
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			continue
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimSpace(b.String())
}
