package tickback

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/served"
)

// ErrOptions is what errors about [Options], [ServerOptions], [ClientOptions], [SpectatorOptions],
// [ReplayOptions] and [RecordOptions] wrap.
var ErrOptions = errors.New("invalid options")

// optionsError is a mistake in the options, in terms of the fields of this package.
type optionsError struct {
	of, text string
	err      error // of the packages below, or nil
}

// Error names the options, the field and the remedy.
func (e *optionsError) Error() string { return "invalid tickback." + e.of + ": " + e.text }

// Unwrap returns [ErrOptions], and the error of the packages below.
func (e *optionsError) Unwrap() []error {
	if e.err == nil {
		return []error{ErrOptions}
	}
	return []error{ErrOptions, e.err}
}

// The options that an error is about.
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

var fieldName = regexp.MustCompile(`\b[A-Z]\w*(\.[A-Z]\w*)*`)

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
	for _, prefix := range []error{session.ErrConfig, rollback.ErrConfig} {
		text = strings.ReplaceAll(text, prefix.Error()+": ", "")
	}
	text = fieldName.ReplaceAllStringFunc(text, func(name string) string {
		if ours, ok := optionNames[name]; ok {
			return ours
		}
		return name
	})
	return &optionsError{of, text, err}
}
