package scaffold

import "fmt"

// READMEs returns the README of each form, by the form.
func READMEs() (map[string]string, error) {
	texts := map[string]string{}
	for _, f := range forms {
		files, err := f.files()
		if err != nil {
			return nil, err
		}
		texts[fmt.Sprintf("new potato %q", f.flags())] = files["README.md"]
	}
	return texts, nil
}
