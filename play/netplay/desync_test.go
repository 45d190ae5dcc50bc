package netplay_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/netplay"
	"github.com/tickback/tickback/session/desync"
)

// A desync is described by frame and field, as far as they are known.
func TestADesyncIsNamed(t *testing.T) {
	r := &tickback.DesyncReport{State: 812, Fields: []desync.Field{{Path: "Fighters[1].Hp"}}}
	if got := netplay.ExplainDesync(r); !strings.Contains(got, "frame 812") || !strings.Contains(got, "Fighters[1].Hp") {
		t.Error(got)
	}
	if got := netplay.ExplainDesync(nil); !strings.Contains(got, "no report") {
		t.Error(got)
	}
}
