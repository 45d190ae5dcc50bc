package strict

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

//go:embed relay/main.go
var relaySource []byte

// relay returns the path of a small program that tells the go command the versions of its tools, faster than this one
// starts, and passes everything else on to this one. It is built once, into the cache. Where that fails, or the cache must
// not have programs, the result is empty, and each build takes a little longer.
func (t *tool) relay(cache string, env *environment) string {
	if strings.Contains(env.GOVERSION, "devel") {
		return "" // the go command uses a hash of such a tool, of which only this program knows where it stands
	}
	sum := sha256.Sum256(relaySource)
	// Machines of several kinds may share a home.
	program := filepath.Join(cache, strings.Join([]string{"relay", runtime.GOOS, runtime.GOARCH, hex.EncodeToString(sum[:8])}, "-"))
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if starts(program) {
		return program
	}
	dir, err := os.MkdirTemp(cache, "new-*")
	if err != nil {
		return ""
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), relaySource, 0o600); err != nil {
		return ""
	}
	made := filepath.Join(dir, filepath.Base(program))
	cmd := exec.CommandContext(t.ctx, "go", "build", "-ldflags=-s -w", "-o", made, "main.go")
	cmd.Dir = dir
	// It runs here, whatever the build is for, and is no part of anybody's module.
	cmd.Env = append(os.Environ(), "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH, "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0",
		"GOAMD64=", "GOARM=", "GOARM64=", "GO386=", "GOPPC64=", "GORISCV64=", "GOMIPS=", "GOMIPS64=")
	if cmd.Run() != nil || !starts(made) || os.Rename(made, program) != nil {
		return ""
	}
	return program
}

// starts reports whether a file is our small program, which knows that it is called incorrectly.
func starts(program string) bool {
	var exit *exec.ExitError
	return errors.As(exec.Command(program).Run(), &exit) && exit.ExitCode() == 2
}
