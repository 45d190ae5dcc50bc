// Package tanksview shows the tanks: the field with its walls, up to 16 tanks with names, their shots and wrecks, a
// map, the scores, and the time until the next life. Like the other views it is not part of the state, and has no
// influence on the game.
//
// The player's own tank is shown where the machine predicts it, so that it reacts immediately; corrections are
// applied smoothly. All others are shown where they are known to have been a moment ago, so that they do not jump:
// between View.Before and View.After of a session. Effects are shown at that moment as well, unless they are about
// the player's own tank.
//
// One unit is one unit of the rules; Y grows down, and the origin is in the middle.
package tanksview
