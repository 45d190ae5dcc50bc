package theatre_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/play/theatre"
)

// Work continues where it was interrupted, and only while a caller waits for it.
func TestWorkIsDoneInSlices(t *testing.T) {
	n, wrong := 0, errors.New("wrong")
	task := theatre.Begin(func(p *theatre.Pace) error {
		for ; n < 10; n++ {
			if err := p.Yield(); err != nil {
				return err
			}
		}
		return wrong
	})
	if n != 0 {
		t.Fatal("it has begun by itself")
	}
	for i := range 10 {
		if task.Work(0) || n != i {
			t.Fatalf("after %d slices it is at %d", i+1, n)
		}
	}
	if !task.Work(0) || !task.Over() || n != 10 || task.Err() != wrong || !task.Work(0) {
		t.Errorf("%d, over %v, %v", n, task.Over(), task.Err())
	}
	task.Cancel()
	if task.Err() != wrong {
		t.Errorf("after the end it was cancelled: %v", task.Err())
	}
}

func TestWorkIsCancelled(t *testing.T) {
	for _, slices := range []int{0, 3} {
		ended := false
		task := theatre.Begin(func(p *theatre.Pace) error {
			defer func() { ended = true }()
			for {
				if err := p.Yield(); err != nil {
					if again := p.Yield(); again == nil {
						t.Error("it may go on after all")
					}
					return err
				}
			}
		})
		for range slices {
			task.Work(0)
		}
		task.Cancel()
		task.Cancel()
		if !task.Over() || task.Err() == nil || ended != (slices > 0) {
			t.Errorf("after %d slices: over %v, %v, ended %v", slices, task.Over(), task.Err(), ended)
		}
	}
}

// A slice ends when its time is used up.
func TestASliceEnds(t *testing.T) {
	task := theatre.Begin(func(p *theatre.Pace) error {
		for {
			if err := p.Yield(); err != nil {
				return err
			}
		}
	})
	if task.Work(time.Millisecond) {
		t.Error("it is at its end")
	}
	task.Cancel()
}
