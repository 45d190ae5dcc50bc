package app

// Fit is the function that shortens a text to a width.
var Fit = fit
