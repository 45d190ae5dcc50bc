package live

import (
	"errors"
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
	"github.com/tickback/tickback/session/admission"
)

// ExplainHosts describes why no host could be reached. one is the text for a single host, and all that for several.
func ExplainHosts(t *secure.Troubles, none *tickback.HostsError, one, all string) error {
	list := make([]error, 0, len(none.Hosts))
	for i, h := range none.Hosts {
		list = append(list, fmt.Errorf("%v: %w", h, t.With(explainHost(none.Why[i]), h)))
	}
	if len(list) == 1 {
		return fmt.Errorf("%s %w", one, list[0])
	}
	for _, e := range list {
		all += "; " + e.Error()
	}
	return errors.New(all)
}

func explainHost(err error) error {
	var differs *tickback.MismatchError
	if !errors.As(err, &differs) {
		return err
	}
	switch differs.Item {
	case admission.ItemGame:
		return fmt.Errorf("it plays another game: here %s, there %s (see --game)", differs.Ours, differs.Theirs)
	case admission.ItemBuild:
		return fmt.Errorf("it has another build of the game: here %s, there %s", differs.Ours, differs.Theirs)
	}
	return fmt.Errorf("the %s differs: here %s, there %s", differs.Item, differs.Ours, differs.Theirs)
}
