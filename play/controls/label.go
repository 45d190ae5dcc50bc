package controls

import (
	"strings"
	"unicode"

	"github.com/tickback/tickback/play/words"
)

// labels are the names of keys without a symbol of their own. Arrows and letters are not among them.
var labels = map[Key]string{
	"Space": words.K("Space"), "Enter": "Enter", "NumpadEnter": words.K("Numpad Enter"), "Tab": "Tab", "Escape": "Esc",
	"ShiftLeft": words.K("Left Shift"), "ShiftRight": words.K("Right Shift"),
	"ControlLeft": words.K("Left Ctrl"), "ControlRight": words.K("Right Ctrl"),
	"AltLeft": "Alt", "AltRight": "AltGr", "Backspace": words.K("Backspace"), "CapsLock": words.K("Caps Lock"),
	"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓",
}

// signs are the symbols on a US keyboard of keys whose names are words.
var signs = map[Key]string{
	"Period": ".", "Comma": ",", "Slash": "/", "Backslash": `\`, "Semicolon": ";", "Quote": "'", "Minus": "-", "Equal": "=",
	"BracketLeft": "[", "BracketRight": "]", "Backquote": "`",
}

// Label returns the label of a key for people, in the current language. named returns its label in the layout of the
// keyboard, or "" if that is unknown; then, or if named is nil, the US layout is assumed.
func (k Key) Label(named func(Key) string) string {
	if label, ok := labels[k]; ok {
		return words.T(label)
	}
	if named != nil {
		if own := strings.TrimSpace(named(k)); own != "" && !strings.ContainsFunc(own, unicode.IsControl) {
			return strings.ToUpper(own)
		}
	}
	if sign, ok := signs[k]; ok {
		return sign
	}
	name := string(k)
	for _, prefix := range []string{"Key", "Digit"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return strings.Replace(name, "Numpad", "Num ", 1)
}
