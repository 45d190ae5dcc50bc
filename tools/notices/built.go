package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// listed is the go command's description of a package in a program.
type listed struct {
	ImportPath, Dir string
	Standard        bool
	Module          *module
}

type module struct {
	Path, Version, Dir string
	Main               bool
	Replace            *module
}

// built returns all packages that are built into a thing on a system.
func built(ctx context.Context, root string, s thing, t target) ([]listed, error) {
	env := []string{"GOWORK=", "GOOS=" + t.os, "GOARCH=" + t.arch, "CGO_ENABLED=" + t.cgo}
	out, err := output(ctx, root, env, "list", "-deps", "-tags="+s.tags, "-json=ImportPath,Dir,Standard,Module", s.pkg)
	if err != nil {
		return nil, err
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, fmt.Errorf("what go list says: %w", err)
		}
		packages = append(packages, p)
	}
}

// output returns the output of a go command.
func output(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stderr, cmd.Env = dir, os.Stderr, append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	return bytes.TrimSpace(out), nil
}
