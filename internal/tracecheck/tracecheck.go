// Package tracecheck reads traces in the Chrome trace event format, and checks them against the rules of the format,
// for tests of code that writes them.
package tracecheck

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Event is an event of a trace.
type Event struct {
	Phase    string // M, X, i or C
	Name     string
	Process  string // the name of its process
	Track    string // the name of its track
	At, Took time.Duration
	Args     map[string]any // numbers are json.Number
}

// Int returns a whole number from the arguments, or -1 if there is none.
func (e *Event) Int(key string) int64 {
	n, ok := e.Args[key].(json.Number)
	if !ok {
		return -1
	}
	i, err := n.Int64()
	if err != nil {
		return -1
	}
	return i
}

// raw is an event as it is encoded.
type raw struct {
	Ph    string         `json:"ph"`
	Pid   *int64         `json:"pid"`
	Tid   *int64         `json:"tid"`
	Name  string         `json:"name"`
	Ts    *json.Number   `json:"ts"`
	Dur   *json.Number   `json:"dur"`
	Scope string         `json:"s"`
	Args  map[string]any `json:"args"`
}

// lane is a thread of the trace.
type lane struct {
	name string
	last time.Duration   // the time of the last event
	open []time.Duration // the ends of the open slices, innermost last
}

type checker struct {
	processes map[int64]string
	counters  map[int64]time.Duration // the time of the last counter, by process
	lanes     map[[2]int64]*lane
}

// Read returns the events of a trace. An error says which event breaks which rule.
func Read(b []byte) ([]Event, error) {
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.UseNumber()
	d.DisallowUnknownFields()
	var list []raw
	if err := d.Decode(&list); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, fmt.Errorf("there is something after the array")
	}
	c := checker{map[int64]string{}, map[int64]time.Duration{}, map[[2]int64]*lane{}}
	var events []Event
	for i := range list {
		e, err := c.event(&list[i])
		if err != nil {
			return events, fmt.Errorf("event %d, %+v: %w", i, list[i], err)
		}
		events = append(events, e)
	}
	return events, nil
}

func (c *checker) event(r *raw) (e Event, err error) {
	if r.Name == "" || r.Pid == nil || r.Tid == nil {
		return e, fmt.Errorf("name, pid or tid is missing")
	}
	e = Event{Phase: r.Ph, Name: r.Name, Args: r.Args}
	if r.Ph == "M" {
		return e, c.meta(r)
	}
	if r.Ts == nil || (r.Dur != nil) != (r.Ph == "X") {
		return e, fmt.Errorf("ts is missing, or dur of a slice, or there is dur without a slice")
	}
	if e.At, err = nanoseconds(*r.Ts); err != nil {
		return e, err
	}
	if r.Dur != nil {
		if e.Took, err = nanoseconds(*r.Dur); err != nil {
			return e, err
		}
	}
	known := false
	if e.Process, known = c.processes[*r.Pid]; !known {
		return e, fmt.Errorf("the process has no name")
	}
	if r.Ph == "C" {
		return e, c.counter(r, &e)
	}
	l := c.lanes[[2]int64{*r.Pid, *r.Tid}]
	if l == nil {
		return e, fmt.Errorf("the thread has no name")
	}
	e.Track = l.name
	return e, l.add(r, &e)
}

func (c *checker) meta(r *raw) error {
	switch name, _ := r.Args["name"].(string); r.Name {
	case "process_name":
		c.processes[*r.Pid] = name
	case "thread_name":
		c.lanes[[2]int64{*r.Pid, *r.Tid}] = &lane{name: name}
	case "thread_sort_index":
		if _, ok := r.Args["sort_index"].(json.Number); !ok {
			return fmt.Errorf("sort_index is no number")
		}
	default:
		return fmt.Errorf("unknown metadata")
	}
	return nil
}

func (c *checker) counter(r *raw, e *Event) error {
	if len(r.Args) == 0 {
		return fmt.Errorf("a counter without a value")
	}
	for key, v := range r.Args {
		if _, ok := v.(json.Number); !ok {
			return fmt.Errorf("%s is no number", key)
		}
	}
	if e.At < c.counters[*r.Pid] {
		return fmt.Errorf("the counters of the process go back in time")
	}
	c.counters[*r.Pid] = e.At
	return nil
}

func (l *lane) add(r *raw, e *Event) error {
	switch {
	case r.Ph != "X" && r.Ph != "i":
		return fmt.Errorf("unknown phase")
	case r.Ph == "i" && (len(r.Scope) != 1 || !strings.Contains("tpg", r.Scope)):
		return fmt.Errorf("unknown scope")
	case e.At < l.last:
		return fmt.Errorf("the thread goes back in time, from %v to %v", l.last, e.At)
	}
	l.last = e.At
	for len(l.open) > 0 && l.open[len(l.open)-1] <= e.At {
		l.open = l.open[:len(l.open)-1]
	}
	if r.Ph != "X" {
		return nil
	}
	if n := len(l.open); n > 0 && l.open[n-1] < e.At+e.Took {
		return fmt.Errorf("it ends at %v, after the slice around it at %v", e.At+e.Took, l.open[n-1])
	}
	l.open = append(l.open, e.At+e.Took)
	return nil
}

// nanoseconds converts microseconds exactly.
func nanoseconds(n json.Number) (time.Duration, error) {
	whole, part, _ := strings.Cut(n.String(), ".")
	us, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || us < 0 || us > math.MaxInt64/1000-1 || len(part) > 3 {
		return 0, fmt.Errorf("%v is no time in microseconds", n)
	}
	ns := int64(0)
	for i := range 3 {
		ns *= 10
		if i < len(part) {
			ns += int64(part[i] - '0')
		}
	}
	return time.Duration(us)*time.Microsecond + time.Duration(ns), nil
}
