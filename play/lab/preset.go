package lab

import (
	"time"

	"github.com/tickback/tickback/play/words"
)

// Preset is a setup that shows one thing.
type Preset struct {
	Name     string
	Settings Settings
	// Shows says what to look at, in one or two sentences.
	Shows string
	// Compare says that lockstep should be shown beside it.
	Compare bool
}

// Tour has the presets in the order in which they explain rollback.
var Tour = []Preset{
	{words.K("1. A local network"), Settings{Delay: time.Millisecond, InputDelay: 1}, words.K("Inputs arrive within the frame of input delay. Nothing is predicted, so nothing is ever wrong."), false},
	{words.K("2. 100 ms"), Settings{Delay: 50 * time.Millisecond}, words.K("A round trip of 100 ms: each peer predicts 3 frames. What was wrong is simulated again: look for the ghosts."), false},
	{words.K("3. Jitter"), Settings{Delay: 50 * time.Millisecond, Jitter: 25 * time.Millisecond}, words.K("The same, but each datagram takes 25 ms longer on average. Rollbacks differ in depth, and the game stays even."), false},
	{words.K("4. Bursts of losses"), Settings{Delay: 40 * time.Millisecond, Loss: 15, Bursts: true}, words.K("Losses come in a row. Each datagram repeats what may be missing, so that one mends the gap. Rollbacks become deep."), false},
	{words.K("5. Unequal ways"), Settings{Delay: 20 * time.Millisecond, Back: 100 * time.Millisecond}, words.K("From peer 2 to peer 1 it takes 120 ms, the other way 20 ms. The peers share the cost, so that both roll back."), false},
	{words.K("6. Input delay"), Settings{Delay: 50 * time.Millisecond, InputDelay: 4}, words.K("Four frames of input delay cover the 50 ms: no rollback is left, but every key works 67 ms later."), false},
	{words.K("7. Lockstep beside it"), Settings{Delay: 75 * time.Millisecond, Jitter: 15 * time.Millisecond, InputDelay: 1}, words.K("The same inputs and network: rollback at the left, and at the right lockstep, which stalls for each input that is late."), true},
}
