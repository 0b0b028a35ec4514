package doctor

import (
	"context"
	"strings"

	"familiar/config"
	"familiar/internal/cli"
)

// checkLimits says what the limits on models mean: a 0 is easily taken for the opposite.
func checkLimits(_ context.Context, inv *cli.Invocation) ([]Finding, error) {
	models := inv.Loaded.Models(inv.Loaded.Persona)
	if len(models.Talk())+len(models.ForWork()) == 0 {
		return []Finding{{"limits", stateOK, "no model is configured", ""}}, nil
	}
	l := inv.Loaded.Limits
	person := limitsInWords(l.TokensPerPersonPerDay, l.TokensPerPersonPerMonth, l.DollarsPerPersonPerDay, l.DollarsPerPersonPerMonth)
	room := limitsInWords(l.TokensPerRoomPerDay, l.TokensPerRoomPerMonth, l.DollarsPerRoomPerDay, l.DollarsPerRoomPerMonth)
	everybody := limitsInWords(l.TokensPerDay, l.TokensPerMonth, l.DollarsPerDay, l.DollarsPerMonth)
	return []Finding{{"limits", stateOK, "for each person " + person + "; for each room " + room + "; for everybody together " + everybody, ""}}, nil
}

// limitsInWords words the limits of one person, of one room, or of everybody.
func limitsInWords(dayTokens, monthTokens config.TokenLimit, dayDollars, monthDollars config.DollarLimit) string {
	if dayTokens == config.NeverTokens || monthTokens == config.NeverTokens || dayDollars == config.NeverDollars || monthDollars == config.NeverDollars {
		return "no model at all (never)"
	}
	var all []string
	for _, l := range []struct {
		set  bool
		text string
	}{
		{dayTokens != 0, dayTokens.String() + " tokens a day"},
		{monthTokens != 0, monthTokens.String() + " tokens a month"},
		{dayDollars != 0, "$" + dayDollars.String() + " a day"},
		{monthDollars != 0, "$" + monthDollars.String() + " a month"},
	} {
		if l.set {
			all = append(all, l.text)
		}
	}
	if len(all) == 0 {
		return "no limit (0; never would allow no model)"
	}
	return "at most " + strings.Join(all, ", ")
}
