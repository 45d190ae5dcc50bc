package tickback

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// host describes the machine in reports of desyncs: the platform, with the level of its
// instruction set where Go has one, and the version of Go.
func host() string {
	text := runtime.GOOS + "/" + runtime.GOARCH
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if strings.HasPrefix(s.Key, "GO"+strings.ToUpper(runtime.GOARCH)) && s.Value != "" {
				text += " " + s.Key + "=" + s.Value
			}
		}
	}
	text += " " + runtime.Version()
	return text[:min(len(text), 64)]
}
