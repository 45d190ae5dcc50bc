package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"text/template"
)

// Worker is the file that keeps the page for when there is no network. It must be beside the index.
const Worker = "worker.js"

// index is what the index is filled with: the names of the assets, and the bytes of the program.
type index struct {
	Exec, Loader, Wasm string
	Size               int
}

// worker is what the worker is filled with: what it keeps, and a name for that, which changes with any of
// it.
type worker struct {
	Version string
	Files   string // a list in JSON
}

// workerOf keeps the index, the assets, and what the page loads beside them.
func workerOf(x index, page []byte, beside []File) worker {
	hash := sha256.New()
	hash.Write(page)
	files := []string{"./", x.Exec, x.Loader, x.Wasm}
	for _, f := range beside {
		if f.Loaded {
			files = append(files, f.Name)
			hash.Write(f.Data)
		}
	}
	list, err := json.Marshal(files)
	if err != nil {
		panic(err) // strings can be written
	}
	return worker{fmt.Sprintf("%x", hash.Sum(nil)[:6]), string(list)}
}

// filled returns a template with its places filled by a value. What fills them is made here, and needs no escaping.
func filled(source []byte, by any) ([]byte, error) {
	t, err := template.New("").Parse(string(source))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, by)
	return b.Bytes(), err
}
