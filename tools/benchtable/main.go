// Command benchtable turns the output of "go test -bench" on its standard input
// into a Markdown table: a row for each benchmark with the median over its runs,
// next to its floor. The ratio is followed by its smallest and largest value.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "benchtable:", err)
		os.Exit(1)
	}
}

// row is one benchmark: the values of every run by unit.
type row struct {
	name   string
	values map[string][]float64
}

func run(in io.Reader, out io.Writer) error {
	rows, err := read(in)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return fmt.Errorf("no benchmark on the standard input")
	}
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "| benchmark | time | floor | times the floor (range) | also |")
	fmt.Fprintln(w, "|---|---|---|---|---|")
	for _, r := range rows {
		fmt.Fprintln(w, r.markdown())
	}
	return w.Flush()
}

// read collects the runs of each benchmark, in the order of their first occurrence.
func read(in io.Reader) ([]*row, error) {
	var rows []*row
	reader := benchfmt.NewReader(in, "stdin")
	for reader.Scan() {
		res, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue // a unit, or a line without a benchmark
		}
		r := rowOf(&rows, displayName(res))
		for _, v := range res.Values {
			unit, value := v.Unit, v.Value
			if v.OrigUnit != "" { // the reader turns ns into sec
				unit, value = v.OrigUnit, v.OrigValue
			}
			r.values[unit] = append(r.values[unit], value)
		}
	}
	return rows, reader.Err()
}

func rowOf(rows *[]*row, name string) *row {
	if i := slices.IndexFunc(*rows, func(r *row) bool { return r.name == name }); i >= 0 {
		return (*rows)[i]
	}
	r := &row{name, map[string][]float64{}}
	*rows = append(*rows, r)
	return r
}

// displayName returns the package within the project and the benchmark, without the number of processors.
func displayName(res *benchfmt.Result) string {
	pkg := res.GetConfig("pkg")
	pkg = strings.TrimPrefix(pkg, "github.com/tickback/tickback/")
	name := res.Name.String()
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		name = name[:i]
	}
	return pkg + " " + name
}

func (r *row) markdown() string {
	ratio := "-"
	if v := r.values["x-floor"]; len(v) > 0 {
		ratio = fmt.Sprintf("%.2f (%.2f to %.2f)", median(v), slices.Min(v), slices.Max(v))
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |",
		r.name, nanoseconds(r.values["ns/op"]), nanoseconds(r.values["floor-ns/op"]), ratio, r.others())
}

// others lists the medians of all further units, in alphabetical order.
func (r *row) others() string {
	var list []string
	for unit, v := range r.values {
		if unit != "ns/op" && unit != "floor-ns/op" && unit != "x-floor" {
			list = append(list, fmt.Sprintf("%.4g %s", median(v), unit))
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

func nanoseconds(v []float64) string {
	if len(v) == 0 {
		return "-"
	}
	switch m := median(v); {
	case m < 1e3:
		return fmt.Sprintf("%.3g ns", m)
	case m < 1e6:
		return fmt.Sprintf("%.3g us", m/1e3)
	default:
		return fmt.Sprintf("%.3g ms", m/1e6)
	}
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}
