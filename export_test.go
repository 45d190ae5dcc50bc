package tickback

// OptionNames are the fields that have another name in the options.
var OptionNames = optionNames
