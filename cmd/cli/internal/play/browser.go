package play

import (
	"context"
	"os"
	"os/exec"
	"runtime"
)

// browserCommand returns the command that opens a URL on this system; nil if there is none. Without a display there is
// none, because some openers would use the terminal.
func browserCommand(goos string, getenv func(string) string, url string) []string {
	switch goos {
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", url}
	case "darwin":
		return []string{"open", url}
	}
	if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
		return nil
	}
	return []string{"xdg-open", url}
}

// openBrowser opens a URL, if there is a browser. Having none is no failure: the address is printed anyway.
func openBrowser(ctx context.Context, url string) {
	args := browserCommand(runtime.GOOS, os.Getenv, url)
	if args == nil {
		return
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), args[0], args[1:]...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // the browser may run for any length of time
	}
}
