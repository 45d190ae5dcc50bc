package tickback

// OptionNames maps the fields of Config whose options have another name.
var OptionNames = optionNames
