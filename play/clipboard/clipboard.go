//go:build !js

// Package clipboard reads and writes the clipboard of a desktop with external programs: those of the system on
// Windows and macOS, and wl-clipboard, xclip or xsel elsewhere.
package clipboard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxText is the maximum size of a text in bytes.
const MaxText = 4096

// patience is how long a program may take: the owner of the clipboard may hang.
const patience = 2 * time.Second

var (
	// ErrNoProgram means that the desktop has none of the programs.
	ErrNoProgram = errors.New("there is no program for the clipboard: wl-clipboard or xclip is one")
	// ErrText means that the clipboard has no text, or one that is too long.
	ErrText = errors.New("the clipboard does not contain a short text")
)

// tool is how a program is called.
type tool []string

// tools returns the programs in the order in which they are tried; getenv is os.Getenv.
func tools(system string, getenv func(string) string) (readers, writers []tool) {
	switch system {
	case "windows":
		return []tool{{"powershell", "-NoProfile", "-Command", "Get-Clipboard -Raw"}}, []tool{{"clip"}}
	case "darwin":
		return []tool{{"pbpaste"}}, []tool{{"pbcopy"}}
	}
	if getenv("WAYLAND_DISPLAY") != "" {
		readers, writers = append(readers, tool{"wl-paste", "--no-newline"}), append(writers, tool{"wl-copy"})
	}
	if getenv("DISPLAY") != "" {
		readers = append(readers, tool{"xclip", "-selection", "clipboard", "-out"}, tool{"xsel", "--clipboard", "--output"})
		writers = append(writers, tool{"xclip", "-selection", "clipboard", "-in"}, tool{"xsel", "--clipboard", "--input"})
	}
	return readers, writers
}

// Desktop reads and writes the clipboard: it finds and runs the programs for that.
type Desktop struct {
	// Getenv is os.Getenv.
	Getenv func(name string) string
	// System is the operating system; "" is this one.
	System string
}

// Read returns the text in the clipboard; it takes as long as the program. Errors: [ErrNoProgram], [ErrText], or that of the program.
func (d Desktop) Read() (string, error) {
	readers, _ := tools(d.system(), d.Getenv)
	out, err := run(readers, "")
	if err != nil {
		return "", err
	}
	text := strings.TrimRight(out, "\r\n")
	if len(text) > MaxText || !utf8.ValidString(text) {
		return "", ErrText
	}
	return text, nil
}

// Write puts a text into the clipboard. Errors: [ErrNoProgram], [ErrText], or that of the program.
func (d Desktop) Write(text string) error {
	if len(text) > MaxText || !utf8.ValidString(text) {
		return ErrText
	}
	_, writers := tools(d.system(), d.Getenv)
	_, err := run(writers, text)
	return err
}

func (d Desktop) system() string {
	if d.System != "" {
		return d.System
	}
	return runtime.GOOS
}

// run runs the first program that is installed.
func run(list []tool, stdin string) (stdout string, err error) {
	for _, t := range list {
		path, err := exec.LookPath(t[0])
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		out := &limited{most: 2 * MaxText}
		cmd := exec.CommandContext(ctx, path, t[1:]...)
		cmd.Stdin = strings.NewReader(stdin)
		cmd.WaitDelay = patience
		if stdin == "" {
			cmd.Stdout = out // a program that writes stays in the background, and would keep this open
		}
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("%s: %w", t[0], err)
		}
		return out.String(), nil
	}
	return "", ErrNoProgram
}

// limited keeps the first bytes, and drops the rest.
type limited struct {
	bytes.Buffer
	most int
}

// Write keeps the bytes that fit, and never fails.
func (l *limited) Write(b []byte) (int, error) {
	_, _ = l.Buffer.Write(b[:min(len(b), l.most-l.Len())]) // it never fails
	return len(b), nil
}
