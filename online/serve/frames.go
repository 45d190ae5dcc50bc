package serve

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
)

const ancestors = "frame-ancestors"

// policy returns the Content-Security-Policy, including which pages may show the page in a frame.
func (c *Config) policy() (string, error) {
	policy := cmp.Or(c.Policy, DefaultPolicy)
	if strings.Contains(policy, ancestors) {
		if len(c.Frames) > 0 {
			return "", fmt.Errorf("serve: Policy has %s of its own, so Frames cannot be given", ancestors)
		}
		return policy, nil
	}
	allowed := "'none'"
	if len(c.Frames) > 0 {
		allowed = strings.Join(c.Frames, " ")
	}
	for _, origin := range c.Frames {
		if err := checkFrame(origin); err != nil {
			return "", err
		}
	}
	return policy + "; " + ancestors + " " + allowed, nil
}

// checkFrame returns an error for a text that is not an origin: in a policy it would mean something else, or nothing.
func checkFrame(origin string) error {
	if origin == "*" {
		return nil
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || origin != u.Scheme+"://"+u.Host || strings.ContainsAny(u.Host, " ;,'\"@") {
		return fmt.Errorf("serve: %q cannot show the page in a frame: it must be an origin, such as https://slides.example.org, or *", origin)
	}
	return nil
}
