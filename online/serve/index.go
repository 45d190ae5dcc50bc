package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"html"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
)

// Placeholder is replaced in the file index.html by the address of the page as the browser sees it, with a slash at
// the end: for links that must be absolute, such as those of a preview picture.
const Placeholder = "%PAGE%"

// maxIndex is the largest index in which placeholders are replaced, in bytes.
const maxIndex = 1 << 20

// index sends the index with its placeholders replaced. It reports whether it did: a page without any is served like
// other files.
func (f *files) index(w http.ResponseWriter, r *http.Request, info fs.FileInfo) bool {
	if info.Size() > maxIndex {
		return false
	}
	page, err := fs.ReadFile(f.fs, indexName)
	if err != nil || !bytes.Contains(page, []byte(Placeholder)) {
		return false // the caller sends the file, and reports the error
	}
	page = bytes.ReplaceAll(page, []byte(Placeholder), []byte(html.EscapeString(f.address(r))))
	sum := sha256.Sum256(page)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	h := w.Header()
	h.Set("Content-Type", typeOf(indexName))
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", tag)
	if matches(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	h.Set("Content-Length", strconv.Itoa(len(page)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(page) // an error means that the browser has gone
	}
	return true
}

// address returns the address that the browser used for the page, according to a request.
func (f *files) address(r *http.Request) string {
	u := url.URL{Scheme: "http", Host: r.Host, Path: "/"}
	if r.TLS != nil || f.proxied && r.Header.Get("X-Forwarded-Proto") != "http" {
		u.Scheme = "https"
	}
	return u.String()
}
