package tracecheck

import (
	"strings"
	"testing"
	"time"
)

const names = `{"ph":"M","pid":1,"tid":1,"name":"process_name","args":{"name":"p"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"t"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_sort_index","args":{"sort_index":2}}`

func slice(at, dur string) string {
	return `{"ph":"X","pid":1,"tid":2,"name":"x","ts":` + at + `,"dur":` + dur + `}`
}

// What the rules allow is read.
func TestReads(t *testing.T) {
	events, err := Read([]byte("[" + strings.Join([]string{
		names, slice("10", "5.5"), slice("10", "1"), slice("11", "4.5"), slice("20.001", "0"),
		`{"ph":"i","pid":1,"tid":2,"name":"i","ts":21,"s":"t","args":{"n":7}}`,
		`{"ph":"C","pid":1,"tid":1,"name":"c","ts":1,"args":{"v":1.5}}`,
	}, ",") + "]"))
	if err != nil || len(events) != 9 {
		t.Fatal(len(events), err)
	}
	if e := events[3]; e.Process != "p" || e.Track != "t" || e.At != 10*time.Microsecond || e.Took != 5500 {
		t.Errorf("%+v", e)
	}
	if e := events[6]; e.At != 20001 || events[7].Int("n") != 7 || e.Int("n") != -1 {
		t.Errorf("%+v", e)
	}
}

// Negative controls: what breaks a rule is found.
func TestFindsWhatBreaksARule(t *testing.T) {
	for what, list := range map[string][]string{
		"not an array":       {`1`},
		"no name":            {`{"ph":"i","pid":1,"tid":2,"ts":1,"s":"t"}`},
		"no pid":             {`{"ph":"i","name":"i","tid":2,"ts":1,"s":"t"}`},
		"no tid":             {`{"ph":"i","name":"i","pid":1,"ts":1,"s":"t"}`},
		"no ts":              {`{"ph":"i","name":"i","pid":1,"tid":2,"s":"t"}`},
		"a negative ts":      {slice("-1", "2")},
		"a text as ts":       {slice(`"x"`, "2")},
		"picoseconds":        {slice("1.0001", "2")},
		"no dur":             {`{"ph":"X","name":"x","pid":1,"tid":2,"ts":1}`},
		"dur of an instant":  {`{"ph":"i","name":"x","pid":1,"tid":2,"ts":1,"dur":1,"s":"t"}`},
		"a scope":            {`{"ph":"i","name":"x","pid":1,"tid":2,"ts":1,"s":"q"}`},
		"a phase":            {`{"ph":"?","name":"x","pid":1,"tid":2,"ts":1}`},
		"no process":         {`{"ph":"C","name":"x","pid":9,"tid":2,"ts":1,"args":{"v":1}}`},
		"no thread":          {`{"ph":"i","name":"x","pid":1,"tid":9,"ts":1,"s":"t"}`},
		"back in time":       {slice("5", "1"), slice("4", "0")},
		"overlapping slices": {slice("5", "5"), slice("6", "5")},
		"counters backwards": {`{"ph":"C","name":"x","pid":1,"tid":1,"ts":2,"args":{"v":1}}`, `{"ph":"C","name":"x","pid":1,"tid":1,"ts":1,"args":{"v":1}}`},
		"no value":           {`{"ph":"C","name":"x","pid":1,"tid":1,"ts":2}`},
		"a text as value":    {`{"ph":"C","name":"x","pid":1,"tid":1,"ts":2,"args":{"v":"1"}}`},
		"metadata":           {`{"ph":"M","name":"color","pid":1,"tid":1}`},
		"a sort index":       {`{"ph":"M","name":"thread_sort_index","pid":1,"tid":1}`},
		"an unknown field":   {`{"ph":"i","name":"x","pid":1,"tid":2,"ts":1,"s":"t","tts":4}`},
	} {
		if _, err := Read([]byte("[" + strings.Join(append([]string{names}, list...), ",") + "]")); err == nil {
			t.Errorf("%s went unnoticed", what)
		}
	}
	if _, err := Read([]byte("[" + names + "] []")); err == nil {
		t.Error("what follows the array went unnoticed")
	}
}
