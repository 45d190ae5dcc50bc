package effects

import "testing"

// Rules 1 and 3.
func TestAHumPlaysAsLongAsItIsEmitted(t *testing.T) {
	play(t, 2).
		next("hum 1").sees("started hum 1 at 0").
		next("hum 1").sees().
		next("hum 1 5").sees("updated hum 1 at 0 [05]").
		again(1, "hum 1", "hum 1 5").next("hum 1 5").sees()
}

func TestAHumThatIsNoticedLateBeganWithItsRun(t *testing.T) {
	play(t, 2).next("hum 1", "", "hum 1", "hum 1").sees("started hum 1 at 2 late 1")
}

// Rule 2.
func TestTheBeginningOfAHumIsCorrected(t *testing.T) {
	play(t, 2).
		next("", "hum 1", "hum 1").sees("started hum 1 at 1 late 1").
		again(0, "hum 1").sees("moved hum 1 from 1 to 0").
		again(0, "", "", "hum 1 4").sees("moved hum 1 from 0 to 2 [04]")
}

func TestAHumIsNotCutByAPauseThatACorrectionMakes(t *testing.T) {
	play(t, -1).
		next("hum 1", "hum 1", "hum 1").sees("started hum 1 at 0 late 2").
		again(1, "").sees().
		know(1, 1).sees("confirmed hum 1 at 0").
		again(1, "", "hum 1").next("hum 1").sees()
}

func TestAHumThatReallyBeginsMuchLaterMovesInsteadOfRestarting(t *testing.T) {
	play(t, 1).
		next("hum 1", "hum 1", "hum 1", "hum 1", "hum 1").sees("started hum 1 at 0 late 4").
		again(0, "", "", "", "", "hum 1").sees("moved hum 1 from 0 to 4")
}

func TestAShiftedBeginningIsTheFirstWithinTheTolerance(t *testing.T) {
	play(t, 3).
		next("hum 1", "hum 1", "hum 1", "hum 1", "hum 1").sees("started hum 1 at 0 late 4").
		again(0, "", "", "hum 1", "", "hum 1").sees("moved hum 1 from 0 to 2")
}

// Rule 4.
func TestAHumGoesOnWhileItsSilenceMayBeAPrediction(t *testing.T) {
	play(t, 2).
		next("hum 1").sees("started hum 1 at 0").
		next("").sees().
		next("").sees().
		next("hum 1").sees().
		next("", "").sees().
		next("").sees("ended hum 1 at 4 since 0")
}

func TestAHumEndsAtOnceWhenAllInputsAreKnown(t *testing.T) {
	play(t, 4).
		next("hum 1", "hum 1").know(2, 0).sees("started hum 1 at 0 late 1").
		next("").know(3, 0).sees("ended hum 1 at 2 since 0").
		next("hum 1").know(4, 0).sees("started hum 1 at 3")
}

// Rule 5.
func TestAHumThatNeverWasIsCancelled(t *testing.T) {
	play(t, 2).
		next("", "hum 1").sees("started hum 1 at 1").
		again(1, "").next("").sees().
		next("").sees("cancelled hum 1 at 1")
}

func TestAHumThatWasShiftedWhilePausingHasEnded(t *testing.T) {
	play(t, 2).
		next("hum 1").sees("started hum 1 at 0").
		again(0, "").next("").sees().
		again(1, "hum 1").next("").sees("moved hum 1 from 0 to 1").
		know(3, 2).sees("ended hum 1 at 2 since 1")
}

// Rule 6.
func TestAConfirmedHumIsNeverCancelled(t *testing.T) {
	play(t, 1).
		next("hum 1", "hum 1").know(1, 1).sees("started hum 1 at 0 late 1", "confirmed hum 1 at 0").
		again(1, "").next("").sees("ended hum 1 at 1 since 0").
		know(3, 3).sees()
}

func TestALongHumRemembersItsBeginning(t *testing.T) {
	s := play(t, 2).next("hum 1").sees("started hum 1 at 0").know(1, 1).sees("confirmed hum 1 at 0")
	for f := Frame(1); f < 5000; f++ {
		s.next("hum 1").know(f, f).sees()
	}
	s.next("", "", "").sees("ended hum 1 at 5000 since 0")
	s.again(5000, "hum 1", "hum 1", "hum 1").sees("started hum 1 at 0 late 5002", "confirmed hum 1 at 0")
}

func TestABlipBetweenTwoFlushesIsNotReported(t *testing.T) {
	play(t, 2).next("hum 1", "").sees().know(9, 9).sees()
}

func TestAnOnlyConfirmedGlowFollowsTheFinalFrames(t *testing.T) {
	play(t, 2).
		next("glow 1").sees().
		again(0, "", "glow 1", "glow 1 3", "").sees().
		know(1, 1).sees().
		know(2, 2).sees("started glow 1 at 1 late 2", "confirmed glow 1 at 1").
		know(3, 3).sees("updated glow 1 at 1 [03]").
		know(4, 4).sees("ended glow 1 at 3 since 1 [03]")
}
