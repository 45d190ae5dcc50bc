package window_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Rule: on request, a window reports what is in each picture.
func TestAWindowReportsEachPicture(t *testing.T) {
	c := display(t).startWith(nil, "each", "-silent", "-forget", "-size", "320x180", "-mode", "versus-bot", "-auto", "-pictures", "60", "-report", "each")
	if s := c.end(); s.Pictures < 60 || c.lines < 60 {
		t.Errorf("%d lines for %d pictures", c.lines, s.Pictures)
	}
}

// In a window, too, bots play a match, and the picture is not empty.
func TestTheWindowPlays(t *testing.T) {
	s := display(t)
	shot := filepath.Join(t.ArtifactDir(), "window.png")
	got := s.startWith(nil, "bots", "-mode", "versus-bot", "-auto", "-seed", "3",
		"-pictures", "150", "-silent", "-forget", "-screenshot", shot, "-report", "json").end()
	if got.Mode != "duel" || got.Frames < 60 || got.Checksum == "" || len(got.Errors) > 0 {
		t.Errorf("%+v", got)
	}
	if n := colours(t, shot); n < 200 {
		t.Errorf("the picture has %d colours", n)
	}
}

// Without a sound device, and with settings that cannot be read or written, the game still works, and reports the
// problem.
func TestTheWindowDoesWithout(t *testing.T) {
	s := display(t)
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "damaged", "tickback"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"nothing": "", "damaged/tickback/play.json": `{"volume": "loud"`} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ env, flag, says string }{
		{"ALSA_CONFIG_PATH=" + filepath.Join(dir, "nothing"), "-forget", "no sound"},
		{"XDG_CONFIG_HOME=" + filepath.Join(dir, "damaged"), "-silent", "invalid settings"},
		{"XDG_CONFIG_HOME=" + filepath.Join(dir, "nothing"), "-silent", "not a directory"},
		{"XDG_CONFIG_HOME=relative", "-silent", "settings will be forgotten"},
	} {
		got := s.startWith([]string{c.env}, "poor", "-mode", "versus-bot", "-auto", "-pictures", "90", "-size", "320x180", "-report", "json", c.flag).end()
		if got.Mode != "duel" || got.Frames == 0 || len(got.Errors) != 1 || !strings.Contains(got.Errors[0], c.says) {
			t.Errorf("%s: %d frames, %q", c.env, got.Frames, got.Errors)
		}
	}
}

// say runs the program, and returns its output.
func (s *screen) say(flags ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel() // if a window opens nevertheless, it is closed
	cmd := exec.CommandContext(ctx, s.program, flags...)
	cmd.Env = append(os.Environ(), "DISPLAY="+s.name)
	return cmd.CombinedOutput()
}

// The flags on the pages of the documentation exist, and no others do.
func TestThePagesShowFlagsOfTheWindow(t *testing.T) {
	s := display(t)
	help, err := s.say("-help")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range []string{"README.md", "docs/online.md", "docs/recordings.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range regexp.MustCompile("tickback-play( -[^`\n]*)").FindAllStringSubmatch(string(text), -1) {
			for _, flag := range regexp.MustCompile(` (-[a-z-]+)`).FindAllStringSubmatch(call[1], -1) {
				found++
				if !regexp.MustCompile(`(?m)^  ` + flag[1] + `( |$)`).Match(help) {
					t.Errorf("%s shows %s, which is no flag", page, flag[1])
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d flags are shown", found)
	}
}

// Without a display there is one error line; -help works nevertheless.
func TestNoDisplayIsSaid(t *testing.T) {
	s := display(t)
	want, err := s.say("-help")
	if err != nil {
		t.Fatal(err)
	}
	s.name = ""
	out, err := s.say("-mode", "lab")
	if err == nil || !strings.Contains(string(out), "there is no display") || strings.Count(string(out), "\n") != 1 {
		t.Errorf("%v, %s", err, out)
	}
	for _, flag := range []string{"-help", "--help", "-h"} {
		out, err := s.say(flag)
		if err != nil || !bytes.HasPrefix(out, []byte("usage: ")) || !bytes.HasSuffix(want, out) { // with a display, libraries may print something before
			t.Errorf("%s: %v, %s\nIf a flag is new: tickback-play -help 2>play/window/display/help.txt", flag, err, out)
		}
	}
}

// For wrong flags, the error says what is wrong and what is allowed, and the exit code is 2.
func TestWrongFlagsOfTheWindow(t *testing.T) {
	s := display(t)
	for flags, says := range map[string]string{
		"-mode chess":                     `-mode "chess": there are versus-bot, versus, arena, tanks, online, lan, skirmish, lab`,
		"-seed 5000000000":                "-seed 5000000000: must be 0 to 4294967295",
		"-seed x":                         `invalid value "x" for flag -seed`,
		"-colour red":                     "not defined: -colour",
		"a.tbr b.tbr":                     "2 recordings: only one can be watched at a time",
		"-screenshot a.png":               "-screenshot needs -pictures",
		"-report xml":                     `-report "xml": there are json, lines, each`,
		"-size 10x10":                     `-size "10x10": must be`,
		"-host :1 -join x":                "-host and -join",
		"-host :1 -room http://x/#room=y": "-room is for online rooms",
		"-join a:b:c":                     `-join: lan: bad address`,
		"-join x:0":                       "the port is no number from 1 to 65535",
		"-host :1 -game chess":            `-game "chess": there are duel, arena, skirmish`,
		"-game duel":                      "-game needs -host or -mode online",
		"-players 3":                      "-players needs -host",
		"-host :1 -players 3":             "-players 3: a duel has 2; -game arena and -game skirmish have up to 8",
		"-host :1 -game arena -players 9": "-players 9: must be 2 to 8",
		"-host :1 -game arena -frames -1": "-frames -1: must be 1 to",
		"-join x -frames 60":              "-frames needs -host",
		"-host :1 -start 3":               "-start 3: must be 2 to 2",
		"-join x -start 2":                "-start needs -host",
		"-host :1 -watch":                 "-watch is for joining a game",
		"-host :1 -search-port 70000":     "-search-port 70000: must be -1 to 65535",
		"-pictures -3":                    "-pictures -3",
		"-matches -3":                     "-matches -3",
	} {
		out, err := s.say(strings.Fields(flags)...)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), says) || strings.Contains(string(out), "-screenshot FILE") {
			t.Errorf("%s: %v, %s", flags, err, out)
		}
	}
	if out, err := s.say("nowhere.tbr"); err == nil || !strings.Contains(string(out), "nowhere.tbr: no such file") {
		t.Errorf("a file that is not there: %v, %s", err, out)
	}
	if out, err := s.say("-help"); err != nil || !strings.Contains(string(out), "-host ADDRESS") {
		t.Errorf("-help: %v, %s", err, out)
	}
}
