//go:build !js

package rooms

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"

	"github.com/coder/websocket"
)

// socket is a WebSocket for texts.
type socket interface {
	read(ctx context.Context) ([]byte, error)
	write(ctx context.Context, b []byte) error
	close()
}

type nativeSocket struct{ conn *websocket.Conn }

// dial opens a WebSocket.
func dial(ctx context.Context, url string) (socket, error) {
	conn, answer, err := websocket.Dial(ctx, url, &websocket.DialOptions{
		Subprotocols: []string{Subprotocol}, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, dialError(answer, err)
	}
	conn.SetReadLimit(maxPush)
	return nativeSocket{conn}, nil
}

// dialError returns the reason that the server gave for refusing a WebSocket.
func dialError(answer *http.Response, err error) error {
	if answer == nil || answer.StatusCode == http.StatusSwitchingProtocols {
		return unreachable(cause(err))
	}
	var words []byte
	if answer.Body != nil {
		words, _ = io.ReadAll(io.LimitReader(answer.Body, maxText))
	}
	switch answer.StatusCode {
	case http.StatusTooManyRequests:
		return &Error{ErrRate, clip(string(words), maxText)}
	case http.StatusServiceUnavailable:
		return &Error{ErrServerFull, clip(string(words), maxText)}
	}
	return unreachable(fmt.Errorf("what answers there is no room server (%s)", answer.Status))
}

func (s nativeSocket) read(ctx context.Context) ([]byte, error) {
	_, b, err := s.conn.Read(ctx)
	return b, cause(err)
}

func (s nativeSocket) write(ctx context.Context, b []byte) error {
	return cause(s.conn.Write(ctx, websocket.MessageText, b))
}

// cause returns what has gone wrong without the words of the layers between, which help nobody who plays.
func cause(err error) error {
	var closed websocket.CloseError
	var network *net.OpError
	var request *url.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("it does not answer in time")
	case errors.As(err, &closed) && closed.Reason != "":
		return fmt.Errorf("it has closed the connection: %s", closed.Reason)
	case errors.As(err, &closed), errors.Is(err, io.EOF):
		return errors.New("it has closed the connection")
	case errors.As(err, &network):
		return network
	case errors.As(err, &request):
		return request.Err
	}
	return err
}

func (s nativeSocket) close() { _ = s.conn.CloseNow() }
