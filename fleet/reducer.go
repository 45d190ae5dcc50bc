package fleet

// Reducer looks for a smaller plan that still fails, for any kind of plan: it changes the best one so far, and keeps
// changes that still fail. [Shrink] uses one for the plans of this package.
type Reducer[P any] struct {
	// Best is the smallest plan so far; at first it is the one that has failed.
	Best P
	// Left is the maximum number of plans still to be played.
	Left int
	// Clone returns a copy that shares nothing.
	Clone func(p *P) P
	// Equal reports whether two plans are the same.
	Equal func(p, o *P) bool
	// Fails plays a valid plan, and reports whether it fails in the same way.
	Fails func(p P) bool
	// Valid returns an error for a plan that cannot be played.
	Valid func(p *P) error
}

// Try changes a copy of the plan, and keeps the copy if it still fails.
func (r *Reducer[P]) Try(change func(p *P)) bool {
	p := r.Clone(&r.Best)
	change(&p)
	if r.Left <= 0 || r.Equal(&p, &r.Best) || r.Valid(&p) != nil {
		return false
	}
	r.Left--
	if !r.Fails(p) {
		return false
	}
	r.Best = p
	return true
}

// Remove removes elements of a list of the plan: all, halves, quarters, ... and then one by one.
func (r *Reducer[P]) Remove(count func(p *P) int, remove func(p *P, from, end int)) {
	for size := count(&r.Best); size > 0; size /= 2 {
		for from := 0; from < count(&r.Best); {
			end := min(from+size, count(&r.Best))
			if !r.Try(func(p *P) { remove(p, from, end) }) {
				from = end
			}
		}
	}
}

// Repeat changes the plan repeatedly, as long as it still fails and each change makes a difference.
func (r *Reducer[P]) Repeat(change func(p *P)) {
	for r.Try(change) {
	}
}
