package metrics_test

import (
	"fmt"
	"math"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/metrics"
	"github.com/tickback/tickback/rollback"
)

// sample is a session of three in the middle of its first match.
func sample() tickback.Stats {
	s := tickback.Stats{
		Phase: tickback.Playing, Match: 1, Prepared: 1, Frame: 600, Confirmed: 597, Agreed: 590, Window: 8,
		Uptime: 10 * time.Second, Stalls: 2, Blocked: 7, Stalled: 250 * time.Millisecond, Waiting: tickback.SetOf(1, 2),
		Nominal: 16 * time.Millisecond, Period: 16500 * time.Microsecond, Strangers: 3, Rejected: 4,
		MessagesSent: 5, MessagesReceived: 6, PendingEvents: 1, DroppedEvents: 8, DroppedDatagrams: 9,
		Engine: rollback.Stats{
			Ticks: 600, Rollbacks: 6, Resimulated: 14, Skipped: 5, Deepest: 9,
			Histogram: []uint64{0, 2, 2, 1, 0, 0, 0, 0, 0, 1, 0}, Mispredicted: [tickback.MaxPlayers]uint64{0, 7, 3},
		},
		Links: []tickback.LinkStats{
			{
				Players: tickback.SetOf(1), Addr: netip.MustParseAddrPort("192.0.2.7:4000"), Connected: true, Confirmed: 595,
				RoundTrip: 40 * time.Millisecond, Deviation: 2 * time.Millisecond, Jitter: time.Millisecond, Lag: -3 * time.Millisecond,
				RemoteLag: 5 * time.Millisecond, Quiet: 12 * time.Millisecond, Sent: 700, SentBytes: 14000, Received: 690, ReceivedBytes: 13000,
				Lost: 6, Duplicates: 2, Rejected: 4, Pending: 100, Waited: 200 * time.Millisecond, PathFrames: 2, ControlSent: 30, ControlResent: 3, ControlDuplicates: 1,
			},
			{Players: tickback.SetOf(2, 3), Sent: 1},
		},
	}
	s.Delay[0] = 2
	return s
}

// compare fails unless these metrics are as the text says.
func compare(t *testing.T, c prometheus.Collector, want string, names ...string) {
	t.Helper()
	if err := testutil.CollectAndCompare(c, strings.NewReader(want), names...); err != nil {
		t.Error(err)
	}
}

// All figures are shown, in base units, by player and never by address.
func TestWhatIsShown(t *testing.T) {
	c := metrics.NewCollector(metrics.Config{ConstLabels: prometheus.Labels{"region": "eu"}})
	c.Observe("a", sample())
	compare(t, c, `
# HELP tickback_stalled_seconds_total By how much frames were later than due, since they had to wait for a peer.
# TYPE tickback_stalled_seconds_total counter
tickback_stalled_seconds_total{region="eu",session="a"} 0.25
# HELP tickback_mispredicted_inputs_total Inputs that came after they had been simulated otherwise.
# TYPE tickback_mispredicted_inputs_total counter
tickback_mispredicted_inputs_total{region="eu",session="a"} 10
# HELP tickback_predicted_frames Frames that stand on predictions.
# TYPE tickback_predicted_frames gauge
tickback_predicted_frames{region="eu",session="a"} 3
# HELP tickback_tick_period_seconds The tick period that keeps pace with the peers.
# TYPE tickback_tick_period_seconds gauge
tickback_tick_period_seconds{region="eu",session="a"} 0.0165
# HELP tickback_awaited_players Players for whom the next frame waits.
# TYPE tickback_awaited_players gauge
tickback_awaited_players{region="eu",session="a"} 2
# HELP tickback_link_lag_seconds How late the peer's inputs arrive here, relative to their frames; negative is early.
# TYPE tickback_link_lag_seconds gauge
tickback_link_lag_seconds{peer="1",region="eu",session="a"} -0.003
tickback_link_lag_seconds{peer="2+3",region="eu",session="a"} 0
# HELP tickback_link_behind_frames Frames that have run here of which the peer has not all inputs yet, as far as it has said.
# TYPE tickback_link_behind_frames gauge
tickback_link_behind_frames{peer="1",region="eu",session="a"} 5
tickback_link_behind_frames{peer="2+3",region="eu",session="a"} 600
# HELP tickback_rollback_depth_frames How far rollbacks went back.
# TYPE tickback_rollback_depth_frames histogram
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="1"} 2
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="2"} 4
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="3"} 5
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="4"} 5
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="5"} 5
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="6"} 5
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="8"} 5
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="10"} 6
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="12"} 6
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="16"} 6
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="24"} 6
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="32"} 6
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="64"} 6
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="120"} 6
tickback_rollback_depth_frames_bucket{region="eu",session="a",le="+Inf"} 6
tickback_rollback_depth_frames_sum{region="eu",session="a"} 19
tickback_rollback_depth_frames_count{region="eu",session="a"} 6
`, "tickback_stalled_seconds_total", "tickback_mispredicted_inputs_total", "tickback_predicted_frames", "tickback_tick_period_seconds",
		"tickback_awaited_players", "tickback_link_lag_seconds", "tickback_link_behind_frames", "tickback_rollback_depth_frames")
	for _, m := range gather(t, c) {
		if strings.Contains(m, "192.0.2.7") {
			t.Errorf("an address is shown: %s", m)
		}
	}
}

// gather returns all series, as text.
func gather(t *testing.T, c prometheus.Collector) (list []string) {
	t.Helper()
	r := prometheus.NewPedanticRegistry()
	if err := r.Register(c); err != nil {
		t.Fatal(err)
	}
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			list = append(list, f.GetName()+" "+m.String())
		}
	}
	return list
}

// The names and texts satisfy the linter of Prometheus.
func TestNamesAreProper(t *testing.T) {
	c := metrics.NewCollector(metrics.Config{})
	c.Observe("a", sample())
	problems, err := testutil.CollectAndLint(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// Every counted field is read by some metric: increasing it changes a series.
func TestEveryFieldIsShown(t *testing.T) {
	shown := func(s tickback.Stats) string {
		c := metrics.NewCollector(metrics.Config{})
		c.Observe("a", s)
		return strings.Join(gather(t, c), "\n")
	}
	before := shown(sample())
	for name, change := range map[string]func(s *tickback.Stats, l *tickback.LinkStats){
		"Phase":             func(s *tickback.Stats, _ *tickback.LinkStats) { s.Phase = tickback.Lobby },
		"Prepared":          func(s *tickback.Stats, _ *tickback.LinkStats) { s.Prepared++ },
		"Frame":             func(s *tickback.Stats, _ *tickback.LinkStats) { s.Frame++ },
		"Health":            func(s *tickback.Stats, _ *tickback.LinkStats) { s.Health = tickback.Desynced },
		"Confirmed":         func(s *tickback.Stats, _ *tickback.LinkStats) { s.Confirmed-- },
		"Agreed":            func(s *tickback.Stats, _ *tickback.LinkStats) { s.Agreed-- },
		"Window":            func(s *tickback.Stats, _ *tickback.LinkStats) { s.Window++ },
		"Delay":             func(s *tickback.Stats, _ *tickback.LinkStats) { s.Delay[0]++ },
		"Ticks":             func(s *tickback.Stats, _ *tickback.LinkStats) { s.Engine.Ticks++ },
		"Resimulated":       func(s *tickback.Stats, _ *tickback.LinkStats) { s.Engine.Resimulated++ },
		"Skipped":           func(s *tickback.Stats, _ *tickback.LinkStats) { s.Engine.Skipped++ },
		"Histogram":         func(s *tickback.Stats, _ *tickback.LinkStats) { s.Engine.Histogram[10]++ },
		"Uptime":            func(s *tickback.Stats, _ *tickback.LinkStats) { s.Uptime++ },
		"Stalls":            func(s *tickback.Stats, _ *tickback.LinkStats) { s.Stalls++ },
		"Blocked":           func(s *tickback.Stats, _ *tickback.LinkStats) { s.Blocked++ },
		"Stalled":           func(s *tickback.Stats, _ *tickback.LinkStats) { s.Stalled += time.Second },
		"Waiting":           func(s *tickback.Stats, _ *tickback.LinkStats) { s.Waiting = 0 },
		"Members":           func(s *tickback.Stats, _ *tickback.LinkStats) { s.Members = tickback.SetOf(0, 1) },
		"Changes":           func(s *tickback.Stats, _ *tickback.LinkStats) { s.Changes++ },
		"Paused":            func(s *tickback.Stats, _ *tickback.LinkStats) { s.Paused = true },
		"Frozen":            func(s *tickback.Stats, _ *tickback.LinkStats) { s.Frozen = true },
		"Seats":             func(s *tickback.Stats, _ *tickback.LinkStats) { s.Spectators.Newcomers++ },
		"Nominal":           func(s *tickback.Stats, _ *tickback.LinkStats) { s.Nominal += time.Second },
		"Period":            func(s *tickback.Stats, _ *tickback.LinkStats) { s.Period += time.Second },
		"Strangers":         func(s *tickback.Stats, _ *tickback.LinkStats) { s.Strangers++ },
		"Rejected":          func(s *tickback.Stats, _ *tickback.LinkStats) { s.Rejected++ },
		"MessagesSent":      func(s *tickback.Stats, _ *tickback.LinkStats) { s.MessagesSent++ },
		"MessagesReceived":  func(s *tickback.Stats, _ *tickback.LinkStats) { s.MessagesReceived++ },
		"PendingEvents":     func(s *tickback.Stats, _ *tickback.LinkStats) { s.PendingEvents++ },
		"DroppedEvents":     func(s *tickback.Stats, _ *tickback.LinkStats) { s.DroppedEvents++ },
		"DroppedDatagrams":  func(s *tickback.Stats, _ *tickback.LinkStats) { s.DroppedDatagrams++ },
		"PendingDatagrams":  func(s *tickback.Stats, _ *tickback.LinkStats) { s.PendingDatagrams++ },
		"Audience":          func(s *tickback.Stats, _ *tickback.LinkStats) { s.Spectators.Spectators++ },
		"AudienceBytes":     func(s *tickback.Stats, _ *tickback.LinkStats) { s.Spectators.Bytes++ },
		"Unacknowledged":    func(_ *tickback.Stats, l *tickback.LinkStats) { l.Unacknowledged++ },
		"Early":             func(_ *tickback.Stats, l *tickback.LinkStats) { l.Early++ },
		"Waited":            func(_ *tickback.Stats, l *tickback.LinkStats) { l.Waited += time.Second },
		"PathFrames":        func(_ *tickback.Stats, l *tickback.LinkStats) { l.PathFrames++ },
		"Connected":         func(_ *tickback.Stats, l *tickback.LinkStats) { l.Connected = false },
		"RoundTrip":         func(_ *tickback.Stats, l *tickback.LinkStats) { l.RoundTrip += time.Second },
		"Deviation":         func(_ *tickback.Stats, l *tickback.LinkStats) { l.Deviation += time.Second },
		"Jitter":            func(_ *tickback.Stats, l *tickback.LinkStats) { l.Jitter += time.Second },
		"Lag":               func(_ *tickback.Stats, l *tickback.LinkStats) { l.Lag += time.Second },
		"RemoteLag":         func(_ *tickback.Stats, l *tickback.LinkStats) { l.RemoteLag += time.Second },
		"Quiet":             func(_ *tickback.Stats, l *tickback.LinkStats) { l.Quiet += time.Second },
		"Sent":              func(_ *tickback.Stats, l *tickback.LinkStats) { l.Sent++ },
		"SentBytes":         func(_ *tickback.Stats, l *tickback.LinkStats) { l.SentBytes++ },
		"Received":          func(_ *tickback.Stats, l *tickback.LinkStats) { l.Received++ },
		"ReceivedBytes":     func(_ *tickback.Stats, l *tickback.LinkStats) { l.ReceivedBytes++ },
		"Lost":              func(_ *tickback.Stats, l *tickback.LinkStats) { l.Lost++ },
		"Duplicates":        func(_ *tickback.Stats, l *tickback.LinkStats) { l.Duplicates++ },
		"link Rejected":     func(_ *tickback.Stats, l *tickback.LinkStats) { l.Rejected++ },
		"link Confirmed":    func(_ *tickback.Stats, l *tickback.LinkStats) { l.Confirmed-- },
		"Pending":           func(_ *tickback.Stats, l *tickback.LinkStats) { l.Pending++ },
		"ControlSent":       func(_ *tickback.Stats, l *tickback.LinkStats) { l.ControlSent++ },
		"ControlResent":     func(_ *tickback.Stats, l *tickback.LinkStats) { l.ControlResent++ },
		"ControlDuplicates": func(_ *tickback.Stats, l *tickback.LinkStats) { l.ControlDuplicates++ },
	} {
		s := sample()
		change(&s, &s.Links[0])
		if shown(s) == before {
			t.Errorf("%s moves no series", name)
		}
	}
}

// value returns a metric that exists exactly once.
func value(t *testing.T, c prometheus.Collector, name string) float64 {
	t.Helper()
	r := prometheus.NewPedanticRegistry()
	r.MustRegister(c)
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if m := f.GetMetric(); f.GetName() == name {
			return m[0].GetCounter().GetValue() + m[0].GetGauge().GetValue() + float64(m[0].GetHistogram().GetSampleCount())
		}
	}
	return math.NaN()
}

// rematch has the statistics of a session in its second match.
func rematch() tickback.Stats {
	s := sample()
	s.Match, s.Prepared, s.Frame, s.Confirmed, s.Agreed = 2, 2, 700, 700, 700 // longer than the first
	s.Engine = rollback.Stats{Ticks: 700, Rollbacks: 1, Resimulated: 2, Histogram: []uint64{0, 0, 1, 0}}
	s.Uptime, s.Stalls, s.Blocked, s.Stalled = 12*time.Second, 0, 0, 0
	s.Links[0].Sent, s.Links[0].Received, s.Links[0].Waited = 1500, 1400, 50*time.Millisecond
	return s
}

// Counters never decrease, whatever starts anew: a match, or another session under the same name; and nothing is
// counted twice.
func TestCountersGoOn(t *testing.T) {
	desync := rematch()
	desync.Health = tickback.Desynced
	another := sample()
	another.Links[0].Sent, another.Links[0].Received, another.Strangers = 10, 5, 1
	talkative, quiet := sample(), sample() // others, as one of the two counts is lower
	talkative.Links[0].Sent, talkative.Links[0].Received = 900, 689
	quiet.Links[0].Sent, quiet.Links[0].Received = 699, 900
	early := sample() // before its first match
	early.Match, early.Prepared, early.Links[0].Sent, early.Links[0].Received = 0, 0, 800, 800
	fewer := sample()
	fewer.Links[0].Lost = 2 // they came after all
	for _, c := range []struct {
		name string
		list []tickback.Stats
		want map[string]float64
	}{
		{"twice the same", []tickback.Stats{sample(), sample()}, map[string]float64{"frames_total": 600, "stalls_total": 2, "link_sent_datagrams_total": 700, "rollback_depth_frames": 6}},
		{"a rematch", []tickback.Stats{sample(), rematch(), rematch()}, map[string]float64{
			"frames_total": 1300, "stalls_total": 2, "link_sent_datagrams_total": 1500, "rollback_depth_frames": 7, "matches_total": 2,
			"stranger_datagrams_total": 3, "played_seconds_total": 22, "link_waited_seconds_total": 0.25,
		}},
		{"another session", []tickback.Stats{sample(), another}, map[string]float64{"frames_total": 1200, "link_sent_datagrams_total": 710, "stranger_datagrams_total": 4, "matches_total": 2}},
		{"another session that sends more", []tickback.Stats{sample(), talkative}, map[string]float64{"link_sent_datagrams_total": 1600, "stranger_datagrams_total": 6}},
		{"another session that receives more", []tickback.Stats{sample(), quiet}, map[string]float64{"link_received_datagrams_total": 1590, "stranger_datagrams_total": 6}},
		{"another session before its first match", []tickback.Stats{sample(), early}, map[string]float64{"stranger_datagrams_total": 6, "matches_total": 1}},
		{"a corrected estimate", []tickback.Stats{sample(), fewer}, map[string]float64{"link_lost_datagrams_total": 6}},
		{"and then more", []tickback.Stats{sample(), fewer, sample()}, map[string]float64{"link_lost_datagrams_total": 6}},
		{"a desync", []tickback.Stats{sample(), desync, desync}, map[string]float64{"desyncs_total": 1, "desynced": 1}},
		{"after a desync", []tickback.Stats{desync, another}, map[string]float64{"desyncs_total": 1, "desynced": 0}},
	} {
		m := metrics.NewCollector(metrics.Config{})
		for _, s := range c.list {
			m.Observe("a", s)
		}
		for name, want := range c.want {
			if got := value(t, m, "tickback_"+name); got != want {
				t.Errorf("%s: %s is %v, want %v", c.name, name, got, want)
			}
		}
	}
}

// Sessions that are removed, or have not been observed for long, are gone.
func TestSessionsGo(t *testing.T) {
	now := time.Unix(1000, 0)
	c := metrics.NewCollector(metrics.Config{Expire: time.Minute, Now: func() time.Time { return now }})
	c.Observe("a", sample())
	c.Observe("b\xff", sample())
	now = now.Add(time.Minute)
	c.Observe("c", sample())
	if n := value(t, c, "tickback_sessions"); n != 3 {
		t.Errorf("%v sessions", n)
	}
	now = now.Add(time.Second)
	if n := value(t, c, "tickback_sessions"); n != 1 {
		t.Errorf("%v sessions after their time", n)
	}
	c.Observe("b\xff", sample())
	c.Remove("c")
	c.Remove("b\xff")
	c.Remove("nobody")
	if n := len(gather(t, c)); n != 2 {
		t.Errorf("%d series without a session", n)
	}
}

// With a negative time sessions stay until they are removed.
func TestSessionsStay(t *testing.T) {
	now := time.Unix(1000, 0)
	c := metrics.NewCollector(metrics.Config{Expire: -1, Now: func() time.Time { return now }})
	c.Observe("a", sample())
	now = now.AddDate(1, 0, 0)
	if n := value(t, c, "tickback_sessions"); n != 1 {
		t.Errorf("%v sessions after a year", n)
	}
	c.Remove("a")
	if n := value(t, c, "tickback_sessions"); n != 0 {
		t.Errorf("%v sessions", n)
	}
}

// The number of sessions is limited, and there is room again when one has gone; so is the number of series.
func TestCardinalityIsBounded(t *testing.T) {
	now := time.Unix(1000, 0)
	c := metrics.NewCollector(metrics.Config{MaxSessions: 3, Now: func() time.Time { return now }})
	for i := range 10 {
		c.Observe(fmt.Sprint(i), sample())
	}
	if n, refused := value(t, c, "tickback_sessions"), value(t, c, "tickback_refused_observations_total"); n != 3 || refused != 7 {
		t.Errorf("%v sessions, %v refused", n, refused)
	}
	if n := len(gather(t, c)); n > 2+3*(45+2*20) {
		t.Errorf("%d series", n)
	}
	now = now.Add(5 * time.Minute)
	if n := value(t, c, "tickback_sessions"); n != 3 {
		t.Errorf("%v sessions at the end of the default time", n)
	}
	now = now.Add(1)
	c.Observe("x", sample())
	if n, refused := value(t, c, "tickback_sessions"), value(t, c, "tickback_refused_observations_total"); n != 1 || refused != 7 {
		t.Errorf("later: %v sessions, %v refused", n, refused)
	}
}

// Settings that are missing get their defaults.
func TestTheLimitMayBeOne(t *testing.T) {
	one, unset := metrics.NewCollector(metrics.Config{MaxSessions: 1}), metrics.NewCollector(metrics.Config{})
	for i := range 100 {
		one.Observe(fmt.Sprint(i), sample())
		unset.Observe(fmt.Sprint(i), sample())
	}
	if n, m := value(t, one, "tickback_sessions"), value(t, unset, "tickback_sessions"); n != 1 || m != 64 {
		t.Errorf("%v sessions, and %v by default", n, m)
	}
}

// A collector describes in advance what it sends, so that a registry refuses another one with the same names.
func TestACollectorIsRegisteredOnce(t *testing.T) {
	r := prometheus.NewPedanticRegistry()
	r.MustRegister(metrics.NewCollector(metrics.Config{}))
	if err := r.Register(metrics.NewCollector(metrics.Config{})); err == nil {
		t.Error("a second one was taken")
	}
}

// If there are inputs for frames that have not run yet, none count as missing.
func TestDistancesBetweenFramesAreNotNegative(t *testing.T) {
	s := sample()
	s.Confirmed, s.Agreed, s.Links[0].Confirmed = s.Frame+1, s.Frame+1, s.Frame+1
	s.Links = s.Links[:1]
	c := metrics.NewCollector(metrics.Config{})
	c.Observe("a", s)
	for _, name := range []string{"tickback_predicted_frames", "tickback_unagreed_frames", "tickback_link_behind_frames"} {
		if v := value(t, c, name); v != 0 {
			t.Errorf("%s is %v", name, v)
		}
	}
}

// The figures that are 1 or 0, and the longest delay, in a match and before it.
func TestStatesAreOneOrZero(t *testing.T) {
	s := sample()
	s.Phase, s.Delay[0] = tickback.Lobby, 0
	lobby, match := metrics.NewCollector(metrics.Config{}), metrics.NewCollector(metrics.Config{})
	lobby.Observe("a", s)
	match.Observe("a", sample())
	for _, c := range []struct {
		name         string
		lobby, match float64
	}{{"tickback_playing", 0, 1}, {"tickback_input_delay_frames", 0, 2}, {"tickback_paused", 0, 0}} {
		if l, m := value(t, lobby, c.name), value(t, match, c.name); l != c.lobby || m != c.match {
			t.Errorf("%s is %v in the lobby and %v in a match, want %v and %v", c.name, l, m, c.lobby, c.match)
		}
	}
}

// Players have decimal numbers in labels.
func TestPeersAreLabelledByTheirPlayers(t *testing.T) {
	s := sample()
	s.Links[0].Players = tickback.SetOf(9, 10, 15)
	c := metrics.NewCollector(metrics.Config{})
	c.Observe("a", s)
	if text := strings.Join(gather(t, c), "\n"); !strings.Contains(text, `"9+10+15"`) {
		t.Errorf("no peer 9+10+15 in\n%s", text)
	}
}

// Scrapes and observations happen at the same time. (The race detector looks.)
func TestScrapesWhileObserving(t *testing.T) {
	c := metrics.NewCollector(metrics.Config{})
	r := prometheus.NewPedanticRegistry()
	r.MustRegister(c)
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() {
			s := sample()
			for range 300 {
				s.Engine.Ticks++
				s.Links[0].Sent++
				s.Engine.Histogram[1]++
				c.Observe(fmt.Sprint(i), s)
			}
			c.Remove(fmt.Sprint(i))
		})
	}
	all.Go(func() {
		for range 50 {
			if _, err := r.Gather(); err != nil {
				t.Error(err)
				return
			}
		}
	})
	all.Wait()
}

// An observation allocates nothing.
func TestObserveDoesNotAllocate(t *testing.T) {
	c, s := metrics.NewCollector(metrics.Config{}), sample()
	c.Observe("a", s)
	if n := testing.AllocsPerRun(100, func() { c.Observe("a", s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkObserve(b *testing.B) {
	c, s := metrics.NewCollector(metrics.Config{}), sample()
	for b.Loop() {
		c.Observe("a", s)
	}
}
