//go:build !js

package browsertest

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// The parts of a page that assistive technology gets are returned, without those that it ignores, and
// can be pressed.
func TestWhatIsHeardOfAPage(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte(`<!doctype html><html lang=en><link rel=icon href=data:,><title>A page</title><button onclick="this.textContent = 'Pressed'">Press me</button>
<input aria-label=Volume type=range value=30><p aria-hidden=true>nothing</p>`))
	}))
	t.Cleanup(server.Close)
	p := Shared(t).Open(t, server.URL)
	p.Press(p.Hear("button", "Press me"))
	p.Hear("button", "Pressed")
	if h := p.Hear("slider", "Volume"); h.Value != "30" || h.Focused {
		t.Errorf("%v", h)
	} else {
		p.Focus(h)
	}
	p.HearThat("the slider with the focus", func(h Heard) bool { return h.Role == "slider" && h.Focused })
	for _, h := range p.Tree() {
		if h.Name == "nothing" {
			t.Errorf("what is hidden is heard: %v", h)
		}
	}
}
