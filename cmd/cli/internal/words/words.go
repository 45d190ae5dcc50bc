package words

import (
	"fmt"
	"strings"
	"time"

	"github.com/tickback/tickback"
)

// People names a set of players as people count them, from 1.
func People(set tickback.PlayerSet) string {
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

// Person names a player as people count them.
func Person(p int) string { return People(tickback.PlayerSet(1 << p)) }

// Span returns a range of numbers of players as text.
func Span(least, most int) string {
	if least == most {
		return fmt.Sprintf("%d players", least)
	}
	return fmt.Sprintf("%d to %d players", least, most)
}

// Length returns the length of a match as text.
func Length(frames tickback.Frame) string {
	if frames == 0 {
		return "without a limit"
	}
	return fmt.Sprintf("%d frames", frames)
}

// Speed formats a rate. Work that was too short to measure has none.
func Speed(frames uint32, took time.Duration) string {
	if frames == 0 || took <= 0 {
		return "-"
	}
	speed := float64(frames) / took.Seconds()
	if speed < 1e5 {
		return fmt.Sprintf("%.0f kframes/s", max(speed/1e3, 1))
	}
	return fmt.Sprintf("%.1f Mframes/s", speed/1e6)
}

// Checksum32 formats a checksum of 32 bits.
func Checksum32(sum uint32) string { return fmt.Sprintf("0x%08X", sum) }

// Checksum64 formats a checksum of 64 bits.
func Checksum64(sum uint64) string { return fmt.Sprintf("0x%016X", sum) }

// Because appends a reason, if there is one.
func Because(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// Seconds formats a length of time.
func Seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// Milliseconds formats a round trip.
func Milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

// Capital capitalizes a text, for the beginning of a sentence or a column.
func Capital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
