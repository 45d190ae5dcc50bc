package console

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// FlagError rewords an error about a flag: cobra passes on the errors of the functions that parse numbers.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &invalid):
		want := kinds[invalid.GetFlag().Value.Type()]
		if want != "" && errors.Is(err, strconv.ErrRange) && !strings.Contains(want, " to ") {
			want += " that is not as large"
		}
		if want != "" {
			return Usagef("--%s %s: must be %s", invalid.GetFlag().Name, quoted(invalid.GetValue()), want)
		}
	case errors.As(err, &missing):
		name, _ := pflag.UnquoteUsage(missing.GetFlag())
		return Usagef("--%s needs a value: --%s %s", missing.GetFlag().Name, missing.GetFlag().Name, name)
	case errors.As(err, &unknown):
		if words := cmd.Flags().Args(); len(Subcommands(cmd)) > 0 && len(words) > 0 {
			return NoArgs(cmd, words) // the flags are for the command that was meant
		}
		return unknownFlag(cmd, unknown.GetSpecifiedName(), unknown.GetSpecifiedShortnames() != "")
	}
	return err
}

// kinds describe the values of the types of flags. Commands check narrower ranges themselves.
var kinds = map[string]string{
	"int": "a whole number", "int64": "a whole number",
	"uint32": "a whole number, 0 to 4294967295", "uint64": "a whole number, 0 to 18446744073709551615",
	"intSlice":    "a whole number, or several with commas between them, such as 2,3,4",
	"bool":        "true or false, if it has a value",
	"duration":    "a time with its unit, such as 300ms, 5s or 2m",
	"stringToInt": "NAME=N, where N is a whole number",
}

// quoted returns a value as it was typed, or in quotes if it would be hard to read otherwise.
func quoted(value string) string {
	if value == "" || strings.ContainsAny(value, " \t\n\"") || Printable(value) != value {
		return strconv.Quote(value)
	}
	return value
}

// unknownFlag suggests the flag that was probably meant: one with a similar name, or one that other programs call by
// the given name.
func unknownFlag(cmd *cobra.Command, name string, short bool) error {
	if short {
		return Usagef("%s has no flag -%s", cmd.CommandPath(), name)
	}
	var names []string
	add := func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	}
	cmd.Flags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	if near := Nearest(name, names); near != "" {
		return Usagef("%s has no flag --%s; did you mean --%s?", cmd.CommandPath(), name, near)
	}
	if slices.Contains(Subcommands(cmd), name) {
		return Usagef("%s has no flag --%s; did you mean the command %s?", cmd.CommandPath(), name, name)
	}
	for _, flag := range synonyms[name] {
		if slices.Contains(names, flag) {
			return Usagef("%s has no flag --%s; did you mean --%s?", cmd.CommandPath(), name, flag)
		}
	}
	return Usagef("%s has no flag --%s%s", cmd.CommandPath(), name, remarks[name])
}

// synonyms are names that other programs use for flags that some commands have.
var synonyms = map[string][]string{
	"port": {"listen"}, "bind": {"listen"}, "addr": {"listen", "host"}, "address": {"listen", "host"},
	"server": {"host", "join"}, "connect": {"join", "host", "peer"}, "out": {"output", "record"},
	"threads": {"jobs"}, "workers": {"jobs"}, "parallel": {"jobs"},
	"duration": {"length", "frames"}, "time": {"length", "timeout", "frames"}, "ticks": {"frames"},
	"count": {"seeds"}, "matches": {"seeds"}, "clients": {"count"}, "bots": {"count"}, "slots": {"players"},
	"password": {"token", "secure"}, "key": {"secure", "token"}, "encrypt": {"secure"}, "network": {"net"},
	"file": {"record", "output"}, "verbose": {"log"}, "silent": {"quiet"}, "lag": {"net"}, "latency": {"net"},
}

// remarks explain why no command has a flag of this name.
var remarks = map[string]string{"tick-rate": ofTheGame, "tickrate": ofTheGame, "fps": ofTheGame, "rate": ofTheGame, "hz": ofTheGame}

const ofTheGame = ": the tick rate is a rule of the game"
