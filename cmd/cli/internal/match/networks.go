package match

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/tickback/tickback/netem"
)

// networkTable describes the profiles of --net.
func networkTable() string {
	var b strings.Builder
	b.WriteString("Networks (--net), for one direction; a round trip between two such machines takes twice\n" +
		"that. Delay is the minimum, jitter the mean of what is added to it, loss that outside of\n" +
		"bursts. Some also reorder and duplicate.\n")
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  NAME\tDELAY\tJITTER\tLOSS\tBURSTS OF LOSS")
	for _, p := range netem.Profiles() {
		l := p.Link
		fmt.Fprintf(tw, "  %s\t%v\t%v %v\t%v\t%s\n", p.Name, l.Delay, l.Jitter, l.Distribution, l.Loss, bursts(l.Burst))
	}
	tw.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// bursts describes loss bursts: how many begin in 1000 datagrams, how long they are and how much is lost in them.
func bursts(b netem.Burst) string {
	if b.Begin == 0 {
		return "none"
	}
	return fmt.Sprintf("%.3g in 1000, of %.2g, lose %v", float64(b.Begin)/1000, float64(100*netem.Percent)/float64(b.End), b.Loss)
}
