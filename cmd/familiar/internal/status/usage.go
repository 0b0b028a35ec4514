package status

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/budget"
)

// usageRow is what one person's talk, or one job, used of a model.
type usageRow struct {
	Persona string `json:"persona"`
	// Person is empty for the persona's own work.
	Person   string `json:"person"`
	PersonID int64  `json:"person_id,omitempty"`
	Job      string `json:"job"`
	Model    string `json:"model"`
	Requests int    `json:"requests"`
	In       int    `json:"tokens_in"`
	Out      int    `json:"tokens_out"`
	// Cached is how many of In the provider read from its cache.
	Cached int `json:"cached,omitempty"`
	// Dollars is 0 if no price was known. FailedTokens and FailedDollars are what failed calls used: it is in no limit.
	Dollars       money `json:"dollars,omitempty"`
	FailedTokens  int   `json:"failed_tokens,omitempty"`
	FailedDollars money `json:"failed_dollars,omitempty"`
}

// money is an amount in dollars.
type money float64

// String shows cents, and more digits of what is less than a cent.
func (m money) String() string {
	if m != 0 && m < 0.01 {
		return strconv.FormatFloat(float64(m), 'f', 6, 64)
	}
	return strconv.FormatFloat(float64(m), 'f', 2, 64)
}

// LimitRow is how much of one limit is used today, or in the month.
type LimitRow struct {
	Limit string `json:"limit"`
	// Person and Room are empty for a limit on everybody.
	Person string `json:"person"`
	Room   string `json:"room,omitempty"`
	Period string `json:"period"`
	Used   string `json:"used"`
	Of     string `json:"of"`
	// Share is Used of Of, 0–1; it is above 1 if the limit was lowered.
	Share float64 `json:"share"`
}

// NewUsage returns the verb `familiar usage`.
func NewUsage(inv *cli.Invocation) *cobra.Command {
	days := cli.Count(1)
	var month string
	cmd := &cobra.Command{
		Use: "usage", Short: "Show what models were used for, and what is left of the limits", Args: cobra.NoArgs,
		Long: "Show what models were used for: tokens, requests and cost by person, job and model. “talk” is replies to people, “cached”\n" +
			"the tokens of prompts that providers read from their caches. Cost is in US dollars at the prices that were configured at\n" +
			"the time (model.price_in, price_out, price_cached). Below it are the limits of the configuration, with what counts towards\n" +
			"each on the last day shown and in its month. What failed calls used is shown apart: it was spent, but counts towards no\n" +
			"limit.",
		Example: "  familiar usage\n  familiar usage --days 7\n  familiar usage --month 2026-01",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			if month != "" && cmd.Flags().Changed("days") {
				return cli.Usage(cmd, errors.New("--days and --month exclude each other"))
			}
			first, last, err := usagePeriod(inv.Now().In(cfg.Timezone.Location), int(days), month)
			if err != nil {
				return cli.Usage(cmd, err)
			}
			spent, err := store.Budget.Spent(cmd.Context(), first, last)
			if err != nil {
				return err
			}
			limits, err := limitRows(cmd.Context(), store, app.CapsOf(cfg.Limits), last, spent)
			if err != nil {
				return err
			}
			rooms, err := roomLimitRows(cmd.Context(), store, app.CapsOf(cfg.Limits), last)
			if err != nil {
				return err
			}
			limits = append(limits, rooms...)
			return showUsage(inv, first, last, spent, limits)
		}),
	}
	cmd.Flags().Var(&days, "days", "the last `NUMBER` of days, today included")
	cmd.Flags().StringVar(&month, "month", "", "a calendar `MONTH`, such as 2026-01")
	return cmd
}

// usagePeriod returns the first and the last day to show.
func usagePeriod(now time.Time, days int, month string) (first, last string, err error) {
	if month == "" {
		return now.AddDate(0, 0, 1-days).Format(time.DateOnly), now.Format(time.DateOnly), nil
	}
	begin, err := time.Parse("2006-01", month)
	if err != nil {
		return "", "", fmt.Errorf("--month %s: write a month such as 2026-01", month)
	}
	last = begin.AddDate(0, 1, -1).Format(time.DateOnly)
	if today := now.Format(time.DateOnly); begin.Format("2006-01") == now.Format("2006-01") {
		last = today
	}
	return begin.Format(time.DateOnly), last, nil
}

// LimitRows returns the limits on everybody, then those on each person who talked, with what is used on day.
func limitRows(ctx context.Context, store *memory.Store, caps budget.Caps, day string, spent []budget.Spending) (rows []LimitRow, _ error) {
	everybody := budget.Caps{Day: caps.Day, Month: caps.Month}
	uses, err := store.Budget.Standing(ctx, everybody, day, 0, 0)
	if err != nil {
		return nil, err
	}
	for _, u := range uses {
		rows = append(rows, newLimitRow(u, "", day))
	}
	personal := budget.Caps{PersonDay: caps.PersonDay, PersonMonth: caps.PersonMonth}
	seen := map[int64]bool{0: true}
	for _, s := range spent {
		if seen[s.PersonID] {
			continue
		}
		seen[s.PersonID] = true
		uses, err := store.Budget.Standing(ctx, personal, day, s.PersonID, 0)
		if err != nil {
			return nil, err
		}
		for _, u := range uses {
			rows = append(rows, newLimitRow(u, personName(s), day))
		}
	}
	return rows, nil
}

// roomLimitRows returns the limits on each room in which somebody was answered in the month of day.
func roomLimitRows(ctx context.Context, store *memory.Store, caps budget.Caps, day string) (rows []LimitRow, _ error) {
	used, err := store.Budget.Rooms(ctx, day)
	if err != nil {
		return nil, err
	}
	for _, id := range used {
		uses, err := store.Budget.Standing(ctx, budget.Caps{RoomDay: caps.RoomDay, RoomMonth: caps.RoomMonth}, day, 0, id)
		if err != nil {
			return nil, err
		}
		room, err := store.Log.RoomByID(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, u := range uses {
			row := newLimitRow(u, "", day)
			row.Room = find.RoomName(room)
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func newLimitRow(u budget.CapUse, person, day string) LimitRow {
	key, period := "tokens", day
	if u.InMoney {
		key = "dollars"
	}
	switch {
	case u.Personal:
		key += "_per_person"
	case u.Roomwide:
		key += "_per_room"
	}
	if u.Monthly {
		key, period = key+"_per_month", day[:len("2006-01")]
	} else {
		key += "_per_day"
	}
	row := LimitRow{Limit: key, Person: person, Period: period, Used: u.Format(u.Used), Of: "never"}
	if u.Cap != budget.Never {
		row.Of, row.Share = u.Format(u.Cap), cli.Round(float64(u.Used)/float64(u.Cap))
	}
	return row
}

// personName names the person of a row, "" for the persona's own work.
func personName(s budget.Spending) string {
	if s.PersonID == 0 {
		return ""
	}
	return cmp.Or(s.Person, "person "+strconv.FormatInt(s.PersonID, 10))
}

func newUsageRow(s budget.Spending) usageRow {
	return usageRow{
		Persona: s.Persona, Person: personName(s), PersonID: s.PersonID, Job: s.Job, Model: s.Model, Requests: s.Requests, In: s.In, Out: s.Out, Cached: s.CacheRead,
		Dollars: money(s.Cost.Dollars()), FailedTokens: s.FailedIn + s.FailedOut, FailedDollars: money(s.FailedCost.Dollars()),
	}
}

// usageTotal is the sum of the rows.
type usageTotal struct {
	First         string `json:"first"`
	Last          string `json:"last"`
	Requests      int    `json:"requests"`
	Tokens        int    `json:"tokens"`
	Cached        int    `json:"cached,omitempty"`
	Dollars       money  `json:"dollars,omitempty"`
	FailedTokens  int    `json:"failed_tokens,omitempty"`
	FailedDollars money  `json:"failed_dollars,omitempty"`
}

// showUsage shows the rows, their sum, and the limits.
func showUsage(inv *cli.Invocation, first, last string, spent []budget.Spending, limits []LimitRow) error {
	total := usageTotal{First: first, Last: last}
	var cost, failed budget.Money
	rows := make([]usageRow, 0, len(spent))
	for _, s := range spent {
		rows = append(rows, newUsageRow(s))
		total.Requests += s.Requests
		total.Tokens += s.In + s.Out
		total.Cached += s.CacheRead
		total.FailedTokens += s.FailedIn + s.FailedOut
		cost += s.Cost
		failed += s.FailedCost
	}
	total.Dollars, total.FailedDollars = money(cost.Dollars()), money(failed.Dollars())
	if inv.JSON {
		return cli.WriteJSON(inv.Out, struct {
			usageTotal
			Spent  []usageRow `json:"spent"`
			Limits []LimitRow `json:"limits"`
		}{total, rows, append([]LimitRow{}, limits...)})
	}
	if err := cli.Render(inv, rows); err != nil {
		return err
	}
	inv.Say("")
	if err := cli.RenderOne(inv, total); err != nil {
		return err
	}
	if len(limits) == 0 {
		return nil
	}
	inv.Say("")
	return cli.Render(inv, limits)
}
