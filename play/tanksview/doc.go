// Package tanksview shows the tanks: the field with its walls, up to 16 tanks with names, their shots and
// wrecks, a map, the scores, and what is left until the next life. Like the other views it is no part of the
// state, and decides nothing.
//
// The own tank is shown where the machine predicts it, so that it obeys at once; a correction is followed
// smoothly. All others are shown where they are known to have been a moment ago, so that they do not jump:
// between View.Before and View.After of a session. What an effect looks like waits for that moment, unless it
// is about the own tank.
//
// One unit is one unit of the rules; Y grows down, and the origin is in the middle.
package tanksview
