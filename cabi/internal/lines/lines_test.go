package lines

import (
	"errors"
	"log/slog"
	"testing"
	"time"
)

func TestRecordsAreLines(t *testing.T) {
	var q Queue
	log := q.Logger()
	log.Info("started", "match", 1, "players", []int{0, 1}, slog.Group("link", "rtt", time.Second), "", "no name")
	log.With("who", "ada").WithGroup("at").With("x", 2).WithGroup("").Warn("si\nlent", "y", "a\x1b[0m\"b", "empty", "")
	log.Error("lost", "err", errors.New("gone"))
	log.Debug("detail")
	if n := q.Waiting(); n != 4 {
		t.Errorf("%d lines wait", n)
	}
	for _, want := range []Line{
		{slog.LevelInfo, `started match=1 players="[0 1]" link.rtt=1s`},
		{slog.LevelWarn, "si\uFFFDlent who=ada at.x=2 at.y=\"a\uFFFD[0m\\\"b\" at.empty=\"\""},
		{slog.LevelError, "lost err=gone"},
		{slog.LevelDebug, "detail"},
	} {
		if l, ok := q.Take(); !ok || l != want {
			t.Errorf("%v, %+q, want %+q", ok, l.Text, want.Text)
		}
	}
	if l, ok := q.Take(); ok {
		t.Errorf("there is another one: %v", l)
	}
}

func TestLinesThatNobodyTakesAreCounted(t *testing.T) {
	var q Queue
	log := q.Logger()
	for range Most + 3 {
		log.Info("line")
	}
	if q.Waiting() != Most+1 {
		t.Errorf("%d wait", q.Waiting())
	}
	for range Most {
		if l, ok := q.Take(); !ok || l.Text != "line" {
			t.Fatal(l, ok)
		}
	}
	if l, ok := q.Take(); !ok || l.Text != "3 lines are lost, since nobody took them" || l.Level != slog.LevelWarn {
		t.Error(l, ok)
	}
	log.Info("after")
	if l, ok := q.Take(); !ok || l.Text != "after" {
		t.Error(l, ok)
	}
	if _, ok := q.Take(); ok || q.Waiting() != 0 {
		t.Error("there is more")
	}
}
