package user

import (
	"testing"

	"toy/weak"
)

func TestFour(t *testing.T) {
	if Four() != 4 || weak.Size != 4 {
		t.Error(Four())
	}
}
