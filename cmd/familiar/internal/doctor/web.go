package doctor

import (
	"context"
	"errors"
	"fmt"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/web/search"
)

// searchProbe is a query that every engine has results for.
const searchProbe = "encyclopedia"

// checkSearch searches once with an engine that the operator set up. The default one is not asked: it answers a few
// searches only, and nobody may be using it.
func checkSearch(ctx context.Context, inv *cli.Invocation) ([]Finding, error) {
	engine, err := app.NewSearch(inv.Loaded)
	if err != nil {
		return nil, err
	}
	if inv.Loaded.Web.Search.Engine == config.DuckDuckGo {
		return []Finding{{"search", stateOK, engine.Name() + ", without a key; not asked", ""}}, nil
	}
	found, err := engine.Search(ctx, searchProbe, 1)
	if err != nil {
		return []Finding{searchFault(err)}, nil //nolint:nilerr // the fault is what was found
	}
	if len(found) == 0 {
		return []Finding{{"search", stateWarning, fmt.Sprintf("%s answers, but finds nothing for %q", engine.Name(), searchProbe), "check which engines it asks"}}, nil
	}
	return []Finding{{"search", stateOK, engine.Name() + " answers", ""}}, nil
}

// searchFault says what a failed search means.
func searchFault(err error) Finding {
	switch {
	case errors.Is(err, search.ErrKey):
		return Finding{"search", stateProblem, err.Error(), "write a valid key where web.search.key refers to"}
	case errors.Is(err, search.ErrBusy):
		return Finding{"search", stateWarning, err.Error(), ""}
	}
	return Finding{"search", stateProblem, err.Error(), "check web.search, and that the engine is reached from here"}
}
