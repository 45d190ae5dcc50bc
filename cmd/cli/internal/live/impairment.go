package live

import (
	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/netem"
)

// Impairment is the simulated network that what is sent goes through, by --net and --net-seed.
type Impairment struct {
	Profile *netem.Profile // nil without --net, and before Check
	Seed    uint64         // of its losses and delays
	name    string
}

// Add adds the flags. more is appended to the help of --net.
func (i *Impairment) Add(cmd *cobra.Command, more string) {
	f := cmd.Flags()
	f.StringVar(&i.name, "net", "", "delay and lose what is sent from here, like this `PROFILE` of a network"+more)
	f.Uint64Var(&i.Seed, "net-seed", 1, "the seed `N` of that network's losses and delays")
}

// Check sets the profile; an error is about wrong usage.
func (i *Impairment) Check() error {
	if i.name == "" {
		return nil
	}
	profile, err := netem.ProfileNamed(i.name)
	if err != nil {
		return console.Usagef("--net: %w", err)
	}
	i.Profile = &profile
	return nil
}
