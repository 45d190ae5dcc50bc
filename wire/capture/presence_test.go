package capture_test

import (
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// times returns how often a field occurs.
func (d *decoder) times(present string, n *node) int {
	switch present {
	case "always":
		return 1
	case "each sender player":
		return d.shape.senders
	case "each further sender player", "each sender player but the last":
		return d.shape.senders - 1
	case "each further receiver player":
		return d.shape.receivers - 1
	case "bits of a set":
		return 8 * d.setSize()
	case "several sender players":
		return min(d.shape.senders-1, 1)
	}
	if sets, ok := strings.CutPrefix(present, "ones of "); ok {
		all := uint64(0)
		for set := range strings.SplitSeq(sets, " or ") {
			v, _ := valueOf(set, n)
			all |= v
		}
		return bits.OnesCount64(all)
	}
	if number, ok := strings.CutSuffix(present, " times"); ok {
		if count, err := strconv.Atoi(number); err == nil {
			return count
		}
	}
	value, rest := valueOf(present, n)
	switch {
	case rest == "times" && value < 4096:
		return int(value)
	case rest == "above 0", rest == "" && strings.Contains(present, " bit "):
		return int(min(value, 1))
	}
	if list, ok := strings.CutPrefix(rest, "is "); ok {
		is := strings.Split(strings.ReplaceAll(list, " or ", ", "), ", ")
		if slices.Contains(is, strconv.FormatUint(value, 10)) {
			return 1
		}
		return 0
	}
	fail("%q says not when", present)
	return 0
}

// partPattern matches a field, or bits of it.
var partPattern = regexp.MustCompile("^`([^`]+)`(?: bit ([0-9]+)| bits ([0-9]+) to ([0-9]+)| from bit ([0-9]+))? ?(.*)$")

// partsSeen has the parts that were parsed before.
var partsSeen = map[string][]string{}

// valueOf returns the number that the beginning of a text names.
func valueOf(text string, n *node) (v uint64, rest string) {
	m, ok := partsSeen[text]
	if !ok {
		m = partPattern.FindStringSubmatch(text)
		partsSeen[text] = m
	}
	if m == nil {
		fail("%q is not understood", text)
	}
	v = n.find(m[1])
	at := func(i int) int { k, _ := strconv.Atoi(m[i]); return k }
	switch {
	case m[2] != "":
		v = v >> at(2) & 1
	case m[3] != "":
		v = v >> at(3) & (1<<(at(4)-at(3)+1) - 1)
	case m[5] != "":
		v >>= at(5)
	}
	return v, m[6]
}
