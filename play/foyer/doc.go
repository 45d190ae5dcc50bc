// Package foyer is what all modes with others have in common: explanations of what went wrong and what helps
// ([Trouble]), notices that disappear by themselves, names, and what a page or a desktop supports ([Machine]).
package foyer
