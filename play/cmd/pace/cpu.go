package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// load is the processor time that a browser has used: in the process of the page, in the one that draws, and in
// total.
type load struct{ page, draw, all time.Duration }

// load returns what a browser has used so far; zeros without /proc. On a busy machine it is a better measure than
// pictures per second.
func (b *browser) load() (sum load) {
	root := chromedp.FromContext(b.ctx).Browser.Process().Pid
	parents, times := map[int]int{}, map[int]time.Duration{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, name := range stats {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		parents[pid], times[pid] = stat(name)
	}
	for pid, used := range times {
		at := pid
		for at > 1 && at != root {
			at = parents[at]
		}
		if at != root {
			continue
		}
		sum.all += used
		line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline") // empty if the process has ended
		switch {
		case bytes.Contains(line, []byte("--type=renderer")):
			sum.page += used
		case bytes.Contains(line, []byte("--type=gpu-process")):
			sum.draw += used
		}
	}
	return sum
}

// stat returns the parent of a process, and what it has used.
func stat(name string) (parent int, used time.Duration) {
	const tick = 10 * time.Millisecond // the length of a tick on all Linux machines that chromium runs on
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, 0
	}
	// The name before the last bracket may contain anything.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return 0, 0
	}
	parent, _ = strconv.Atoi(fields[1])
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return parent, time.Duration(user+system) * tick
}
