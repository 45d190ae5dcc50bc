package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/tickback/tickback"
)

// people names players as people count them: from 1 on.
func people(set tickback.PlayerSet) string {
	var names []string
	for p := range set.All() {
		names = append(names, fmt.Sprint(p+1))
	}
	switch n := len(names); n {
	case 0:
		return "nobody"
	case 1:
		return "player " + names[0]
	default:
		return "players " + strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// person is a player as people count them.
func person(p int) string { return people(tickback.PlayerSet(1 << p)) }

// span is how many players a game is for.
func span(least, most int) string {
	if least == most {
		return fmt.Sprintf("%d players", least)
	}
	return fmt.Sprintf("%d to %d players", least, most)
}

// length shows how long a match is to be.
func length(frames tickback.Frame) string {
	if frames == 0 {
		return "without a limit"
	}
	return fmt.Sprintf("%d frames", frames)
}

// speed is a rate for people. Work too short to time has none.
func speed(frames uint32, took time.Duration) string {
	if frames == 0 || took <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f Mframes/s", float64(frames)/took.Seconds()/1e6)
}

// checksum32 and checksum64 are how checksums are shown.
func checksum32(sum uint32) string { return fmt.Sprintf("0x%08X", sum) }
func checksum64(sum uint64) string { return fmt.Sprintf("0x%016X", sum) }

// because appends a reason, if there is one.
func because(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// seconds shows a length of time for people.
func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// milliseconds shows a round trip for people.
func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

// capital is text that begins a sentence, or a column.
func capital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
