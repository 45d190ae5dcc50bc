// Package orders is the hand of a player of skirmish: it turns actions with a mouse, keys and fingers into orders.
//
//   - [Hand.Look] handles the devices of a picture: it moves the camera, selects and sends units.
//   - [Hand.Halt], [Hand.Train], [Hand.Group] and the others are the actions of keys and buttons.
//   - [Hand.Orders] returns what a session may send in a tick.
package orders
