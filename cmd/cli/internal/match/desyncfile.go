package match

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/tickback/tickback/session/desync"
)

// mostNames bounds how many names are tried for a report for which none was given.
const mostNames = 100

// saveReport writes the report of a desync, never over another file, and says so. It
// returns the name.
func (s *seat) saveReport(report []byte, why string) string {
	if report == nil {
		s.log.Say("the desync could not be explained: %s", why)
		return ""
	}
	r, err := desync.Decode(report)
	if err == nil {
		s.log.Say("state %d is the first that differs", r.State)
		var name string
		if name, err = writeReport(s.desync, r.Name(), report); err == nil {
			s.log.Say("the desync is explained: %s desync show %s", s.log.App.Name, name)
			return name
		}
	}
	s.log.App.Complain(fmt.Errorf("the report of the desync could not be written: %w", err))
	return ""
}

// writeReport writes a new file: of the name that was asked for, or of the usual one,
// with a number if there is such a file already.
func writeReport(asked, usual string, report []byte) (name string, err error) {
	if asked != "" {
		return asked, writeNew(asked, report)
	}
	for n := 1; n <= mostNames; n++ {
		if name = usual; n > 1 {
			name = strings.TrimSuffix(usual, ".tbd") + fmt.Sprintf("-%d.tbd", n)
		}
		if err = writeNew(name, report); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return name, err
}

// writeNew writes a file that must not exist.
func writeNew(name string, b []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(name)
	}
	return err
}
