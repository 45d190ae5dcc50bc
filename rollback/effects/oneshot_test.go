package effects

import "testing"

// Rule 1: an effect that is emitted again where it was is left alone.
func TestAHitThatIsResimulatedPlaysOnce(t *testing.T) {
	play(t, 2).
		next("hit 1").sees("started hit 1 at 0").
		next("").sees().
		again(0, "hit 1", "").next("").sees().
		again(0, "hit 1").sees()
}

func TestAHitWhosePayloadChangesIsUpdated(t *testing.T) {
	play(t, 2).
		next("hit 1 5").sees("started hit 1 at 0 [05]").
		again(0, "hit 1 6").sees("updated hit 1 at 0 [06]").
		again(0, "hit 1 6").sees()
}

// Rule 2.
func TestAHitThatIsShiftedMoves(t *testing.T) {
	play(t, 2).
		next("", "", "hit 1", "").sees("started hit 1 at 2 late 1").
		again(0, "hit 1 9", "", "", "").sees("moved hit 1 from 2 to 0 [09]").
		again(0, "", "hit 1", "", "").sees("moved hit 1 from 0 to 1")
}

func TestAHitMovesToTheNearestAndThenTheEarlier(t *testing.T) {
	play(t, 3).
		next("", "", "", "hit 1", "", "", "").sees("started hit 1 at 3 late 3").
		again(0, "hit 1", "", "hit 1", "", "hit 1").
		sees("moved hit 1 from 3 to 2", "started hit 1 at 0 late 6", "started hit 1 at 4 late 2")
}

func TestAHitDoesNotMoveBeyondTheTolerance(t *testing.T) {
	play(t, 2).
		next("hit 1", "", "", "").sees("started hit 1 at 0 late 3").
		again(0, "", "", "", "hit 1").sees("cancelled hit 1 at 0", "started hit 1 at 3")
}

func TestAVolleyThatIsShiftedIsNotRestarted(t *testing.T) {
	play(t, 4).
		next("hit 1", "hit 1", "hit 1", "").
		sees("started hit 1 at 0 late 3", "started hit 1 at 1 late 2", "started hit 1 at 2 late 1").
		again(0, "", "hit 1", "hit 1", "hit 1").sees("moved hit 1 from 0 to 3")
}

// Earlier orphans choose first.
func TestOrphansChooseByFrame(t *testing.T) {
	play(t, 2).
		next("hit 1", "hit 1", "", "", "").sees("started hit 1 at 0 late 4", "started hit 1 at 1 late 3").
		again(0, "", "", "hit 1").sees("moved hit 1 from 0 to 2", "cancelled hit 1 at 1")
}

func TestAnEffectWithAnotherKeyIsAnother(t *testing.T) {
	play(t, -1).
		next("hit 1").sees("started hit 1 at 0").
		again(0, "hit 2").sees("cancelled hit 1 at 0", "started hit 2 at 0")
}

// Rule 3.
func TestAnOrphanWaitsForNewFrames(t *testing.T) {
	play(t, 2).
		next("hit 1").sees("started hit 1 at 0").
		again(0, "").next("").sees().
		next("hit 1").sees("moved hit 1 from 0 to 2")
}

func TestAnOrphanIsCancelledWhenNothingCanMatchAnyMore(t *testing.T) {
	play(t, 2).
		next("hit 1").sees("started hit 1 at 0").
		again(0, "").next("").sees().
		next("").sees("cancelled hit 1 at 0").
		next("hit 1").sees("started hit 1 at 3")
}

func TestAnOrphanThatReappearsWasNeverGone(t *testing.T) {
	play(t, 4).
		next("hit 1", "hit 2").sees("started hit 1 at 0 late 1", "started hit 2 at 1").
		again(0, "", "").sees().
		again(0, "hit 1", "hit 2 7").sees("updated hit 2 at 1 [07]")
}

// The return of an occurrence counts before the orphans look for a match.
func TestAnOrphanThatReappearsIsNotTakenByAnother(t *testing.T) {
	play(t, 4).
		next("hit 1", "hit 1").sees("started hit 1 at 0 late 1", "started hit 1 at 1").
		again(0, "", "").sees().
		again(0, "", "hit 1").sees().
		next("", "", "").sees("cancelled hit 1 at 0")
}

func TestAnOrphanWaitsBeyondItsFramesBeingFinal(t *testing.T) {
	play(t, 3).
		next("", "hit 1").sees("started hit 1 at 1").
		again(1, "").know(2, 2).sees().
		next("hit 1").sees("moved hit 1 from 1 to 2").
		know(3, 3).sees("confirmed hit 1 at 2")
}

func TestFramesThatAreNotBegunAgainKeepTheirEffects(t *testing.T) {
	play(t, -1).
		next("hit 1", "hit 2", "hit 3").
		sees("started hit 1 at 0 late 2", "started hit 2 at 1 late 1", "started hit 3 at 2").
		again(0, "", "hit 2").next("").sees("cancelled hit 1 at 0")
}

func TestTwoRollbacksInATickCountAsOne(t *testing.T) {
	play(t, 2).
		next("hit 1", "").sees("started hit 1 at 0 late 1").
		again(0, "hit 2", "hit 3").again(0, "hit 1", "").sees().
		again(1, "hit 1").again(0, "").sees("moved hit 1 from 0 to 1")
}

// Rule 5.
func TestAHitIsConfirmedOnceAndLast(t *testing.T) {
	play(t, 2).
		next("hit 1", "hit 2").know(9, 1).
		sees("started hit 1 at 0 late 1", "started hit 2 at 1", "confirmed hit 1 at 0").
		know(9, 9).sees("confirmed hit 2 at 1").
		sees().
		next("hit 3").sees("started hit 3 at 2", "confirmed hit 3 at 2")
}

func TestACorrectionAndTheConfirmationInOneTick(t *testing.T) {
	play(t, 2).
		next("hit 1", "", "hit 2").sees("started hit 1 at 0 late 2", "started hit 2 at 2").
		again(0, "", "hit 1 4", "hit 2 5").know(3, 3).
		sees("moved hit 1 from 0 to 1 [04]", "updated hit 2 at 2 [05]", "confirmed hit 1 at 1 [04]", "confirmed hit 2 at 2 [05]")
}

func TestASecondEmissionInAFrameReplacesThePayloadInPlace(t *testing.T) {
	play(t, 2).next("hit 1 1, hit 2, hit 1 8").sees("started hit 1 at 0 [08]", "started hit 2 at 0")
}

func TestAnOnlyConfirmedJingleIsNeverTakenBack(t *testing.T) {
	play(t, 2).
		next("ko 1", "").sees().
		again(0, "", "ko 1 3").sees().
		know(1, 1).sees().
		next("").know(2, 2).sees("started ko 1 at 1 late 1 [03]", "confirmed ko 1 at 1 [03]").
		know(3, 3).sees()
}
