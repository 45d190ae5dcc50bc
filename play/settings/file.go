package settings

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a [Store] in a file, whose folder is made when needed.
type File struct{ Path string }

// UserFile returns the store in the user's configuration folder.
func UserFile() (File, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return File{}, err
	}
	return File{filepath.Join(dir, "tickback", "play.json")}, nil
}

// Load reads the file, but at most one byte more than the limit.
func (f File) Load() ([]byte, bool, error) {
	file, err := os.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	} else if err != nil {
		return nil, false, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxSize+1))
	return text, err == nil, err
}

// Save writes the file. The new one replaces the old one once it is complete.
func (f File) Save(text []byte) error {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
		return err
	}
	part := f.Path + ".new"
	if err := os.WriteFile(part, text, 0o644); err != nil {
		return err
	}
	return os.Rename(part, f.Path)
}

// Memory is a [Store] that lasts until the program ends. The zero value is empty.
type Memory struct {
	Text []byte
	Full bool
}

// Load returns the last text that was saved, if there is one.
func (m *Memory) Load() ([]byte, bool, error) { return m.Text, m.Full, nil }

// Save keeps a copy of the text. The error is always nil.
func (m *Memory) Save(text []byte) error {
	m.Text, m.Full = append(m.Text[:0], text...), true
	return nil
}
