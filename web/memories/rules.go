package memories

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/web/layout"
)

// rulesView is what the page of the rules shows.
type rulesView struct {
	persona string
	rules   []model.Rule
	// draft is a rule to be tried, problem what is wrong with it, plan what would be moved if it was added.
	draft, problem string
	plan           *lifecycle.Consolidation
}

// maxMoves is how many moves a trial shows.
const maxMoves = 20

func (p Pages) rules(w http.ResponseWriter, r *http.Request) error {
	v := rulesView{persona: r.PathValue("persona"), draft: strings.TrimSpace(r.FormValue("rule"))}
	var err error
	if v.rules, err = p.Store.Lifecycle.Rules(r.Context(), v.persona); err != nil {
		return err
	}
	if v.draft != "" {
		rule, bad := model.ParseRule(v.draft)
		if bad != nil {
			v.problem = bad.Error()
		} else {
			plan, err := p.Store.Lifecycle.PlanConsolidation(r.Context(), v.persona, p.Now(), rule)
			if err != nil {
				return err
			}
			v.plan = &plan
		}
	}
	page := p.page(r, "Rules of the memory")
	page.Body = rulesPage(v)
	return p.shell.Write(w, r, page)
}

func (p Pages) addRule(w http.ResponseWriter, r *http.Request) error {
	persona, text := r.PathValue("persona"), r.FormValue("rule")
	if _, err := model.ParseRule(text); err != nil {
		return layout.Invalid(err)
	}
	rule, err := p.Store.Lifecycle.AddRule(r.Context(), persona, text)
	if err != nil {
		return err
	}
	return layout.Done(w, r, rulesPath(persona), layout.Notice{
		Text: fmt.Sprintf("Added: %s. It applies from the next night on.", rule), Undo: layout.Of(persona, "memory", "rules", "remove"),
		Fields: url.Values{"rule": {idText(rule.ID)}},
	})
}

func (p Pages) removeRule(w http.ResponseWriter, r *http.Request) error {
	persona := r.PathValue("persona")
	id, err := strconv.ParseInt(r.FormValue("rule"), 10, 64)
	if err != nil {
		return memory.ErrNotFound
	}
	all, err := p.Store.Lifecycle.Rules(r.Context(), persona)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(rule model.Rule) bool { return rule.ID == id && id != 0 })
	if at < 0 {
		return memory.ErrNotFound
	}
	if err := p.Store.Lifecycle.RemoveRule(r.Context(), persona, id); err != nil {
		return err
	}
	return layout.Done(w, r, rulesPath(persona), layout.Notice{
		Text: fmt.Sprintf("Removed: %s.", all[at]), Undo: layout.Of(persona, "memory", "rules", "add"), Fields: url.Values{"rule": {all[at].String()}},
	})
}

func rulesPath(persona string) string { return layout.Of(persona, "memory", "rules") }

// erasuresOf is how far back the page of what was forgotten goes, maxErasures how many it shows.
const (
	erasuresOf  = 90 * 24 * time.Hour
	maxErasures = 100
)

// forgotten shows what was erased lately, of which no word is left.
func (p Pages) forgotten(w http.ResponseWriter, r *http.Request) error {
	all, err := p.Store.Eraser.Erasures(r.Context(), p.Now().Add(-erasuresOf))
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(e erase.Erasure) bool { return e.Kind == erase.KindHighest })
	slices.Reverse(all)
	page := p.page(r, "What was forgotten")
	page.Body = forgottenPage(r.PathValue("persona"), all[:min(maxErasures, len(all))], len(all) > maxErasures)
	return p.shell.Write(w, r, page)
}
