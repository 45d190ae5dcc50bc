package live

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Without --net there is no network; with a name that does not exist there is an error that names the flag.
func TestTheFlagsOfAnImpairment(t *testing.T) {
	for _, c := range []struct {
		args  []string
		name  string
		seed  uint64
		wrong bool
	}{
		{nil, "", 1, false},
		{[]string{"--net", "wifi", "--net-seed", "7"}, "wifi", 7, false},
		{[]string{"--net", "pigeons"}, "", 1, true},
	} {
		var i Impairment
		cmd := &cobra.Command{}
		i.Add(cmd, "")
		if err := cmd.ParseFlags(c.args); err != nil {
			t.Fatal(err)
		}
		err := i.Check()
		if (err != nil) != c.wrong || err != nil && !strings.HasPrefix(err.Error(), "--net: ") {
			t.Errorf("%v: %v", c.args, err)
		}
		if i.Seed != c.seed || (i.Profile != nil) != (c.name != "") || i.Profile != nil && i.Profile.Name != c.name {
			t.Errorf("%v: %v, seed %d", c.args, i.Profile, i.Seed)
		}
	}
}
