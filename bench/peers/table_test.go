package main

import (
	"strings"
	"testing"
)

// fixture returns results of three rounds, in which the machine was slower from round to round.
func fixture() *results {
	all := libraries()
	r := &results{libraries: all, samples: map[string]map[*library][]sample{}, missing: map[string]map[*library]string{}}
	r.samples["frame/2/0"] = map[*library][]sample{
		all[0]: {{"time": 400, "allocs": 0}, {"time": 800, "allocs": 0}, {"time": 1200, "allocs": 0}},
		all[1]: {{"time": 1000, "allocs": 16.2}, {"time": 1600, "allocs": 16.2}, {"time": 2640, "allocs": 16.2}},
	}
	r.missing["frame/2/0"] = map[*library]string{all[2]: "it was not built: there is no cargo", all[3]: "exit status 1"}
	all[3].program = "somewhere"
	r.samples["frame/8/0"] = map[*library][]sample{all[0]: {{"time": 1500}}}
	r.missing["frame/8/0"] = map[*library]string{all[3]: errLacks.Error() + ": it has at most 4 players"}
	return r
}

// Rule: ratios are taken round by round, so that a machine that becomes slower changes none.
func TestATableOfRatios(t *testing.T) {
	text := render(fixture(), "A machine.")
	for _, want := range []string{
		"A machine.\n\n### A frame of a peer, in memory\n",
		"| | Tickback | fortress-rollback | ggrs | GGPO |\n|---|---|---|---|---|\n",
		"| 2 players, RTT 0 ms | 800 ns | 2.20 (2.00 to 2.50) | - | - |\n",
		"### Allocations of a frame\n", "| 2 players, RTT 0 ms | 0 | 16.2 | - | - |\n",
		"Where there is a dash:\n\n- ggrs: it was not built: there is no cargo\n- GGPO, frame/2/0: exit status 1\n- GGPO: it has at most 4 players\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "### A frame of the duel") {
		t.Error("a table that has no rows is shown")
	}
}

// Rule: the engine is shown beside the bare loop of the same round, and worlds beside those of the other library.
func TestTheTablesOfTheEngineAndOfWorlds(t *testing.T) {
	r := fixture()
	r.samples["engine"] = map[*library][]sample{
		r.libraries[0]: {{"plain": 30, "rollback": 300}, {"plain": 66, "rollback": 660}},
		r.libraries[2]: {{"plain": 10, "rollback": 200}, {"plain": 20, "rollback": 400}},
	}
	r.samples["worlds"] = map[*library][]sample{r.libraries[0]: {{"save-moving": 2000}}, r.libraries[4]: {{"save-moving": 500_000}}}
	text := render(r, "")
	if want := "| save, all move | 2.00 us | 500 us | 250 |\n"; !strings.Contains(text, want) {
		t.Errorf("there is no %q in\n%s", want, text)
	}
	if want := "| a tick | 15.0 ns | 48.0 ns | 3.15 (3.00 to 3.30) |\n"; !strings.Contains(text, want) {
		t.Errorf("there is no %q in\n%s", want, text)
	}
}

func TestQuantities(t *testing.T) {
	for _, c := range []struct {
		v          float64
		unit, want string
	}{
		{365.4, "ns", "365 ns"},
		{1234, "ns", "1.23 us"},
		{2_500_000, "ns", "2.50 ms"},
		{12.34, "ns", "12.3 ns"},
		{0.716, "ns", "0.716 ns"},
		{54_712, "B", "54.7 KB"},
		{997, "B/s", "0.997 KB"},
		{15_698, "B/s", "15.7 KB"},
		{0, "count", "0"},
		{0.001, "count", "under 0.01"},
		{60, "count", "60.0"},
		{0.5, "%", "0.50 %"},
		{266, "ms", "266 ms"},
		{2283.3, "ms", "2283 ms"},
		{0, "ms", "0 ms"},
	} {
		if got := quantity(c.v, c.unit); got != c.want {
			t.Errorf("%g %s is shown as %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

// Rule: each row is in a table, its name is its own, and the tables have no others.
func TestEachRowHasATable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rows() {
		if seen[r.name] {
			t.Errorf("two rows are called %s", r.name)
		}
		seen[r.name] = true
		found := r.name == "engine" || r.world
		for _, s := range sections() {
			found = found || strings.HasPrefix(r.name, s.rows)
		}
		if !found {
			t.Errorf("no table has the row %s", r.name)
		}
	}
	for _, s := range sections() {
		found := false
		for name := range seen {
			found = found || strings.HasPrefix(name, s.rows)
		}
		if !found {
			t.Errorf("the table %q has no rows", s.title)
		}
	}
}
