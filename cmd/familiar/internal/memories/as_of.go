package memories

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/memory/model"
	"familiar/memory/when"
)

// newMemoryAsOf returns the verb that runs others on the store as it was. more are verbs of other groups.
func newMemoryAsOf(inv *cli.Invocation, more []func(*cli.Invocation) *cobra.Command) *cobra.Command {
	verbs := slices.Concat([]func(*cli.Invocation) *cobra.Command{
		newMemorySearch, newMemoryList, newMemoryShow, newMemoryTopics, newMemoryStats, newMemoryExport,
	}, more)
	var names []string
	for _, verb := range cli.Made(inv, verbs) {
		names = append(names, verb.Name())
	}
	cmd := &cobra.Command{
		Use: "as-of DATE VERB…", Short: "Answer as the store would have answered at an earlier time",
		Long: "Run a verb that reads on the store as it was at an earlier time: what was stored by then, with the tiers, strength, beliefs\n" +
			"and relationships of then. A day means its end in the configured timezone. DATE is 2026-03-01, \"2026-03-01 18:00\", an\n" +
			"RFC 3339 time, \"3 March 2026\", yesterday, \"two weeks ago\", 7d (ago) or now. What was forgotten since is not shown: it is\n" +
			"erased for good. What has faded away since is not shown either. Of a time before everything it says so. Names, timezones, tags and the weights of edges are those of\n" +
			"today.\n" +
			"Relationships are as they were at the end of the person's day. Verbs: " + strings.Join(names, ", ") + ".",
		Example: "  familiar memory as-of 2026-03-01 search --as Ann 'where do I live'\n" +
			"  familiar memory as-of '3 March 2026' beliefs --person Ann\n  familiar memory as-of 30d stats --json",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return cli.Usage(cmd, fmt.Errorf("say what to look at as of %s: %s", args[0], strings.Join(names, ", ")))
			}
			cfg, err := inv.Config()
			if err != nil {
				return err
			}
			at, err := parsePast(args[0], inv.Now().In(cfg.Timezone.Location))
			if err != nil {
				return cli.Usage(cmd, err)
			}
			return inv.RunAsOf(cmd.Context(), at, cmd.CommandPath()+" "+args[0], args[1:], verbs)
		},
	}
	cmd.Flags().SetInterspersed(false) // the flags after DATE belong to the verb
	return cmd
}

// parsePast reads an earlier time in the zone of now. A day or a longer span means its end, but not after now.
func parsePast(text string, now time.Time) (time.Time, error) {
	at, ok := readPast(text, now)
	if !ok {
		return time.Time{}, fmt.Errorf("%q is not a date: write 2026-03-01, \"2026-03-01 18:00\", \"3 March 2026\", yesterday, 7d or now", text)
	}
	if at.After(now) {
		return time.Time{}, fmt.Errorf("%q is in the future: the store is only known up to now", text)
	}
	return at, nil
}

func readPast(text string, now time.Time) (at time.Time, ok bool) {
	if text == "now" {
		return now, true
	}
	if span, err := model.ParseSpan(text); err == nil {
		return now.Add(-span), true
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04"} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, true
		}
	}
	found := when.Find(text, now)
	if len(found) != 1 || strings.TrimSpace(found[0].Text) != strings.TrimSpace(text) {
		return time.Time{}, false
	}
	from, until := found[0].From, found[0].Until
	if from.After(now) {
		return from, true
	}
	return earlier(until.Add(-time.Millisecond), now), true
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
