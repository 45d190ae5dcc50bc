// Command notices writes the licences of everything that we ship into the files that are shipped with it, based on
// what the go command says is built into each:
//
//	notices          writes them
//	notices -check   says which are not up to date, and exits with 1
//
// It is run in the root of the repository, and compiles nothing. It is an error if a licence is missing, unknown, or
// requires more than to be passed on.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	check := flag.Bool("check", false, "write nothing, but say what is not up to date")
	flag.Parse()
	if err := run(context.Background(), ".", *check); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root string, check bool) error {
	var problems []error
	for _, s := range shipped {
		text, err := s.notices(ctx, root)
		if err == nil {
			err = deliver(filepath.Join(root, filepath.FromSlash(s.file)), text, check)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", s.file, err))
		}
	}
	return errors.Join(problems...)
}

// deliver writes a file, or only compares it.
func deliver(name string, text []byte, check bool) error {
	if !check {
		return os.WriteFile(name, text, 0o644)
	}
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(old, text) {
		return errors.New("not up to date: make notices writes it")
	}
	return nil
}
