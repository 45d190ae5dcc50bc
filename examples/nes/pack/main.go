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
	build := exec.Command("go", "build", "-o", filepath.Join(web, "game.wasm"), "./page")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	if err := build.Run(); err != nil {
		log.Fatal(err)
	}
}
