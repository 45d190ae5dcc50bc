// Command ours runs one row of the comparison with Tickback, and prints what it measured, a line for each value: its
// name, the value and the unit. The programs for the other libraries take the same arguments and print the same lines.
//
//	ours check
//	ours match game=tiny players=2 rtt=100 loss=0 jitter=0 frames=6000
//	ours sync game=tiny depth=7 frames=6000
//	ours memory players=2
//	ours connect players=2 rtt=100 loss=20 seeds=51
//	ours process me=0 players=2 port=7300 seconds=10
//	ours tick
//	ours worlds units=10000
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ours:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: ours check|match|sync|memory|connect|process|tick|worlds [name=value ...]")

func run(args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	a, err := parse(args[1:])
	if err != nil {
		return err
	}
	rows := map[string]func(arguments) error{
		"check": check, "match": match, "sync": syncTest, "memory": memory, "connect": connect, "process": process, "tick": tick, "worlds": worlds,
	}
	row := rows[args[0]]
	if row == nil {
		return errUsage
	}
	return row(a)
}

// arguments are the settings of a row.
type arguments map[string]string

func parse(args []string) (arguments, error) {
	a := arguments{}
	for _, arg := range args {
		name, value, found := strings.Cut(arg, "=")
		if !found {
			return nil, fmt.Errorf("%q is not of the form name=value", arg)
		}
		a[name] = value
	}
	return a, nil
}

// number returns a setting that is a number from 0 on.
func (a arguments) number(name string, absent int) int {
	v, found := a[name]
	if !found {
		return absent
	}
	n, err := strconv.ParseUint(v, 10, 31)
	if err != nil {
		fmt.Fprintf(os.Stderr, "ours: %s=%s is not a number\n", name, v)
		os.Exit(2)
	}
	return int(n)
}

// print prints one value.
func print(name string, value float64, unit string) {
	fmt.Printf("%s %s %s\n", name, strconv.FormatFloat(value, 'g', 8, 64), unit)
}

// printHash prints the hash of a state.
func printHash(name string, hash uint64) { fmt.Printf("%s %016x hash\n", name, hash) }
