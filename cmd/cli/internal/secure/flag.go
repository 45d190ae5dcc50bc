package secure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
)

// secureVariable is the environment variable that replaces --secure, so that the token is in no list of processes.
const secureVariable = "TICKBACK_SECURE"

const (
	// Off is the value of a flag that selects no token at all.
	Off = "off"

	// maxFile limits how much of a file is read: a token, and white space.
	maxFile = 1 << 10
	// maxWait is how long a pipe may take to provide a token: somebody may have to type a password.
	maxWait = time.Minute
)

// Help is the text about the flag in the help of commands.
const Help = `--secure encrypts the match and authenticates everybody in it: only machines with the
same TOKEN can play, watch, or read what is sent. Make a token with "--secure new" or
the command token, and send it to the others over a channel that you trust. It is one of
the same kind as those of --token and --watch-token, and does for these, too, unless they
are given. Everybody on this machine can see a token on the command line: @FILE reads it
from a file, and without --secure it comes from ` + secureVariable + `, unless --secure is off.
A token is for a group: it does not tell its members apart.

`

// Flag is the flag --secure.
type Flag struct{ text string }

// Add adds the flag. If makes is true, "new" is a valid value.
func (o *Flag) Add(cmd *cobra.Command, makes bool) {
	what := "encrypt, for those who have this `TOKEN`; @FILE reads it from there, off does not (default: that of " + secureVariable + ", if there is one)"
	if makes {
		what = strings.Replace(what, "@FILE", "new makes one, @FILE", 1)
	}
	cmd.Flags().StringVar(&o.text, "secure", "", what)
}

// Token returns the token, or nil for no encryption. An error is about wrong usage, and does not repeat the token.
func (o *Flag) Token() (t tickback.Token, made bool, err error) {
	source, text := "--secure", o.text
	if text == "" {
		source, text = secureVariable, os.Getenv(secureVariable)
	}
	if text == "" || text == Off {
		return nil, false, nil
	}
	return Read(source, text)
}

// Read reads a token in the form that all such flags take: its text, @FILE, or new, which makes one. An error names
// the flag, is about wrong usage, and does not repeat the token.
func Read(flag, text string) (t tickback.Token, made bool, err error) {
	switch {
	case text == "new":
		return tickback.NewToken(), true, nil
	case strings.HasPrefix(text, "@"):
		flag += " " + text
		if text, err = readFile(text[1:]); err != nil {
			return nil, false, console.Usagef("%s: %w", flag, err)
		}
	}
	if t, err = tickback.ParseToken(text); err != nil {
		return nil, false, console.Usagef("%s: %w", flag, err)
	}
	return t, false, nil
}

// Given reads an existing token like Read, and refuses to make one.
func Given(flag, text string) (tickback.Token, error) {
	t, made, err := Read(flag, text)
	if made {
		return nil, console.Usagef("%s new is for those who begin a match: give the token that they have", flag)
	}
	return t, err
}

func readFile(name string) (string, error) {
	f, err := disk.Open(context.Background(), name)
	if err != nil {
		return "", disk.Bare(err)
	}
	defer f.Close()
	ctx, cancel := context.WithTimeout(context.Background(), maxWait)
	defer cancel()
	b, err := io.ReadAll(io.LimitReader(&console.Interruptible{Ctx: ctx, Src: f}, maxFile+1))
	switch {
	case errors.Is(err, console.ErrInterrupted):
		return "", fmt.Errorf("no token came within %v", maxWait)
	case err != nil:
		return "", disk.Bare(err)
	case len(b) > maxFile:
		return "", errors.New("the file holds more than a token")
	}
	return strings.TrimSpace(string(b)), nil
}
