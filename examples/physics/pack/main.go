// Command pack builds the page into the folder web, or into another one that is given. Run it in the directory of
// go.mod: go run ./pack
package main

import (
	"errors"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	web := "web"
	if len(os.Args) > 1 {
		web = os.Args[1]
	}
	// The loader has to be of the same version as the compiler.
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		log.Fatal("go env GOROOT: ", err)
	}
	loader, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	err = errors.Join(err, os.WriteFile(filepath.Join(web, "wasm_exec.js"), loader, 0o666))
	if err != nil {
		log.Fatal(err)
	}
	if err := page(web); err != nil {
		log.Fatal(err)
	}
}

// page builds the page for strict floats. The game's own command line can do that, so it is built first, for this
// machine.
func page(web string) error {
	dir, err := os.MkdirTemp("", "physics")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	game := filepath.Join(dir, "game.exe")
	if err := run(nil, "go", "build", "-o", game, "."); err != nil {
		return err
	}
	return run([]string{"GOOS=js", "GOARCH=wasm"}, game, "build", "--strict", "-o", filepath.Join(web, "game.wasm"), "./page")
}

func run(environment []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
