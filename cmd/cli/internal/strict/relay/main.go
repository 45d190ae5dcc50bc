// Command relay stands between the go command and the command line of Tickback in a strict build:
//
//	relay VERSION PROGRAM COMMAND [OPTIONS] TOOL [ARGUMENTS]
//
// Of a build that has nothing to compile, the go command asks only what versions its tools have. That is answered here,
// with VERSION added to those of the compiler and the linker, since PROGRAM takes longer to start than any of these tools takes
// to answer. All else is passed on to PROGRAM. A strict build makes this command on the user's machine, in the cache: so it
// has one file, and imports nothing but the standard library.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() { os.Exit(relay(os.Args)) }

func relay(args []string) int {
	if len(args) < 5 {
		fmt.Fprintln(os.Stderr, "usage: relay version program command [options] tool [arguments]: this command is for strict builds of Tickback")
		return 2
	}
	version, passed, last := args[1], args[2:], args[len(args)-1]
	if !strings.HasPrefix(last, "-V") {
		cmd := exec.Command(passed[0], passed[1:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		return ended(cmd.Run())
	}
	tool := args[len(args)-2]
	cmd := exec.Command(tool, last)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if name := strings.TrimSuffix(filepath.Base(tool), ".exe"); name == "compile" || name == "link" {
		out = append(bytes.TrimSpace(out), " "+version+"\n"...)
	}
	if err == nil {
		_, err = os.Stdout.Write(out)
	}
	return ended(err)
}

// ended returns the exit code with which a program ended.
func ended(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode()
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}
