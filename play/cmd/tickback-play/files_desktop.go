//go:build desktop && !js

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tickback/tickback/play/app"
)

// read reads a recording, unless it is too large to be one.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return app.ReadFile(f)
}

// saveFile writes a file where the player finds it: to the downloads folder, or to the folder in which the
// program was started. It never replaces a file.
func saveFile(name string, b []byte) (where string, err error) {
	return saveIn(downloads(), filepath.Base(name), b)
}

// downloads returns the folder of the player's downloads, or the current folder.
func downloads() string {
	if home, err := os.UserHomeDir(); err == nil {
		dir := filepath.Join(home, "Downloads")
		if about, err := os.Stat(dir); err == nil && about.IsDir() {
			return dir
		}
	}
	return "."
}

// maxSame limits the numbers that are tried for a file whose name exists already.
const maxSame = 1000

func saveIn(dir, name string, b []byte) (where string, err error) {
	ext := filepath.Ext(name)
	for n := 1; n < maxSame; n++ {
		where = filepath.Join(dir, name)
		if n > 1 {
			where = filepath.Join(dir, fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext))
		}
		f, err := os.OpenFile(where, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(b)
		return where, errors.Join(err, f.Close())
	}
	return "", fmt.Errorf("%s has too many files called %s", dir, name)
}
