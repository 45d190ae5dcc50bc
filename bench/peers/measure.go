package main

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
)

// results are what was measured: by row and by library, one sample for each round, or why there is none.
type results struct {
	libraries []*library
	samples   map[string]map[*library][]sample
	missing   map[string]map[*library]string
}

// measure runs all rows: a row in as many rounds as it takes, in each of which the libraries have their turns in another
// order.
func (m *meter) measure() (*results, error) {
	all := &results{libraries: m.libraries, samples: map[string]map[*library][]sample{}, missing: map[string]map[*library]string{}}
	for _, r := range rows() {
		if !m.only.MatchString(r.name) {
			continue
		}
		fmt.Fprintf(m.say, "peers: %s\n", r.name)
		all.samples[r.name], all.missing[r.name] = map[*library][]sample{}, map[*library]string{}
		rounds := 1
		if r.timed {
			rounds = m.rounds
		}
		for round := range rounds {
			for i := range m.libraries {
				l := m.libraries[(i+round)%len(m.libraries)]
				if !l.takesPart(r) || all.missing[r.name][l] != "" {
					continue
				}
				s, err := m.sample(r, l)
				if m.ctx.Err() != nil {
					return nil, errors.New("interrupted")
				}
				if err != nil {
					all.missing[r.name][l] = err.Error()
					continue
				}
				all.samples[r.name][l] = append(all.samples[r.name][l], s)
			}
		}
		if len(all.samples[r.name][m.libraries[0]]) == 0 {
			return nil, fmt.Errorf("%s: Tickback has no figure: %s", r.name, all.missing[r.name][m.libraries[0]])
		}
	}
	return all, nil
}

// errLacks is why a library has no figure where it has no such thing.
var errLacks = errors.New("it has no such thing")

// sample runs a row once.
func (m *meter) sample(r row, l *library) (sample, error) {
	switch players := r.players(); {
	case l.program == "":
		return nil, errors.New(l.missing)
	case players > l.players && !l.world:
		return nil, fmt.Errorf("%w: it has at most %d players", errLacks, l.players)
	case l.crate == "peers-ggpo" && strings.HasPrefix(r.name, "sync/") && strings.HasSuffix(r.name, "/0"):
		return nil, fmt.Errorf("%w: the depth of its sync test is 1 at least", errLacks)
	}
	return r.run(m, r, l)
}

// players returns how many players a row has.
func (r row) players() int {
	for _, a := range r.args {
		var n int
		if _, err := fmt.Sscanf(a, "players=%d", &n); err == nil {
			return n
		}
	}
	return 2
}

// arguments returns those of the program, for a short run or a whole one. Of two with the same name the last one counts.
func (m *meter) arguments(r row) []string {
	if m.quick {
		return slices.Concat(r.args, r.short)
	}
	return r.args
}

// plain runs the program once.
func (m *meter) plain(r row, l *library) (sample, error) {
	values, err := m.row(l, m.arguments(r)...)
	if err != nil {
		return nil, err
	}
	return collect(values), nil
}

// collect returns values by name.
func collect(values []value) sample {
	s := sample{}
	for _, v := range values {
		s[v.name] = v.number
	}
	return s
}

// reach finds the longest RTT at which no frame waits. Peers act 60 times a second, all at the same moment, so that what
// counts of a delay is how many ticks have begun before it is over.
func (m *meter) reach(_ row, l *library) (sample, error) {
	frames, most := 1800, 16
	if m.quick {
		frames, most = 90, 2
	}
	longest := 0
	for ticks := 1; ticks <= most; ticks++ {
		rtt := ticks*2*1000/60 - 1
		values, err := m.row(l, "match", "players=2", fmt.Sprintf("rtt=%d", rtt), fmt.Sprintf("frames=%d", frames))
		if err != nil {
			return nil, err
		}
		if collect(values)["stalls"] > 0 {
			break
		}
		longest = rtt
	}
	return sample{"rtt": float64(longest)}, nil
}

// processes runs a process for each peer, at the same time, and returns the means of what they print; of the longest turn
// the longest.
func (m *meter) processes(r row, l *library) (sample, error) {
	n := r.players()
	port, err := freePorts(n)
	if err != nil {
		return nil, err
	}
	all, errs := make([][]value, n), make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() {
			all[i], errs[i] = m.row(l, slices.Concat(m.arguments(r), []string{fmt.Sprintf("me=%d", i), fmt.Sprintf("port=%d", port)})...)
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	s := sample{}
	for _, values := range all {
		for name, v := range collect(values) {
			if name == "worst" {
				s[name] = max(s[name], v)
			} else {
				s[name] += v / float64(n)
			}
		}
	}
	return s, nil
}

// freePorts returns the first of n UDP ports of this machine that nobody uses.
func freePorts(n int) (int, error) {
	for first := 7300; first < 9000; first += n {
		free := true
		for i := range n {
			c, err := net.ListenUDP("udp4", &net.UDPAddr{Port: first + i})
			if err != nil {
				free = false
				break
			}
			c.Close()
		}
		if free {
			return first, nil
		}
	}
	return 0, errors.New("no UDP ports from 7300 to 9000 are free")
}

// engine measures Tickback's engine alone, and beside it the bare loops in Rust, which any of the other programs has.
func (m *meter) engine(r row, l *library) (sample, error) {
	loops := map[string]string{"": "tick", "peers-ggrs": "bare"}
	if name, found := loops[l.crate]; found {
		values, err := m.row(l, append([]string{name}, m.arguments(r)...)...)
		return collect(values), err
	}
	return nil, fmt.Errorf("%w: only the loops of one program are measured", errLacks)
}

// complete returns an error if a library that was built lacks a figure that it could have.
func (m *meter) complete(r *results) error {
	var lacking []error
	count := 0
	for name, libraries := range r.missing {
		for l, why := range libraries {
			if l.program != "" && !strings.Contains(why, errLacks.Error()) {
				lacking = append(lacking, fmt.Errorf("%s, %s: %s", name, l.name, why))
			}
		}
		for _, samples := range r.samples[name] {
			count += len(samples)
		}
	}
	for _, l := range m.libraries {
		if l.broken {
			lacking = append(lacking, fmt.Errorf("%s: %s", l.name, l.missing))
		} else if l.missing != "" {
			fmt.Fprintf(m.say, "peers: %s was left out: %s\n", l.name, l.missing)
		}
	}
	if err := errors.Join(lacking...); err != nil {
		return err
	}
	fmt.Fprintf(m.say, "peers: %d rows, %d figures\n", len(r.samples), count)
	return nil
}
