package tickback

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/served"
)

// ErrOptions is wrapped by errors about [Options], [ServerOptions], [ClientOptions], [SpectatorOptions],
// [ReplayOptions] and [RecordOptions].
var ErrOptions = errors.New("invalid options")

// optionsError is a mistake in the options, in terms of the fields of this package.
type optionsError struct {
	of, text string
	err      error // the error of the packages below, or nil
}

// Error names the options and the field, and says what to do.
func (e *optionsError) Error() string { return "invalid tickback." + e.of + ": " + e.text }

// Unwrap returns [ErrOptions], and the error of the packages below.
func (e *optionsError) Unwrap() []error {
	if e.err == nil {
		return []error{ErrOptions}
	}
	return []error{ErrOptions, e.err}
}

// The names of the options that an error is about.
const (
	matchOptions     = "Options"
	serverOptions    = "ServerOptions"
	clientOptions    = "ClientOptions"
	spectatorOptions = "SpectatorOptions"
	replayOptions    = "ReplayOptions"
	recordOptions    = "RecordOptions"
)

func refusef(of, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &optionsError{of, err.Error(), errors.Unwrap(err)}
}

// optionNames are the fields of [session.Config], [session.SpectatorConfig], [served.ServerConfig],
// [served.ClientConfig] and [rollback.Config] that have another name in the options.
var optionNames = map[string]string{
	"ConnectTimeout": "Timeouts.Connect", "ReadyTimeout": "Timeouts.Ready",
	"WarnAfter": "Timeouts.Warn", "DropAfter": "Timeouts.Drop", "Linger": "Timeouts.Linger",
	"QuorumTimeout": "Timeouts.Quorum", "MaxPause": "Timeouts.Pause",
	"HashEvery": "Advanced.HashEvery", "ChainEvery": "Advanced.ChainEvery",
	"Snapshots": "Advanced.Snapshots", "History": "Advanced.History",
	"MaxEffects": "Advanced.MaxEffects", "EffectTolerance": "Advanced.EffectTolerance",
	"Evidence": "Advanced.Evidence", "MaxState": "Advanced.MaxState", "Random": "Advanced.Random",
	"Join.Hosts": "hosts", "Join.MaxState": "Advanced.MaxState",
	"ID":           "GameID",
	"Hooks.Sample": "Sample", "Hooks.Orders": "Orders",
	"SyncTest": "the depth of SyncTest",
}

// inRecording returns an error about the header of a recording.
func inRecording(err error) error {
	return &optionsError{recordOptions, strings.TrimPrefix(err.Error(), tbr.ErrHeader.Error()+": "), err}
}

// inOptions translates an error about the configuration of the packages below into the names of
// these options. Any other error stays as it is.
func inOptions(of string, err error) error {
	wrong := (*served.ConfigError)(nil)
	if !errors.As(err, &wrong) && !errors.Is(err, session.ErrConfig) && !errors.Is(err, rollback.ErrConfig) {
		return err
	}
	text := err.Error()
	if wrong != nil {
		text = wrong.Problem
	}
	return &optionsError{of, translated(text, others(nil, err)), err}
}

// others appends the texts of those errors in a tree that are not about a configuration, such as errors of the game,
// which may contain any word.
func others(list []string, err error) []string {
	wrong := (*served.ConfigError)(nil)
	switch {
	case err == nil || err == session.ErrConfig || err == rollback.ErrConfig:
		return list
	case !errors.As(err, &wrong) && !errors.Is(err, session.ErrConfig) && !errors.Is(err, rollback.ErrConfig):
		return append(list, err.Error())
	}
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		for _, part := range e.Unwrap() {
			list = others(list, part)
		}
	case interface{ Unwrap() error }:
		list = others(list, e.Unwrap())
	}
	return list
}

// translated translates a text into the names of the options. It leaves the texts of other errors in it unchanged.
func translated(text string, others []string) string {
	for i, other := range others {
		if before, after, found := strings.Cut(text, other); found && other != "" {
			return translated(before, others[i+1:]) + other + translated(after, others[i+1:])
		}
	}
	for _, prefix := range []error{session.ErrConfig, rollback.ErrConfig} {
		text = strings.ReplaceAll(text, prefix.Error()+": ", "")
	}
	return renamed(text)
}

// renamed replaces fields in a text that have another name in the options. A field is a series of words that begin with
// a capital, joined by dots and not in quotes: quoted words belong to the game, such as the fields of its state. It
// uses no regular expression, since that package makes a web page 60 KB larger.
func renamed(text string) string {
	var b strings.Builder
	for text != "" {
		if n := quotedLen(text); n > 0 {
			b.WriteString(text[:n])
			text = text[n:]
			continue
		}
		n := wordLen(text)
		if n == 0 {
			b.WriteByte(text[0])
			text = text[1:]
			continue
		}
		if capital(text[0]) {
			for n+1 < len(text) && text[n] == '.' && capital(text[n+1]) {
				n += 1 + wordLen(text[n+1:])
			}
		}
		name := text[:n]
		if ours, ok := optionNames[name]; ok {
			name = ours
		}
		b.WriteString(name)
		text = text[n:]
	}
	return b.String()
}

// quotedLen returns the length of the quoted string at the beginning of a text, in the form of %q.
func quotedLen(text string) int {
	if text[0] != '"' {
		return 0
	}
	for n := 1; n < len(text); n++ {
		switch text[n] {
		case '\\':
			n++
		case '"':
			return n + 1
		}
	}
	return 0
}

func capital(c byte) bool { return 'A' <= c && c <= 'Z' }

// wordLen returns the number of letters, digits and underscores at the beginning of a text.
func wordLen(text string) int {
	n := 0
	for n < len(text) && (capital(text[n]) || 'a' <= text[n] && text[n] <= 'z' || '0' <= text[n] && text[n] <= '9' || text[n] == '_') {
		n++
	}
	return n
}
