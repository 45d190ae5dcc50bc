package commands_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// newToken makes a token with the command for it.
func newToken(t *testing.T) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := cli.Run(t.Context(), "toybox", []string{"token"}, nil, &out, &errs, clitest.ToyGame()); code != 0 || errs.Len() > 0 {
		t.Fatalf("exit code %d, %q", code, errs.String())
	}
	token := strings.TrimSpace(out.String())
	if _, err := tickback.ParseToken(token); err != nil {
		t.Fatal(err)
	}
	return token
}

// A match is encrypted for those who have its token: from an argument, a file, or the environment.
func TestSecureMatch(t *testing.T) {
	token := newToken(t)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(strings.ToUpper(token)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TICKBACK_SECURE", token)
	all := clitest.Seats(t, 3, "--frames", "30")
	all[0] = append(all[0], "--secure", token)
	all[1] = append(all[1], "--secure", "@"+file)
	ends := clitest.PlayAll(t, all)
	for i, e := range ends {
		if e.Code != 0 || e.Result["secure"] != true || e.Result["checksum"] != ends[0].Result["checksum"] || e.Result["health"] != "healthy" {
			t.Errorf("player %d: exit code %d, %v\n%s", i+1, e.Code, e.Result, e.Stderr)
		}
		if strings.Contains(e.Stderr+e.Stdout, token) {
			t.Errorf("player %d tells the token:\n%s", i+1, e.Stderr)
		}
	}
	all = clitest.Seats(t, 2, "--frames", "30", "--secure", "off")
	for _, e := range clitest.PlayAll(t, all) {
		if e.Code != 0 || e.Result["secure"] != false {
			t.Errorf("off: exit code %d, %v", e.Code, e.Result)
		}
	}
}

// A player who makes a token is told it, even with --quiet, and the text about joining mentions it.
func TestSecureNew(t *testing.T) {
	all := clitest.Seats(t, 2, "--frames", "30", "--secure", "new", "--quiet", "--on-leave", "continue", "--timeout", "300ms")
	e := clitest.Player(t.Context(), t, clitest.ToyGame(), all[0])
	line, _, _ := strings.Cut(e.Stderr, "\n")
	_, token, ok := strings.Cut(line, "for --secure of all others: ")
	if _, err := tickback.ParseToken(token); !ok || err != nil || e.Code != 1 {
		t.Errorf("%v, exit code %d\n%s", err, e.Code, e.Stderr)
	}
}

// Players whose encryption does not match are told why, during the wait and at the end.
func TestWhoDoesNotUnderstand(t *testing.T) {
	clitest.Slow(t)
	for what, c := range map[string]struct{ one, two, saysOne, saysTwo string }{
		"two tokens": {newToken(t), newToken(t), "player 2 (ADDR) has another token", "player 1 (ADDR) has another token"},
		"one plain":  {newToken(t), "off", "player 2 (ADDR) does not encrypt, and we do", "player 1 (ADDR) encrypts, and we do not"},
	} {
		patience := "2s"
		if what == "two tokens" {
			patience = "10m" // that is known long before
		}
		all := clitest.Seats(t, 2, "--timeout", patience)
		all[0], all[1] = append(all[0], "--secure", c.one), append(all[1], "--secure", c.two)
		for i, e := range clitest.PlayAll(t, all) {
			want := []string{c.saysOne, c.saysTwo}[i]
			want = strings.Replace(want, "ADDR", all[1-i][7], 1)
			if strings.Count(e.Stderr, want) != 2 {
				t.Errorf("%s: player %d wants to be told %q, twice:\n%s", what, i+1, want, e.Stderr)
			}
			e.Said(t, 1, want)
		}
	}
}

// A text that is not a token is refused before anything is opened, and the error does not repeat it.
func TestSecureMistakes(t *testing.T) {
	token := newToken(t)
	file := filepath.Join(t.TempDir(), "long")
	if err := os.WriteFile(file, bytes.Repeat([]byte("x"), 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	wrong := "z" + token[1:]
	if token[0] == 'z' {
		wrong = "y" + token[1:]
	}
	for text, want := range map[string]string{
		"hunter22":              "a password of your own could be guessed",
		wrong:                   "typing error",
		"@" + file:              "holds more than a token",
		"@" + file + ".missing": "no such file",
	} {
		all := clitest.Seats(t, 2, "--secure", text)
		e := clitest.Player(t.Context(), t, clitest.ToyGame(), all[0])
		if e.Code != 2 || !strings.Contains(e.Stderr, want) || text[0] != '@' && strings.Contains(e.Stderr, text) {
			t.Errorf("exit code %d, want %q:\n%s", e.Code, want, e.Stderr)
		}
	}
	for want, args := range map[string][]string{
		"--secure new is for who begins":   {"match", "--player", "2", "--join", "127.0.0.1:7000", "--token", token, "--secure", "new"},
		"--secure new is for those who pl": {"spectate", "--host", "127.0.0.1:7000", "--secure", "new"},
		"--secure: this is no token":       {"spectate", "--host", "127.0.0.1:7000", "--secure", "x"},
		"--secure is not for rbn1":         {"match", "--player", "1", "--listen", "127.0.0.1:0", "--peer", "127.0.0.1:7000", "--wire", "rbn1", "--secure", token},
	} {
		if e := clitest.Player(t.Context(), t, clitest.ToyGame(), args); e.Code != 2 || !strings.Contains(e.Stderr, want) {
			t.Errorf("%v: exit code %d, want %q:\n%s", args, e.Code, want, e.Stderr)
		}
	}
}
