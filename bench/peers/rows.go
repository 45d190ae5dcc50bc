package main

import "fmt"

// row is a line of a table, or several lines of several tables that one run of a program fills.
type row struct {
	name  string
	title string
	args  []string // of the program
	short []string // of the program, in addition, where nothing but its working is of interest
	timed bool     // whether it is measured in rounds; all else is the same in each run
	world bool     // whether it is about worlds
	run   func(m *meter, r row, l *library) (sample, error)
}

// sample are the values of one run, by name.
type sample map[string]float64

// rows returns all that is measured, in the order in which it is measured.
func rows() []row {
	var all []row
	frames := map[int]int{2: 36_000, 4: 14_400, 8: 5_400, 16: 2_160}
	for _, n := range []int{2, 4, 8, 16} {
		for _, rtt := range []int{0, 100} {
			all = append(all, matchRow(fmt.Sprintf("frame/%d/%d", n, rtt), fmt.Sprintf("%d players, RTT %d ms", n, rtt), "tiny", n, rtt, frames[n]))
		}
	}
	for _, rtt := range []int{0, 100} {
		all = append(all, matchRow(fmt.Sprintf("duel/%d", rtt), fmt.Sprintf("the duel, RTT %d ms", rtt), "duel", 2, rtt, 27_000))
	}
	for _, c := range []struct {
		game, title string
		frames      int
	}{{"64k", "64 KiB", 9_000}, {"1m", "1 MiB", 540}, {"16m", "16 MiB", 45}} {
		for _, rtt := range []int{0, 100} {
			all = append(all, matchRow(fmt.Sprintf("large/%s/%d", c.game, rtt), fmt.Sprintf("%s, RTT %d ms", c.title, rtt), c.game, 2, rtt, c.frames))
		}
	}
	for _, c := range []struct {
		game, title string
		depths      []int
		frames      int
	}{
		{"tiny", "near-empty", []int{0, 2, 4, 7}, 90_000},
		{"64k", "64 KiB", []int{0, 2, 4, 7}, 2_700},
		{"1m", "1 MiB", []int{0, 2, 4, 7}, 270},
		{"16m", "16 MiB", []int{2, 7}, 18},
	} {
		for _, d := range c.depths {
			all = append(all, row{
				name: fmt.Sprintf("sync/%s/%d", c.game, d), title: fmt.Sprintf("%s, depth %d", c.title, d), timed: true,
				args:  []string{"sync", "game=" + c.game, fmt.Sprintf("depth=%d", d), fmt.Sprintf("frames=%d", c.frames)},
				short: []string{"frames=9"}, run: (*meter).plain,
			})
		}
	}
	for _, n := range []int{2, 4, 8} {
		all = append(all, row{
			name: fmt.Sprintf("memory/%d", n), title: fmt.Sprintf("%d players", n),
			args: []string{"memory", fmt.Sprintf("players=%d", n)}, short: []string{"seconds=2"}, run: (*meter).plain,
		})
	}
	for _, loss := range []int{1, 5, 10, 20} {
		all = append(all, row{
			name: fmt.Sprintf("loss/%d", loss), title: fmt.Sprintf("%d %% of loss", loss),
			args:  []string{"match", "players=2", "rtt=100", "jitter=10", fmt.Sprintf("loss=%d", loss), "frames=18000"},
			short: []string{"frames=900"}, run: (*meter).plain,
		})
	}
	for _, n := range []int{2, 4} {
		all = append(all, row{
			name: fmt.Sprintf("connect/%d", n), title: fmt.Sprintf("%d players", n),
			args: []string{"connect", fmt.Sprintf("players=%d", n), "rtt=100", "loss=20", "seeds=101"}, short: []string{"seeds=3"}, run: (*meter).plain,
		})
	}
	all = append(all, row{name: "reach", title: "2 players", run: (*meter).reach})
	for _, n := range []int{2, 4} {
		all = append(all, row{
			name: fmt.Sprintf("process/%d", n), title: fmt.Sprintf("%d processes", n), timed: true,
			args: []string{"process", fmt.Sprintf("players=%d", n), "seconds=5"}, short: []string{"seconds=1"}, run: (*meter).processes,
		})
	}
	all = append(all, row{
		name: "worlds", title: "worlds", timed: true, world: true,
		args: []string{"worlds", "units=10000", "frames=450"}, short: []string{"frames=90"}, run: (*meter).plain,
	})
	return append(all, row{
		name: "engine", title: "the engine", timed: true, args: []string{"frames=262144"}, short: []string{"frames=1024"}, run: (*meter).engine,
	})
}

// matchRow returns a row of matches in memory.
func matchRow(name, title, game string, players, rtt, frames int) row {
	return row{
		name: name, title: title, timed: true,
		args: []string{
			"match", "game=" + game, fmt.Sprintf("players=%d", players), fmt.Sprintf("rtt=%d", rtt), fmt.Sprintf("frames=%d", frames),
		},
		short: []string{"frames=45"}, run: (*meter).plain,
	}
}
