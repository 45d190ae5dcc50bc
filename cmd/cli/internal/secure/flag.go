package secure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/online/dtls"
)

// secureVariable is where --secure comes from if it is not given, so that no list of
// processes shows it.
const secureVariable = "TICKBACK_SECURE"

const (
	secureNew = "new"
	secureOff = "off"

	// maxSecureFile bounds what is read of a file: a token, and white space.
	maxSecureFile = 1 << 10
	// maxSecureWait is how long a pipe may take to give one: somebody may have to type a password.
	maxSecureWait = time.Minute
)

// Help is what the help texts of commands with the flag say of it.
const Help = `--secure encrypts the match and authenticates everybody in it: only machines with the
same TOKEN can play, watch, or read what is sent. Make a token with "--secure new" or
the command token, and send it to the others over a channel that you trust. Everybody on
this machine can see a token on the command line: --secure @FILE reads it from a file,
and without the flag it comes from ` + secureVariable + `, unless --secure is off. A token is
for a group: it does not tell its members apart.

`

// Flag is the flag of this name.
type Flag struct{ text string }

// Add adds the flag; makes says that "new" is a value of it.
func (o *Flag) Add(cmd *cobra.Command, makes bool) {
	what := "encrypt, for those who have this `TOKEN`; @FILE reads it from there, off does not (default: that of " + secureVariable + ", if there is one)"
	if makes {
		what = strings.Replace(what, "@FILE", "new makes one, @FILE", 1)
	}
	cmd.Flags().StringVar(&o.text, "secure", "", what)
}

// Token returns the token, or the zero one if nothing is to be encrypted. An error is
// wrong usage, and does not repeat the token.
func (o *Flag) Token() (t dtls.Token, made bool, err error) {
	source, text := "--secure", o.text
	if text == "" {
		source, text = secureVariable, os.Getenv(secureVariable)
	}
	switch {
	case text == "" || text == secureOff:
		return t, false, nil
	case text == secureNew:
		return dtls.NewToken(), true, nil
	case strings.HasPrefix(text, "@"):
		source += " " + text
		if text, err = readSecure(text[1:]); err != nil {
			return t, false, console.Usagef("%s: %w", source, err)
		}
	}
	if t, err = dtls.ParseToken(text); err != nil && joinTokenForm.MatchString(text) {
		return t, false, console.Usagef("%s: this may be the --token of a match, with which players join; --secure needs a token of its own (make one with the command token)", source)
	} else if err != nil {
		return t, false, console.Usagef("%s: %w", source, err)
	}
	return t, false, nil
}

// joinTokenForm is what root tokens look like.
var joinTokenForm = regexp.MustCompile(`^[0-9a-fA-F]{32,128}$`)

func readSecure(name string) (string, error) {
	f, err := disk.Open(context.Background(), name)
	if err != nil {
		return "", disk.Bare(err)
	}
	defer f.Close()
	ctx, cancel := context.WithTimeout(context.Background(), maxSecureWait)
	defer cancel()
	b, err := io.ReadAll(io.LimitReader(&console.Interruptible{Ctx: ctx, Src: f}, maxSecureFile+1))
	switch {
	case errors.Is(err, console.ErrInterrupted):
		return "", fmt.Errorf("no token came within %v", maxSecureWait)
	case err != nil:
		return "", disk.Bare(err)
	case len(b) > maxSecureFile:
		return "", errors.New("the file holds more than a token")
	}
	return strings.TrimSpace(string(b)), nil
}
