// Package weak is hardly tested: its user finds something.
package weak

// Size is how many there are.
const Size = 4

// Double doubles, up to a limit that no test knows.
func Double(n int) int {
	if n > 1000 {
		return 1000
	}
	return n * 2
}

// Find looks for a value; a label keeps it from being woven.
func Find(rows [][]int, value int) bool {
search:
	for _, row := range rows {
		for _, v := range row {
			if v == value {
				return true
			}
			if v > value {
				continue search
			}
		}
	}
	return false
}
