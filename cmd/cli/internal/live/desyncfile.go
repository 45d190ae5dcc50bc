package live

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/tickback/tickback"
)

// mostNames is the maximum number of default file names to try for a report.
const mostNames = 100

// SaveReport writes the report of a desync, unchanged, to a file of the given name, or of a name that it chooses. It
// never replaces an existing file. It prints the name and returns it. Without a report it prints why there is none.
func (l *Log) SaveReport(asked string, r *tickback.DesyncReport, as []byte, why string) string {
	if r == nil {
		l.Say("the desync could not be explained: %s", why)
		return ""
	}
	l.Say("state %d is the first that differs", r.State)
	name, err := writeReport(asked, r.Name(), as)
	if err != nil {
		l.App.Complain(fmt.Errorf("the report of the desync could not be written: %w", err))
		return ""
	}
	l.Say("the desync is explained: %s desync show %s", l.App.Name, name)
	return name
}

// writeReport writes a new file: with the given name, or with the default one, numbered if such a file exists.
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
