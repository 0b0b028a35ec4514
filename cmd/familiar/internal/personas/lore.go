package personas

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/internal/tokens"
	"familiar/persona/card"
	"familiar/persona/lore"
	"familiar/persona/macro"
)

func newPersonaLore(inv *cli.Invocation) *cobra.Command {
	return cli.Group("lore", "Show, extend and test what a persona knows of its world",
		"Show, extend and test the lorebook of a persona: texts that are shown to the model, and known to the plain voice, when the\n"+
			"talk mentions their keys. It is a file beside the persona's, in the format lorebook_v3, which can also be edited by hand.",
		newLoreList(inv), newLoreAdd(inv), newLoreTest(inv))
}

// loreFlag adds the flag that chooses the persona.
func loreFlag(inv *cli.Invocation, cmd *cobra.Command, key *string) {
	cmd.Flags().StringVar(key, "persona", "", "the `KEY` of the persona (default: the configured one)")
	cli.Complete(cmd, "persona", cli.CompleteKeys(inv))
}

// loreCard returns the persona whose lore is meant.
func loreCard(inv *cli.Invocation, key string) (config.Home, *card.Card, error) {
	var args []string
	if key != "" {
		args = []string{key}
	}
	home, key, err := chosenPersona(inv, args)
	if err != nil {
		return "", nil, err
	}
	c, err := card.LoadCard(home.Personas(), key)
	return home, c, err
}

// loreRow is one entry in the list.
type loreRow struct {
	Entry int `json:"entry"`
	// Keys make it fire. When says what else decides.
	Keys   []string `json:"keys"`
	When   string   `json:"when,omitempty"`
	Order  float64  `json:"order"`
	Tokens int      `json:"tokens"`
	Text   string   `json:"text"`
}

func newLoreList(inv *cli.Invocation) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "list", Short: "List the entries", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, c, err := loreCard(inv, key)
			if err != nil {
				return err
			}
			var rows []loreRow
			if r := c.Sheet.Lore; r != nil {
				for i := range r.Book.Entries {
					rows = append(rows, loreRowOf(i+1, &r.Book.Entries[i]))
				}
				noteProblems(inv, r)
			}
			return cli.Render(inv, rows)
		},
	}
	loreFlag(inv, cmd, &key)
	return cmd
}

// noteProblems tells what keeps entries from working.
func noteProblems(inv *cli.Invocation, r *lore.Rules) {
	for _, p := range r.Problems {
		inv.Note("%s", p)
	}
}

func loreRowOf(number int, e *lore.Entry) loreRow {
	var when []string
	if !e.Enabled {
		when = append(when, "disabled")
	}
	if e.Constant {
		when = append(when, "constant")
	}
	if e.Regex {
		when = append(when, "regular expressions")
	}
	if e.Selective && len(e.SecondaryKeys) > 0 {
		when = append(when, "with "+strings.Join(e.SecondaryKeys, ", "))
	}
	text := lore.WithoutDecorators(e.Content)
	if strings.HasPrefix(strings.TrimSpace(e.Content), "@@") {
		when = append(when, "decorators")
	}
	return loreRow{number, e.Keys, strings.Join(when, "; "), e.Order, tokens.Estimate(text), text}
}

func newLoreAdd(inv *cli.Invocation) *cobra.Command {
	var persona, from string
	var keys []string
	var constant bool
	order := cli.Count(100)
	cmd := &cobra.Command{
		Use: "add [TEXT]", Short: "Add an entry, or the entries of a file",
		Long: "Add an entry with its keys, or with --from the entries of a file: a lorebook in the format of character cards, or world\n" +
			"info of SillyTavern. The text may begin with decorators, each on a line of its own, such as @@depth 2.",
		Example: "  familiar persona lore add 'The bar is called The Copper Kettle.' --key bar --key kettle\n" +
			"  familiar persona lore add --from world.json --persona mira",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var added []lore.Entry
			switch {
			case (len(args) == 0) == (from == ""):
				return cli.Usage(cmd, errors.New("give the text of an entry, or a file with --from"))
			case from != "" && (len(keys) > 0 || constant):
				return cli.Usage(cmd, errors.New("--key and --constant are for a text: the entries of a file have their own"))
			case from == "" && len(keys) == 0 && !constant:
				return cli.Usage(cmd, errors.New("say what makes the entry fire with --key, or that it always does with --constant"))
			case from == "" && lore.WithoutDecorators(args[0]) == "":
				return cli.Usage(cmd, errors.New("the entry has no text"))
			case from == "":
				added = []lore.Entry{{Keys: keys, Content: args[0], Enabled: true, Constant: constant, Order: float64(order)}}
				// A file may hold a bad key among many good ones, and is added with a note; here the text can just be given again.
				if problems := lore.Compile(&lore.Book{Entries: added}).Problems; len(problems) > 0 {
					return fmt.Errorf("nothing is added: %s", strings.Join(problems, "; "))
				}
			default:
				data, err := plainfile.Read(from, lore.MaxFile)
				if err != nil {
					return fmt.Errorf("add lore: %w", err)
				}
				book, err := lore.Read(data)
				if err != nil {
					return fmt.Errorf("%s: %w", from, err)
				}
				added = book.Entries
			}
			return addLore(cmd.Context(), inv, persona, added)
		},
	}
	loreFlag(inv, cmd, &persona)
	cmd.Flags().StringVar(&from, "from", "", "the `FILE` with entries")
	cmd.Flags().StringArrayVar(&keys, "key", nil, "a `WORD` that makes the entry fire; can be repeated")
	cmd.Flags().BoolVar(&constant, "constant", false, "the entry always fires")
	cmd.Flags().Var(&order, "order", "the place among those that fire: lower comes first")
	return cmd
}

// addLore appends entries to the lorebook of a persona.
func addLore(ctx context.Context, inv *cli.Invocation, key string, added []lore.Entry) error {
	home, c, err := loreCard(inv, key)
	if err != nil {
		return err
	}
	before, err := card.LoreText(home.Personas(), c.Key)
	if err != nil {
		return err
	}
	after, err := lore.Append(before, added...)
	if err != nil {
		return err
	}
	if err := home.Create(); err != nil {
		return err
	}
	file, err := card.ReplaceLore(ctx, home.Personas(), c.Key, before, after, card.Set, inv.Now())
	if err != nil {
		return err
	}
	noteProblems(inv, lore.Compile(&lore.Book{Entries: added}))
	return cli.ReportWritten(inv, file)
}

// loreTested is an entry that fires for a text.
type loreTested struct {
	Entry  int    `json:"entry"`
	Why    string `json:"why"`
	Place  string `json:"place"`
	Tokens int    `json:"tokens"`
	Text   string `json:"text"`
}

func newLoreTest(inv *cli.Invocation) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "test TEXT", Short: "Show which entries fire for a message, and why",
		Long: "Show which entries fire for a message, in the order in which they are shown to the model: why, where they go and how many\n" +
			"tokens they take. An entry that there is no room for has no place.",
		Example: "  familiar persona lore test \"what's the name of the bar?\"",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			_, c, err := loreCard(inv, key)
			if err != nil {
				return err
			}
			values := macro.Values{Char: c.Called(), User: "you", Now: inv.Now(), Random: rand.IntN, Pick: macro.Stable(c.Key)}
			result := c.Sheet.Lore.Fire(lore.Input{
				Messages: []lore.Message{{Text: args[0]}}, New: 1, Greeting: -1, Expand: values.Expand, Chance: func() int { return rand.IntN(100) },
			})
			var rows []loreTested
			for _, f := range result.Fired {
				place := string(f.Place)
				if f.Place == lore.AtDepth {
					place = fmt.Sprintf("%d messages back, as %s", f.Depth, f.Role)
				}
				rows = append(rows, loreTested{f.Number, f.Why, place, f.Tokens, f.Text})
			}
			for _, f := range result.LeftOut {
				rows = append(rows, loreTested{f.Number, f.Why, "", f.Tokens, f.Text})
			}
			return cli.Render(inv, rows)
		},
	}
	loreFlag(inv, cmd, &key)
	return cmd
}
