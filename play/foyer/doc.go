// Package foyer is what all modes with others have in common: what went wrong and what helps in words
// ([Trouble]), notices that go by themselves, names, and what a page or a desktop can do ([Machine]).
package foyer
