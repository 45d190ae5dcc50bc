package serve

import "net/http"

// counter is a response that records its status and length.
type counter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader records the status.
func (c *counter) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (c *counter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

// Unwrap lets WebSockets take the connection over.
func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }
