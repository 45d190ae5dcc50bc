// Package orders is the hand of a player of skirmish: it turns what is done with a mouse, keys and
// fingers into orders.
//
//   - [Hand.Look] takes the devices of a picture: it moves the camera, selects and sends units.
//   - [Hand.Halt], [Hand.Train], [Hand.Group] and the others are what keys and buttons do.
//   - [Hand.Orders] gives what a session may send in a tick.
package orders
