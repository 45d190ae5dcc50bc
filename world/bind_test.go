package world_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/world"
)

// Rule: a world contains its parts. Pointers to them, and a world that is a table, are errors that say what to do.
func TestNewNamesPointersToParts(t *testing.T) {
	type soldiers struct {
		world.Table
		Health world.Column[int32]
	}
	type pointed struct {
		*world.Table
		Health world.Column[int32]
	}
	_, err := world.New[struct {
		Good   soldiers
		Units  pointed
		Inner  struct{ Deep pointed }
		Table  *world.Table
		Score  *world.One[int32]
		People *soldiers
	}]()
	var check *canon.CheckError
	if !errors.As(err, &check) {
		t.Fatal(err)
	}
	var got []string
	for _, p := range check.Problems {
		got = append(got, p.Path+": "+p.Kind)
		if p.Remedy == "" {
			t.Errorf("%s has no remedy", p.Path)
		}
	}
	want := []string{
		"Units.Table: a pointer to a table", "Inner.Deep.Table: a pointer to a table",
		"Table: a pointer to a part", "Score: a pointer to a part", "People: a pointer to a part",
	}
	if !slices.Equal(got, want) {
		t.Errorf("it names\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, err := world.New[soldiers](); !errors.As(err, &check) || check.Problems[0].Kind != "a table" {
		t.Errorf("a world that is a table: %v", err)
	}
	if _, err := world.New[struct {
		Units struct {
			soldiers
			Health world.Column[int32]
		}
	}](); !errors.As(err, &check) || check.Problems[0].Path != "Units.Health" {
		t.Errorf("a column beside the struct of a table: %v", err)
	}
}

// Rule: a struct that embeds a part is not a part itself: its other fields are parts, too.
func TestAStructThatEmbedsAPartHasOthers(t *testing.T) {
	type scores struct {
		world.One[int32]
		Best world.One[int64]
	}
	type game struct{ Scores scores }
	w, err := world.New[game]()
	if err != nil {
		t.Fatal(err)
	}
	world.Update(w, func(w *game) { w.Scores.Best.Set(7) })
	s := world.Save(w)
	defer s.Release()
	world.Update(w, func(w *game) {
		w.Scores.Set(3)
		w.Scores.Best.Set(8)
	})
	world.Restore(w, s)
	if w.Scores.Get() != 0 || w.Scores.Best.Get() != 7 {
		t.Errorf("%d and %d", w.Scores.Get(), w.Scores.Best.Get())
	}
}
