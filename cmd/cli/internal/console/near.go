package console

// Nearest returns the name that was most likely meant by word: the one that needs the fewest letters to be inserted,
// left out, changed or swapped, but at most one for every four letters of the word, or else the one that begins with
// the word. It is empty if no name is close enough, or if two are equally close.
func Nearest(word string, names []string) string {
	best, near, equal := max(len([]rune(word))/lettersPerEdit, 1), "", false
	for _, name := range names {
		switch d := edits([]rune(word), []rune(name)); {
		case d > best:
		case d == best && near != "":
			equal = true
		default:
			best, near, equal = d, name, false
		}
	}
	if near != "" && !equal {
		return near
	}
	return completed(word, names)
}

// lettersPerEdit is how many letters a word must have for each wrong one. With three, --kick-at would be suggested for
// --tick-rate.
const lettersPerEdit = 4

// leastPrefix is the minimum length of an abbreviation, in letters.
const leastPrefix = 3

// completed returns the only name that begins with a word.
func completed(word string, names []string) (name string) {
	if len(word) < leastPrefix {
		return ""
	}
	for _, n := range names {
		switch {
		case len(n) < len(word) || n[:len(word)] != word:
		case name != "":
			return ""
		default:
			name = n
		}
	}
	return name
}

// edits returns how many letters have to be inserted, left out, changed, or swapped with their neighbour to turn one
// word into the other (the restricted Damerau-Levenshtein distance).
func edits(a, b []rune) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			rows[i][j] = min(change, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
