package classic_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/classic/rbn1"
	"github.com/tickback/tickback/internal/page"
)

// What the page of RBN1 says of the match has the figures of the code.
func TestThePageOfTheMatchIsTrue(t *testing.T) {
	p := page.Open(t, "../docs/reference/rbn1.md")
	const title = "The match"
	declared := page.Constants(t, ".", map[string]int64{"rbn1.MaxInputs": rbn1.MaxInputs})
	for _, row := range p.Table(title, "what", "value", "constant") {
		value := row[1]
		if d, err := time.ParseDuration(value); err == nil {
			value = fmt.Sprint(int64(d))
		}
		if c, is := declared[row[2]]; !is || c.Value != value {
			t.Errorf("%s: the page has %s, and the code %v", row[2], row[1], c)
		}
	}
	counters := map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[classic.Ignored]()) {
		counters[field.Name] = true
	}
	for _, row := range p.Table(title, "counter", "what") {
		if !counters[row[0]] {
			t.Errorf("there is no counter %s", row[0])
		}
		delete(counters, row[0])
	}
	if len(counters) > 0 {
		t.Errorf("the page does not have the counters %v", counters)
	}
	p.Says("What it is not good for", "more than %d buttons", reflect.TypeFor[uint16]().Bits())
	p.Loose([]string{"RBN1", "player 1"}, title, "What it is not good for")
}
