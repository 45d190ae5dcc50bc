package app_test

import (
	"testing"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
)

// Rule: a key press takes effect in the next picture, wherever between two frames it occurs: no input is delayed by a
// picture.
func TestAKeyIsSeenInTheNextPictures(t *testing.T) {
	c := start(t, app.Options{Mode: "versus"}).pictures(250)
	for i, key := range []controls.Key{"KeyD", "KeyA", "KeyD", "KeyA", "KeyD", "KeyA"} {
		c.pictures(40 + i)
		from := c.Status().Drawn[0]
		c.d.Keys = append(c.d.Keys[:0], key)
		n := 0
		for ; n < 10 && c.Status().Drawn[0] == from; n++ {
			c.pictures(1)
		}
		if n > 2 {
			t.Errorf("key %d was seen after %d pictures", i, n)
		}
		c.pictures(10).hold()
	}
}
