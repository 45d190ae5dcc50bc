// Package short has a type with the name of another package, and in both is something with the same name.
package short

import other "github.com/tickback/tickback/detlint/testdata/adopt/short/table"

type table struct{ n int }

// Turn turns the table.
func (t *table) Turn() { t.n = other.Turn(t.n) }

// Only is nowhere else.
func (t *table) Only() { t.n++ }

// Tables turns one.
func Tables() {
	t := &table{}
	t.Turn()
	t.Only()
}
