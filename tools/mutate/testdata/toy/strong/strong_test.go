package strong

import (
	"errors"
	"testing"
)

func TestSum(t *testing.T) {
	for _, c := range []struct {
		values      []int
		limit, want int
		err         error
	}{
		{nil, 3, 0, nil},
		{[]int{1, 3, 4}, 3, 4, nil},
		{[]int{0, 2, -1}, 3, 0, ErrNegative},
		{[]int{0, 7}, 9, 7, nil},
		{[]int{0}, -1, 0, nil},
	} {
		if got, err := Sum(c.values, c.limit); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%v: %d, %v", c, got, err)
		}
	}
}

func TestSteps(t *testing.T) {
	for n, want := range []int{0, 0, 1, 1, 2, 2, 2, 2, 3} {
		if got := Steps(n); got != want {
			t.Errorf("%d: %d", n, got)
		}
	}
}

func TestCounter(t *testing.T) {
	var c Counter
	c.Add()
	c.Add()
	if c.N() != 2 {
		t.Error(c.N())
	}
}
