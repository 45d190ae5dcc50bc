//go:build unix

package clipboard_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/play/clipboard"
)

// desk is a desktop with these programs, which are scripts.
func desk(t *testing.T, env map[string]string, scripts map[string]string) clipboard.Desktop {
	t.Helper()
	dir := t.TempDir()
	for name, text := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	t.Setenv("CLIP", filepath.Join(dir, "text"))
	return clipboard.Desktop{System: "linux", Getenv: func(name string) string { return env[name] }}
}

var x11 = map[string]string{"DISPLAY": ":9"}

const both = `case "$*" in *-in*) cat >"$CLIP";; *-out*) cat "$CLIP";; *) exit 3;; esac`

func TestWhatIsWrittenIsRead(t *testing.T) {
	d := desk(t, x11, map[string]string{"xclip": both})
	for _, text := range []string{"192.168.1.5:7717", "Grüße", strings.Repeat("x", clipboard.MaxText)} {
		if err := d.Write(text); err != nil {
			t.Fatal(err)
		}
		if got, err := d.Read(); err != nil || got != text {
			t.Errorf("%.20q is %.20q, %v", text, got, err)
		}
	}
}

func TestOtherThingsThanShortTexts(t *testing.T) {
	d := desk(t, x11, map[string]string{"xclip": `head -c 1000000 /dev/zero | tr '\0' x`})
	if _, err := d.Read(); !errors.Is(err, clipboard.ErrText) {
		t.Errorf("a long text: %v", err)
	}
	d = desk(t, x11, map[string]string{"xclip": `printf '\377\376'`})
	if _, err := d.Read(); !errors.Is(err, clipboard.ErrText) {
		t.Errorf("no text: %v", err)
	}
	if err := d.Write(strings.Repeat("x", clipboard.MaxText+1)); !errors.Is(err, clipboard.ErrText) {
		t.Errorf("a long text: %v", err)
	}
	d = desk(t, x11, map[string]string{"xclip": `exit 1`})
	if _, err := d.Read(); err == nil || !strings.Contains(err.Error(), "xclip") {
		t.Errorf("a program that fails: %v", err)
	}
	d = desk(t, nil, map[string]string{"xclip": both})
	if _, err := d.Read(); !errors.Is(err, clipboard.ErrNoProgram) {
		t.Errorf("without a desktop: %v", err)
	}
}

// On Wayland, its own program is tried first.
func TestWaylandComesFirst(t *testing.T) {
	d := desk(t, map[string]string{"DISPLAY": ":9", "WAYLAND_DISPLAY": "w"}, map[string]string{
		"wl-paste": `echo wayland`, "xclip": `echo x11`,
	})
	if got, err := d.Read(); err != nil || got != "wayland" {
		t.Errorf("%q, %v", got, err)
	}
}
