package soak

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/fleet/hosted"
)

// flags are the flags of the soak command.
type flags struct {
	game, profile, report, plan, folder string
	seeds, seed                         uint64
	players                             []int
	workers                             int
	length                              time.Duration
	json, shrink, otherBuild, served    bool
	mode                                string
	settings                            games.Settings
	data                                []byte // the data of the matches, from the settings
}

// kind returns the kind of matches that the flags select.
func (o *flags) kind() kind {
	if o.served {
		return serverKind{}
	}
	return peerKind{mode: o.mode, data: o.data}
}

const help = `Plays whole matches in virtual time, between machines on a bad network: real
sessions with their handshakes, rollbacks, rematches and goodbyes, while machines
are cut off, stall, move, leave and die; in half of the matches spectators watch,
come late, are cut off and go to another host. A seed decides all of that, and is one
run, bit by bit. Every run is checked: that all agree on inputs, states and ends,
that play goes on after trouble, that nobody is lost without reason, that health
tells the truth, that queues are bounded, that spectators see exactly what is
played. The players do anything at random.

With --served a server owns the matches, with as many places as there are players:
clients come, leave and come back at any time, hitch, sleep and are cut
off; in half of them they are told only what they may see, if the game hides anything.
Each client is compared with the server and with a naive one that has no engine, in
every tick. The players are the game's usual bots.

For each number of players it plays the seeds from --seed on. With --profile all
each seed takes another profile. A failure is printed with its seed, the smallest
schedule that still fails, that schedule as a line of JSON for --plan, and a command
that plays the seed again.

With --folder all that a soak is goes into a folder: how far it is, a report, and a plan
for each match that has failed, shrunk. There may be several games (--game arena,duel),
each with those of the numbers of players that it takes. After an interrupt, or a crash,
the same command goes on where it was; another build does so only with --other-build,
and with other seeds or games it has to be another folder. It stops after 100 failures.

Exit codes: 0 every run has passed; 1 one has failed, or something could not be read or
written, or an interrupt, after which what is known so far is printed; 2 wrong usage.`

// The values of --mode: how the machines of a soak play.
const (
	modeDrawn    = "drawn"
	modeLockstep = "lockstep"
	modeRollback = "rollback"
)

func (a *family) soakCommand() *cobra.Command {
	var o flags
	first := a.games[0].Info()
	cmd := &cobra.Command{
		Use:   "soak",
		Short: "Play thousands of matches on bad networks, and check them all",
		Long: help + "\n\nProfiles: " + strings.Join(fleet.ProfileNames(), ", ") + ", all.\n" +
			"With --served: " + strings.Join(hosted.ProfileNames(), ", ") + ", all.",
		Example: "  " + a.Name + " soak --game " + first.ID + " --seeds 1000\n" +
			"  " + a.Name + " soak --game " + first.ID + " --seeds 1 --seed 77 --players 2 --profile swarm\n" +
			"  " + a.Name + " soak --game " + first.ID + " --plan failed.json" + a.servedExample(),
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("plan") {
				for _, name := range []string{"seeds", "seed", "players", "profile", "mode", "length", "report", "folder"} {
					if cmd.Flags().Changed(name) {
						return console.Usagef("--%s does not go with --plan, which says everything", name)
					}
				}
				if o.plan == "" {
					return console.Usagef("--plan needs the name of a file")
				}
			}
			if cmd.Flags().Changed("folder") {
				for _, name := range []string{"report", "json", "shrink"} {
					if cmd.Flags().Changed(name) {
						return console.Usagef("--%s does not go with --folder, where everything is", name)
					}
				}
				if o.folder == "" {
					return console.Usagef("--folder needs the name of a folder")
				}
				if o.mode != modeDrawn || o.settings.Given() {
					return console.Usagef("--mode and --set do not go with --folder, which may have several games")
				}
			}
			if o.served && (o.mode != modeDrawn || o.settings.Given()) {
				return console.Usagef("--mode and --set do not go with --served")
			}
			if o.served && !cmd.Flags().Changed("game") {
				o.game = a.servedGame()
			}
			return a.soak(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.game, "game", first.ID, "the `ID` of the game to play, or of several with --folder")
	f.BoolVar(&o.served, "served", false, "play matches that a server owns")
	f.Uint64Var(&o.seeds, "seeds", 10, "play `N` matches for each number of players")
	f.Uint64Var(&o.seed, "seed", 1, "the first seed `N`")
	f.IntSliceVar(&o.players, "players", nil, "numbers of players, such as `2,3,4,8` (default those of them that the game takes)")
	f.StringVar(&o.profile, "profile", fleet.All, "the `NAME` of what the links are like")
	f.StringVar(&o.mode, "mode", modeDrawn, "how the machines play: lockstep, rollback, or drawn, which is mostly rollback (`MODE`)")
	o.settings.Add(cmd, "")
	f.DurationVar(&o.length, "length", fleet.DefaultLength, "play for so long (`TIME`), virtually, in each match")
	f.IntVarP(&o.workers, "jobs", "j", runtime.NumCPU(), "play `N` matches at the same time")
	f.BoolVar(&o.shrink, "shrink", true, "look for the smallest schedule that still fails")
	f.StringVar(&o.plan, "plan", "", "play the plan in this `FILE`, and nothing else; - is the standard input")
	f.StringVar(&o.report, "report", "", "write tables to this `FILE`, in Markdown")
	f.StringVar(&o.folder, "folder", "", "keep progress, report and plans in this `DIR`, and go on there")
	f.BoolVar(&o.otherBuild, "other-build", false, "go on in --folder although another build has begun")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

// refuses returns why a game cannot be played in this kind of match, and which games can, or nil.
func (a *family) refuses(k kind, g Game) error {
	why := k.refuses(g)
	if why == nil {
		return nil
	}
	games := slices.DeleteFunc(slices.Clone(a.games), func(g Game) bool { return k.refuses(g) != nil })
	if len(games) == 0 {
		return console.Usagef("%s: %w", strings.TrimSpace(k.flag()), why)
	}
	return console.Usagef("%s: %w; there are: %s", strings.TrimSpace(k.flag()), why, strings.Join(games.IDs(), ", "))
}

// servedGame returns the first game that a server can own, or else the first of all games, whose error says why it
// cannot.
func (a *family) servedGame() string {
	for _, g := range a.games {
		if g.refusesServer() == nil {
			return g.Info().ID
		}
	}
	return a.games[0].Info().ID
}

// servedExample returns the line of an example, if there is a game for it.
func (a *family) servedExample() string {
	id := a.servedGame()
	if g, err := a.games.Find(id); err != nil || g.refusesServer() != nil {
		return ""
	}
	return "\n  " + a.Name + " soak --served --game " + id + " --seeds 200 --length 30s"
}

// maxSeeds and maxWorkers prevent overflows, and too much load on the machine.
const (
	maxSeeds   = 1 << 32
	maxWorkers = 1024
)

// checkSoak completes the flags and returns an error for invalid ones.
func (a *family) checkSoak(g Game, o *flags) error {
	k := o.kind()
	if err := a.refuses(k, g); err != nil {
		return err
	}
	least, most, usual := k.takes(g.Info())
	if len(o.players) == 0 {
		o.players = usual
	}
	for _, n := range o.players {
		if n < least || n > most {
			return console.Usagef("--players %d: %s is for %s", n, g.Info().ID, words.Span(least, most))
		}
	}
	switch {
	case o.seeds < 1 || o.seeds > maxSeeds:
		return console.Usagef("--seeds %d: must be 1 to %d", o.seeds, int64(maxSeeds))
	case o.workers < 1 || o.workers > maxWorkers:
		return console.Usagef("-j %d: must be 1 to %d", o.workers, maxWorkers)
	case o.profile != fleet.All && !slices.Contains(k.profiles(), o.profile):
		return console.Usagef("--profile %s: there are %s and %s", o.profile, strings.Join(k.profiles(), ", "), fleet.All)
	case !slices.Contains([]string{modeDrawn, modeLockstep, modeRollback}, o.mode):
		return console.Usagef("--mode %s: there are %s, %s and %s", o.mode, modeDrawn, modeLockstep, modeRollback)
	case o.seed > math.MaxUint64-(o.seeds-1):
		return console.Usagef("--seed %d: with --seeds %d it must be %d at most", o.seed, o.seeds, math.MaxUint64-(o.seeds-1))
	case o.length < time.Second || o.length > fleet.MaxPlanTime/4:
		return console.Usagef("--length %v: must be %v to %v", o.length, time.Second, fleet.MaxPlanTime/4)
	case a.IsOutput(o.report):
		return console.Usagef("--report %s: that is where the result is printed", o.report)
	}
	if _, err := k.draw(g, o.seed, o.profile, o.players[0], o.length); err != nil {
		return console.Usagef("--length %v: %w", o.length, err)
	}
	return nil
}

// checkLong does the work of checkSoak for several games.
func (a *family) checkLong(o *flags) (games []Game, err error) {
	asked := o.players
	var all []int
	for _, id := range strings.Split(o.game, ",") {
		g, err := a.games.Find(id)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(games, func(other Game) bool { return other.Info().ID == id }) {
			return nil, console.Usagef("--game %s: %s is there twice", o.game, id)
		}
		one := *o
		least, most, _ := o.kind().takes(g.Info())
		one.players = slices.DeleteFunc(slices.Clone(asked), func(n int) bool { return n < least || n > most })
		if len(asked) > 0 && len(one.players) == 0 {
			return nil, console.Usagef("--players %v: %s is for %s", asked, id, words.Span(least, most))
		}
		if err := a.checkSoak(g, &one); err != nil {
			return nil, err
		}
		games, all = append(games, g), append(all, one.players...)
	}
	slices.Sort(all)
	o.players = slices.Compact(all)
	return games, nil
}

// soakGC is how much garbage there may be, in percent of the memory in use: a match needs some megabytes, and
// collecting less often saves a tenth of the time.
const soakGC = 800

func (a *family) soak(ctx context.Context, o flags) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(soakGC))
	}
	if o.folder != "" {
		games, err := a.checkLong(&o)
		if err != nil {
			return err
		}
		return a.soakLong(ctx, o, games)
	}
	g, err := a.games.Find(o.game)
	if err != nil {
		return err
	}
	if o.data, err = o.settings.Data(g.Info()); err != nil {
		return err
	}
	if o.plan != "" {
		if err := a.refuses(o.kind(), g); err != nil {
			return err
		}
		return a.soakPlan(ctx, g, o)
	}
	if err := a.checkSoak(g, &o); err != nil {
		return err
	}
	if err := writable(o.report); err != nil {
		return console.Failed(err) // now, rather than after the matches have been played
	}
	s := &soaking{app: a.App, game: g, flags: o, shrinks: maxShrunk}
	s.result = soakResult{Game: o.game, Served: o.served, Profile: o.profile, Seed: o.seed, Seeds: o.seeds, Players: o.players, Length: o.length.Seconds()}
	err = s.run(ctx)
	return s.conclude(err)
}

// writable returns an error if path is not empty, and the file cannot be written.
func writable(path string) error {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("%s: %w", disk.NameOf(path), disk.Bare(err))
	}
	return f.Close()
}

// conclude prints the results, and returns an error unless everything went well.
func (s *soaking) conclude(err error) error {
	s.result.finish()
	if s.flags.report != "" {
		if e := os.WriteFile(s.flags.report, []byte(s.result.markdown()), 0o666); e != nil && err == nil {
			err = e
		}
	}
	if s.flags.json {
		s.result.Error = console.ErrorText(err)
		s.app.PrintJSON(&s.result)
	} else if err == nil || s.result.Matches > 0 { // otherwise there is nothing to sum up
		s.result.print(s.app.Stdout)
	}
	switch n := s.result.Failed; {
	case err != nil:
		return console.Failed(err)
	case n > 0:
		return console.Failed(fmt.Errorf("%d of %d matches failed", n, s.result.Matches))
	}
	return nil
}
