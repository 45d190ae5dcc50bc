package soak

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/cmd/cli/internal/build"
	"github.com/tickback/tickback/fleet"
)

// soakState is the progress of a long soak: what it plays, and the results so far. Match i is seed Seed + i/n with
// place i%n of the mix, which has n places.
type soakState struct {
	Build   []program `json:"builds"` // the programs that have played matches; the last one is this program
	Served  bool      `json:"served"` // the matches are played at servers
	Seed    uint64    `json:"seed"`
	Seeds   uint64    `json:"seeds"`
	Mix     []place   `json:"mix"`
	Profile string    `json:"profile"`
	Length  string    `json:"length"`

	// Done is how many matches have been played: all before Whole, and those in Also.
	Done     uint64        `json:"done"`
	Whole    uint64        `json:"whole"`
	Also     []uint64      `json:"also"`
	CPU      float64       `json:"cpu_seconds"`
	Rows     []savedRow    `json:"rows"`
	Failures []longFailure `json:"failures"`
}

// program is a program that has played matches, with the number of matches played before.
type program struct {
	Version string `json:"version"`
	Binary  string `json:"binary"` // the hash of the program
	From    uint64 `json:"from"`
}

// place is a game with a number of players.
type place struct {
	Game    string `json:"game"`
	Players int    `json:"players"`
}

// savedRow is a row of the report, with the values that it is computed from.
type savedRow struct {
	Game   string        `json:"game"`
	Took   time.Duration `json:"took_ns"`
	Length time.Duration `json:"length_ns"`
	Lag    []uint32      `json:"lag"`
	soakRow
}

// longFailure is a match that failed.
type longFailure struct {
	Game      string `json:"game"`
	Seed      uint64 `json:"seed"`
	Players   int    `json:"players"`
	Profile   string `json:"profile"`
	Violation string `json:"violation"`
	Plan      string `json:"plan"`    // the file with the shrunk plan
	Command   string `json:"command"` // the command that plays it
	Drawn     string `json:"drawn"`   // the command that plays the plan as it was drawn
}

func newSoakState(o flags, games []Game) soakState {
	s := soakState{Served: o.served, Seed: o.seed, Seeds: o.seeds, Profile: o.profile, Length: o.length.String(), Rows: []savedRow{}, Failures: []longFailure{}, Also: []uint64{}}
	for _, g := range games {
		for _, n := range o.players {
			if least, most, _ := o.kind().takes(g.Info()); n >= least && n <= most {
				s.Mix = append(s.Mix, place{g.Info().ID, n})
			}
		}
	}
	s.build()
	return s
}

// build adds the current program to the list.
func (s *soakState) build() {
	b := program{Version: build.This(), Binary: binaryHash(), From: s.Done}
	if n := len(s.Build); n == 0 || s.Build[n-1].Binary != b.Binary {
		s.Build = append(s.Build, b)
	}
}

// binaryHash returns a hash of the running program: in a checkout with changes, the version does not identify it.
func binaryHash() string {
	path, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "unknown"
	}
	return fmt.Sprintf("%016x", xxh3.Hash(b))
}

// kind returns the kind of matches.
func (s *soakState) kind() kind { return kindOf(s.Served) }

func (s *soakState) total() uint64 { return s.Seeds * uint64(len(s.Mix)) }

func (s *soakState) length() time.Duration {
	d, _ := time.ParseDuration(s.Length) // already checked, so there is no error
	return d
}

// match returns the game, players and seed of match i.
func (s *soakState) match(i uint64, games []Game) (g Game, players int, seed uint64) {
	n := uint64(len(s.Mix))
	place := s.Mix[i%n]
	for _, g = range games {
		if g.Info().ID == place.Game {
			break
		}
	}
	return g, place.Players, s.Seed + i/n
}

// left returns the matches that have not been played yet, in order. It keeps its own position, so the state may change
// during the iteration.
func (s *soakState) left() iter.Seq[uint64] {
	whole, also, total := s.Whole, slices.Clone(s.Also), s.total()
	return func(yield func(uint64) bool) {
		for i := whole; i < total; i++ {
			if len(also) > 0 && also[0] == i {
				also = also[1:] // the list is sorted
				continue
			}
			if !yield(i) {
				return
			}
		}
	}
}

// add adds a match.
func (s *soakState) add(i uint64, g Game, m *soaked) {
	s.Done++
	s.Also = append(s.Also, i)
	slices.Sort(s.Also)
	for len(s.Also) > 0 && s.Also[0] == s.Whole {
		s.Whole++
		s.Also = s.Also[1:]
	}
	id := g.Info().ID
	r := s.result(id)
	r.add(m)
	kept := s.Rows[:0]
	for _, row := range s.Rows {
		if row.Game != id {
			kept = append(kept, row)
		}
	}
	for _, row := range r.Rows {
		kept = append(kept, savedRow{Game: id, Took: row.took, Length: row.length, Lag: trimmed(row.lag[:]), soakRow: *row})
	}
	s.Rows = kept
}

func trimmed(counts []uint32) []uint32 {
	for len(counts) > 0 && counts[len(counts)-1] == 0 {
		counts = counts[:len(counts)-1]
	}
	return slices.Clone(counts)
}

// result returns the results of a game.
func (s *soakState) result(game string) soakResult {
	r := soakResult{Game: game, Served: s.Served, Profile: s.Profile, Seed: s.Seed, Seeds: s.Seeds}
	for i := range s.Rows {
		if s.Rows[i].Game != game {
			continue
		}
		row := s.Rows[i].clone()
		row.took, row.length = s.Rows[i].Took, s.Rows[i].Length
		copy(row.lag[:], s.Rows[i].Lag)
		r.Rows = append(r.Rows, &row)
		r.Matches += row.Matches
		r.Failed += row.Failed
		r.cpu += row.took
	}
	return r
}

// line describes the progress in one line.
func (s *soakState) line() string {
	text := fmt.Sprintf("%d of %d matches, seeds from %d: %d failed; %.0f s of CPU", s.Done, s.total(), s.Seed, len(s.Failures), s.CPU)
	if s.Done > 0 && s.CPU > 0 {
		text += fmt.Sprintf(", %.0f matches a CPU minute", float64(s.Done)*60/s.CPU)
		if left := s.total() - s.Done; left > 0 {
			text += fmt.Sprintf(", %v of CPU to go", time.Duration(float64(left)*s.CPU/float64(s.Done)*1e9).Round(time.Minute))
		}
	}
	return text
}

// markdown returns the report.
func (s *soakState) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Long soak\n\n%s.\n\n", s.line())
	for _, build := range s.Build {
		fmt.Fprintf(&b, "- from match %d on: build %s, binary %s\n", build.From+1, cmp.Or(build.Version, "unknown"), build.Binary)
	}
	fmt.Fprintf(&b, "- profile %s, up to %s each\n\n", s.Profile, s.Length)
	if len(s.Failures) == 0 {
		b.WriteString("No match has failed.\n")
	}
	for i, f := range s.Failures {
		if i == 0 {
			b.WriteString("| failed | seed | players | profile | violation | again |\n| --- | --- | --- | --- | --- | --- |\n")
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %s | `%s` |\n", f.Game, f.Seed, f.Players, f.Profile, strings.ReplaceAll(f.Violation, "|", "/"), f.Command)
	}
	took := time.Duration(0)
	for _, row := range s.Rows {
		took += row.Took
	}
	seen := map[string]bool{}
	for _, place := range s.Mix {
		if seen[place.Game] {
			continue
		}
		seen[place.Game] = true
		r := s.result(place.Game)
		if took > 0 { // the game's share of the processor time
			r.cpu = time.Duration(float64(r.cpu) * s.CPU * 1e9 / float64(took))
		}
		r.finish()
		b.WriteString("\n#" + r.markdown())
	}
	return b.String()
}

// file returns the content of a file: the state, and the hash of its JSON without white space, so that missing or
// changed parts are noticed.
func (s *soakState) file() []byte {
	b, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		panic("cli: the progress of a soak is no JSON: " + err.Error())
	}
	return fmt.Appendf(nil, "{\n\"xxh3\": \"%s\",\n\"soak\": %s\n}\n", hashOf(b), b)
}

// hashOf returns the hash of a JSON text.
func hashOf(text []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return "none" // not JSON
	}
	return fmt.Sprintf("%016x", xxh3.Hash(b.Bytes()))
}

const maxProgress = 64 << 20

// stateOf returns the JSON of the state in a file, if it is complete. In earlier versions, the hash was on a line
// after the state: such folders can be continued, too.
func stateOf(file []byte) ([]byte, error) {
	damaged := errors.New("the file is damaged, or something else")
	if at := bytes.LastIndex(file, []byte("\nxxh3 ")); at >= 0 {
		if string(file[at:]) != fmt.Sprintf("\nxxh3 %016x\n", xxh3.Hash(file[:at])) {
			return nil, damaged
		}
		return file[:at], nil
	}
	var whole struct {
		XXH3 string          `json:"xxh3"`
		Soak json.RawMessage `json:"soak"`
	}
	if json.Unmarshal(file, &whole) != nil || whole.XXH3 != hashOf(whole.Soak) {
		return nil, damaged
	}
	return whole.Soak, nil
}

// readSoakState reads a file made by [soakState.file].
func readSoakState(path string) (*soakState, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no file")
	}
	if info.Size() > maxProgress {
		return nil, fmt.Errorf("%d bytes are too many", info.Size())
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if b, err = stateOf(b); err != nil {
		return nil, err
	}
	s := new(soakState)
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("the file is of another version: %w", err)
	}
	if s.Whole > s.total() || s.Done != s.Whole+uint64(len(s.Also)) || len(s.Mix) == 0 || len(s.Build) == 0 {
		return nil, errors.New("the file makes no sense")
	}
	for _, row := range s.Rows {
		if len(row.Lag) > len(fleet.Histogram{}) || (row.ServerCounts != nil) != s.Served || (row.PeerCounts != nil) == s.Served {
			return nil, errors.New("the file makes no sense")
		}
	}
	return s, nil
}

// continues returns an error if the existing soak is not the requested one.
func (s *soakState) continues(old *soakState, otherBuild bool) error {
	for _, c := range []struct {
		what       string
		now, began any
	}{
		{"--served", s.Served, old.Served},
		{"--seed", s.Seed, old.Seed},
		{"--seeds", s.Seeds, old.Seeds},
		{"--profile", s.Profile, old.Profile},
		{"--length", s.Length, old.Length},
		{"games and players", fmt.Sprint(s.Mix), fmt.Sprint(old.Mix)},
	} {
		if c.now != c.began {
			return fmt.Errorf("another soak is in this folder: it was begun with %s %v, not %v; give it another --folder, or the same flags", c.what, c.began, c.now)
		}
	}
	now, began := s.Build[0], old.Build[len(old.Build)-1]
	if now.Binary != began.Binary && !otherBuild {
		return fmt.Errorf("another build has played %d of %d matches: %s (%s), and this is %s (%s); give it another --folder, or go on all the same with --other-build",
			old.Done, old.total(), began.Version, began.Binary, now.Version, now.Binary)
	}
	return nil
}
