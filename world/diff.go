package world

import (
	"strconv"
	"strings"

	"github.com/tickback/tickback/canon"
)

// Diff lists up to most fields in which two snapshots differ, and counts all of them. Both must be of the same type of
// world, but not necessarily of the same world. Pages that they share are skipped.
//
//	Units#4113.Health: 100 != 99
//	Units#12: alive != dead
//	Walls[3,17]: 0 != 1
//	Scores[7]: 3 != (missing)
//
// A number after # is a row of a table.
func Diff(a, b *Snapshot, most int) canon.Report {
	r := reporter{most: most}
	r.worlds(&a.store, &b.store)
	return r.report
}

// reporter collects differences.
type reporter struct {
	most   int
	report canon.Report
	merged paged // the map that has already been compared, as a whole
}

func (r *reporter) worlds(a, b *store) {
	if a.name != b.name {
		r.add("(world)", a.name, b.name)
		return
	}
	for i, p := range a.parts {
		q := b.parts[i]
		r.head(p, q)
		for k := range max(p.count(), q.count()) {
			if !p.samePage(k, q) {
				p.differ(r, k, q)
			}
		}
	}
}

// head compares the sizes of grids. The sizes of other parts show in their content.
func (r *reporter) head(p, q paged) {
	a, n := p.head()
	if b, _ := q.head(); n == 2 && a != b {
		r.add(p.pathOf()+" size", sizeText(a), sizeText(b))
	}
}

func sizeText(h heading) string {
	return strconv.FormatUint(h[0], 10) + "x" + strconv.FormatUint(h[1], 10)
}

func (r *reporter) add(path, a, b string) {
	r.report.Total++
	if len(r.report.Differences) < r.most {
		r.report.Differences = append(r.report.Differences, canon.Difference{Path: path, A: a, B: b})
	}
}

// addValues adds the differences of two values at a path.
func addValues[T any](r *reporter, plan *canon.Plan[T], path string, a, b *T) {
	if plan.Equal(a, b) {
		return
	}
	d := plan.Diff(a, b, max(r.most-len(r.report.Differences), 0))
	for _, x := range d.Differences {
		x.Path = join(path, x.Path)
		r.report.Differences = append(r.report.Differences, x)
	}
	r.report.Total += d.Total
}

// join appends the path of a part of a value to the path of the value.
func join(path, inner string) string {
	if inner == "" || inner[0] == '[' {
		return path + inner
	}
	return path + "." + inner
}

func rowPath(table string, row int) string { return table + "#" + strconv.Itoa(row) }

func (t *Table) differ(r *reporter, i int, other paged) {
	a, b := t.pageOr(i).content, other.(*Table).pageOr(i).content
	for row := range Rows {
		path := rowPath(t.path, i*Rows+row)
		switch x, y := a.Live.has(row), b.Live.has(row); {
		case x != y:
			r.add(path, lifeText(x), lifeText(y))
		case a.Generations[row] != b.Generations[row]:
			r.add(path+" generation", strconv.FormatUint(uint64(a.Generations[row]), 10), strconv.FormatUint(uint64(b.Generations[row]), 10))
		}
	}
}

func lifeText(alive bool) string {
	if alive {
		return "alive"
	}
	return "dead"
}

// name returns the path of a value in a row.
func (c *rowColumn[T]) name(path string, row int) string {
	return rowPath(c.table.path, row) + strings.TrimPrefix(path, c.table.path)
}

func (c *Column[T]) differ(r *reporter, i int, other paged) {
	a, b := c.pageOr(i).content, other.(*Column[T]).pageOr(i).content
	for row := range Rows {
		if !c.row.Equal(&a[row], &b[row]) {
			addValues(r, c.row, c.name(c.path, i*Rows+row), &a[row], &b[row])
		}
	}
}

func (c *Optional[T]) differ(r *reporter, i int, other paged) {
	a, b := c.pageOr(i).content, other.(*Optional[T]).pageOr(i).content
	for row := range Rows {
		x, y := a.Present.has(row), b.Present.has(row)
		if x != y {
			r.add(c.name(c.path, i*Rows+row), c.presence(x, &a.Rows[row]), c.presence(y, &b.Rows[row]))
		} else if !c.row.Equal(&a.Rows[row], &b.Rows[row]) {
			addValues(r, c.row, c.name(c.path, i*Rows+row), &a.Rows[row], &b.Rows[row])
		}
	}
}

// missing is the text for something that one side does not have.
const missing = "(missing)"

// presence returns the text of a component that may be absent.
func (c *Optional[T]) presence(is bool, v *T) string {
	if !is {
		return missing
	}
	return valueText(c.row, v)
}

// valueText returns the text of a value on one line.
func valueText[T any](plan *canon.Plan[T], v *T) string {
	if plan.Size() == 0 {
		return "there"
	}
	text := strings.TrimSuffix(string(plan.AppendText(nil, v)), "\n")
	return strings.ReplaceAll(strings.TrimPrefix(text, "(value): "), "\n", ", ")
}

func (o *One[T]) differ(r *reporter, i int, other paged) {
	addValues(r, o.plan, o.path, o.pageOr(i).content, other.(*One[T]).pageOr(i).content)
}

func (g *Grid[T]) differ(r *reporter, i int, other paged) {
	f := other.(*Grid[T])
	if g.width != f.width || g.height != f.height {
		return // the cells of a page have different places
	}
	a, b := g.pageOr(i).content, f.pageOr(i).content
	for cell := range Rows {
		if g.cell.Equal(&a[cell], &b[cell]) {
			continue
		}
		x, y := g.place(i, cell)
		addValues(r, g.cell, cellPath(g.path, x, y), &a[cell], &b[cell])
	}
}

func cellPath(grid string, x, y int) string {
	return grid + "[" + strconv.Itoa(x) + "," + strconv.Itoa(y) + "]"
}

// differ compares the whole map by keys when its first differing page is found.
func (m *Map[K, V]) differ(r *reporter, _ int, other paged) {
	if r.merged == paged(m) {
		return
	}
	r.merged = m
	f := other.(interface{ sorted() *Map[K, V] }).sorted()
	for i, j := 0, 0; i < m.length || j < f.length; {
		switch {
		case j == f.length || i < m.length && m.key(i) < f.key(j):
			r.add(m.placeOf(m.key(i)), valueText(m.value, m.at(i)), missing)
			i++
		case i == m.length || f.key(j) < m.key(i):
			r.add(m.placeOf(f.key(j)), missing, valueText(m.value, f.at(j)))
			j++
		default:
			addValues(r, m.value, m.placeOf(m.key(i)), m.at(i), f.at(j))
			i, j = i+1, j+1
		}
	}
}

func (m *Map[K, V]) at(place int) *V { return &m.list[place/Rows].content.Values[place%Rows] }

// placeOf returns the path of a key's value.
func (m *Map[K, V]) placeOf(k K) string { return m.path + "[" + keyText(k) + "]" }

func keyText[K Key](k K) string {
	if k < 0 {
		return strconv.FormatInt(int64(k), 10)
	}
	return strconv.FormatUint(uint64(k), 10)
}
