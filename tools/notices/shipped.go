package main

import (
	"context"
	"fmt"
	"path/filepath"
)

// thing is something that we ship: a program as it is built for some systems.
type thing struct {
	title   string
	pkg     string // the package of the program
	file    string // the file for its notices
	tags    string
	targets []target
}

// target is a system that a program is built for.
type target struct{ os, arch, cgo string }

var (
	commandLine = []target{{"linux", "amd64", "0"}, {"windows", "amd64", "0"}, {"darwin", "arm64", "0"}}
	windows     = []target{{"linux", "amd64", "1"}, {"windows", "amd64", "0"}, {"darwin", "arm64", "1"}}
	pages       = []target{{"js", "wasm", "0"}}
)

var shipped = []thing{
	{"tickback, the command line", "./cmd/tickback", "cmd/cli/notices.txt", "", commandLine},
	{"tickback-play, the games in a window", "./play/cmd/tickback-play", "play/cmd/tickback-play/notices_desktop.txt", "desktop", windows},
	{"Tickback, the games in a page", "./play/cmd/tickback-play", "play/web/notices.txt", "", pages},
}

// notices returns the text for a thing.
func (s thing) notices(ctx context.Context, root string) ([]byte, error) {
	goroot, err := output(ctx, root, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	parts := map[string]*part{}
	for _, t := range s.targets {
		packages, err := built(ctx, root, s, t)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			if err := add(parts, p, filepath.Clean(string(goroot))); err != nil {
				return nil, fmt.Errorf("for %s: %w", t.os, err)
			}
		}
	}
	own, err := read(filepath.Join(root, "LICENSE"))
	if err != nil {
		return nil, err
	}
	return text(s.title, own, parts)
}
