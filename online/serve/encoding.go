package serve

import (
	"io/fs"
	"strconv"
	"strings"
)

// encodings are the compressed siblings that a file may have, in order of preference.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// variant returns the file to send for name, and its encoding, or "" if it is not compressed. A sibling that is older
// than the file is from an earlier build.
func (f *files) variant(name string, info fs.FileInfo, accept []string) (sent, encoding string) {
	for _, e := range encodings {
		if !accepts(accept, e.name) {
			continue
		}
		if sibling, err := f.stat(name + e.suffix); err == nil && !sibling.ModTime().Before(info.ModTime()) {
			return name + e.suffix, e.name
		}
	}
	return name, ""
}

// accepts reports whether an Accept-Encoding header accepts an encoding.
func accepts(headers []string, encoding string) bool {
	any := false
	for _, header := range headers {
		for one := range strings.SplitSeq(header, ",") {
			name, parameters, _ := strings.Cut(one, ";")
			switch name = strings.TrimSpace(name); {
			case strings.EqualFold(name, encoding):
				return wanted(parameters)
			case name == "*":
				any = wanted(parameters)
			}
		}
	}
	return any
}

// wanted reports whether the quality in the parameters is greater than zero.
func wanted(parameters string) bool {
	q, ok := strings.CutPrefix(strings.TrimSpace(parameters), "q=")
	if !ok {
		return true
	}
	value, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
	return err == nil && value > 0
}
