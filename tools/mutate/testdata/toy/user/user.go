// Package user uses package weak.
package user

import "toy/weak"

// Four is four.
func Four() int { return weak.Double(2) }
