package app

// Fit is what cuts a text to a width.
var Fit = fit
