package tickback

import (
	"testing"
	"time"
)

// OptionNames are the fields that have another name in the options.
var OptionNames = optionNames

// SetRecordPatience has recordings wait so long for a disk, and for its end, until the
// test is over.
func SetRecordPatience(t *testing.T, d, end time.Duration) {
	was, wasEnd := patience, hangs
	patience, hangs = d, end
	t.Cleanup(func() { patience, hangs = was, wasEnd })
}
