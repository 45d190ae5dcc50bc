package netem_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/tickback/tickback/netem"
)

// table is what doc.go says about the profiles.
func table() string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "//\tname\tdelay\tjitter\tloss, in bursts, in all\tbursts\treorder\tduplicate\tcorrupt\tbandwidth\tqueue")
	for _, p := range netem.Profiles() {
		l := p.Link
		all := l.Loss
		bursts := "none"
		if b := l.Burst; b.Begin > 0 {
			loss := int64(l.Loss)*int64(b.End) + int64(b.Loss)*int64(b.Begin)
			all = netem.PPM(loss / int64(b.Begin+b.End))
			bursts = fmt.Sprintf("%d.%d in 1000, of %d.%d", b.Begin/1000, b.Begin/100%10, netem.Always/b.End, netem.Always*10/b.End%10)
		}
		if all >= netem.Percent/10 {
			all = (all + 500) / 1000 * 1000 // enough digits
		}
		fmt.Fprintf(w, "//\t%s\t%v\t%v %v\t%v, %v, %v\t%s\t%v\t%v\t%v\t%d kB/s\t%d KiB\n", p.Name, l.Delay, l.Jitter, l.Distribution,
			l.Loss, l.Burst.Loss, all, bursts, l.Reorder, l.Duplicate, l.Corrupt, l.Bandwidth/1000, l.Queue>>10)
	}
	w.Flush()
	return strings.ReplaceAll(text.String(), "//  ", "//\t")
}

// The table in doc.go has the values of the profiles.
func TestTheTableOfProfilesIsTrue(t *testing.T) {
	doc := string(must(os.ReadFile("doc.go")))
	if !strings.Contains(doc, table()) {
		t.Errorf("doc.go should say:\n%s", table())
	}
}

// Every profile has a unique name by which it is found, and is valid; the error for an unknown name lists them.
func TestProfilesByName(t *testing.T) {
	var names []string
	for _, p := range netem.Profiles() {
		if got, err := netem.ProfileNamed(strings.ToUpper(p.Name)); err != nil || got != p || p.About == "" {
			t.Errorf("%s: %v, %v", p.Name, got, err)
		}
		if err := p.Link.Validate(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		names = append(names, p.Name)
	}
	_, err := netem.ProfileNamed("moon")
	if want := `"moon": there are ` + strings.Join(names, ", "); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v does not say %s", err, want)
	}
}
