package soak

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"
)

func someProgress() *soakState {
	return &soakState{Seed: 1 << 63, Seeds: 9, Profile: "all", Length: "1s", Mix: []place{{"toy", 2}}, Build: []program{{Version: "v1 <a> & b", Binary: "beef"}}}
}

// The file with a soak's progress is JSON, whose hash does not depend on white space.
func TestProgressIsJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress.json")
	read := func(b []byte) error {
		t.Helper()
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := readSoakState(path)
		if err == nil && (s.Seed != 1<<63 || s.Build[0].Version != "v1 <a> & b") {
			t.Errorf("read %+v", s)
		}
		return err
	}
	file := someProgress().file()
	if !json.Valid(file) {
		t.Fatalf("no JSON:\n%s", file)
	}
	if err := read(file); err != nil {
		t.Error(err)
	}
	var dense bytes.Buffer
	if err := json.Compact(&dense, file); err != nil {
		t.Fatal(err)
	}
	if err := read(dense.Bytes()); err != nil {
		t.Errorf("without white space: %v", err)
	}
	for name, b := range map[string][]byte{
		"another seed": bytes.Replace(file, []byte(fmt.Sprint(uint64(1<<63))), []byte("12"), 1),
		"half":         file[:len(file)/2],
		"empty":        nil,
		"an object":    []byte("{}"),
		"a number":     []byte("5"),
	} {
		if err := read(b); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A folder from an earlier version, with the hash after the JSON, can be continued.
func TestProgressOfTheOldFormIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress.json")
	b, err := json.MarshalIndent(someProgress(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	old := fmt.Appendf(b, "\nxxh3 %016x\n", xxh3.Hash(b))
	for _, c := range []struct {
		file []byte
		ok   bool
	}{{old, true}, {bytes.Replace(old, []byte("beef"), []byte("beee"), 1), false}} {
		if err := os.WriteFile(path, c.file, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readSoakState(path); (err == nil) != c.ok {
			t.Errorf("%v", err)
		}
	}
}
