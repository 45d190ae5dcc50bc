package console

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// FlagError says in our own words what is wrong with a flag: the library's are those of the
// functions that parse numbers.
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
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		return unknownFlag(cmd, unknown.GetSpecifiedName())
	}
	return err
}

// kinds say what values of a type of flags look like. Commands check narrower ranges themselves.
var kinds = map[string]string{
	"int": "a whole number", "int64": "a whole number",
	"uint32": "a whole number, 0 to 4294967295", "uint64": "a whole number, 0 to 18446744073709551615",
	"bool":        "true or false, if it has a value",
	"duration":    "a time with its unit, such as 300ms, 5s or 2m",
	"stringToInt": "NAME=N, where N is a whole number",
}

// quoted is a value as it was typed, or in quotes if that would be hard to read.
func quoted(value string) string {
	if value == "" || strings.ContainsAny(value, " \t\n\"") || Printable(value) != value {
		return strconv.Quote(value)
	}
	return value
}

// unknownFlag names the flag that was meant, if one is near.
func unknownFlag(cmd *cobra.Command, name string) error {
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
	return Usagef("%s has no flag --%s", cmd.CommandPath(), name)
}
