package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tickback/tickback/detlint/internal/inject"
)

// overlay writes all faults of all games as an overlay for the go command: each is behind a condition, so that one
// build contains them all.
func overlay(root, dir string, targets []*inject.Target, faults map[*inject.Target][]inject.Fault, rows []row) error {
	replace := map[string]string{}
	write := func(name, source string) error {
		to := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		replace[name] = to
		return os.WriteFile(to, []byte(source), 0o644)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, t := range targets {
		patch := t.Patch()
		for _, f := range faults[t] {
			patch.Add(&f, fmt.Sprintf("{%s/%s}.On(%d)", module, inject.SwitchDir, f.N))
		}
		for name, source := range patch.Files(t.PackageOf) {
			if err := write(name, source); err != nil {
				return err
			}
		}
	}
	if err := write(filepath.Join(root, inject.SwitchDir, "switch.go"), inject.Switch); err != nil {
		return err
	}
	if err := write(filepath.Join(root, inject.OtherDir, "doc.go"), "package elsewhere\n"); err != nil {
		return err
	}
	if err := write(filepath.Join(root, inject.SwitchDir, "run_test.go"), inject.Runner); err != nil {
		return err
	}
	b, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "rows.json"), b, 0o644); err != nil {
		return err
	}
	b, err = json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "overlay.json"), b, 0o644)
}
