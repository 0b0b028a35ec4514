// Package mind has the verbs that look into what a persona knows and does: its prompts, beliefs, sessions, dreams and follow-ups.
package mind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/prompts"
)

// NewPrompt returns the verb `familiar prompt`.
func NewPrompt(inv *cli.Invocation) *cobra.Command {
	return cli.Group("prompt", "Show what a model is shown", "Show what a language model is shown, and why.", newPromptShow(inv))
}

func newPromptShow(inv *cli.Invocation) *cobra.Command {
	var as, where string
	cmd := &cobra.Command{
		Use: "show --as NAME TEXT", Short: "Show the prompt for a message, by part, with the reason for each line", Args: cobra.ExactArgs(1),
		Long: "Show the prompt that the model would get if somebody wrote TEXT now: each part with its tokens, and each note with the\n" +
			"reason why it is there. Nothing is stored and no model is asked. Without --room, it is in the direct room where they wrote last.",
		Example: "  familiar prompt show --as Ana \"what did I tell you about the boat?\"\n" +
			"  familiar prompt show --as Ana --room \"Harbour club\" hello",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case as == "":
				return cli.Usage(cmd, errors.New("say who writes with --as NAME"))
			case strings.TrimSpace(args[0]) == "":
				return cli.Usage(cmd, errors.New("the text is empty"))
			}
			return showPrompt(cmd.Context(), inv, as, where, args[0])
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "`name`, handle or number of the person who writes")
	cmd.Flags().StringVar(&where, "room", "", "title, address or number of the `room` in which they write")
	return cmd
}

// shownPrompt is the JSON form of a prompt.
type shownPrompt struct {
	Person   string          `json:"person"`
	Room     string          `json:"room"`
	Tokens   int             `json:"tokens"`
	Parts    []prompts.Slice `json:"parts"`
	System   string          `json:"system"`
	Messages []promptMessage `json:"messages"`
	Notes    []prompts.Note  `json:"notes"`
	// Tools are the names of the tools that the model may use.
	Tools []string `json:"tools,omitempty"`
}

type promptMessage struct {
	Role prompts.Role `json:"role"`
	Text string       `json:"text"`
}

// showPrompt shows the prompt for a text by a person in a room.
func showPrompt(ctx context.Context, inv *cli.Invocation, as, where, text string) error {
	return cli.WithApp(ctx, inv, func(a *app.App) error {
		person, err := find.Person(ctx, a.Store, a.Card.Key, as)
		if err != nil {
			return err
		}
		room, err := roomOf(ctx, a.Store, person, where)
		if err != nil {
			return err
		}
		a.AwaitWindows(ctx)
		p, err := a.Engine(a.Settings()).PromptFor(ctx, person, room, text)
		if err != nil {
			return err
		}
		shown := shownPrompt{Person: person.Name, Room: find.RoomName(room), Tokens: p.Tokens(), Parts: p.Slices, System: p.System, Notes: p.Notes, Tools: p.ToolNames()}
		for _, m := range p.Messages {
			shown.Messages = append(shown.Messages, promptMessage(m))
		}
		if a.Model == nil {
			inv.Note("no model is configured: this is what one would be shown, without what only a model reads")
		}
		if inv.JSON {
			return cli.WriteJSON(inv.Out, shown)
		}
		return shown.write(inv.Out)
	})
}

// roomOf returns the room that a word names, for an empty word the direct room where a person wrote last. A person who never
// wrote in one gets a new one.
func roomOf(ctx context.Context, store *memory.Store, person model.Person, word string) (model.Room, error) {
	if word == "" {
		direct, err := store.Turns.DirectRooms(ctx, person.ID)
		if err != nil || len(direct) == 0 {
			return model.Room{Direct: true, PersonID: person.ID}, err
		}
		return direct[0], nil
	}
	rooms, err := store.Log.Rooms(ctx)
	if err != nil {
		return model.Room{}, err
	}
	var found []model.Room
	for _, r := range rooms {
		bare, _, _ := strings.Cut(r.Room.ID, "@") // WhatsApp's ids end in "@g.us" or "@lid"
		if word == bare || word == strconv.FormatInt(r.ID, 10) || strings.EqualFold(word, r.Title) || word == r.Room.ID || word == r.Channel+":"+r.Room.ID || word == r.Channel+":"+bare {
			found = append(found, r)
		}
	}
	switch {
	case len(found) == 0:
		return model.Room{}, fmt.Errorf("%w: no room is called %q; `familiar session list` shows the rooms", memory.ErrNotFound, word)
	case len(found) > 1:
		return model.Room{}, fmt.Errorf("%d rooms are called %q: use the address of one, such as %s:%s", len(found), word, found[0].Channel, found[0].Room.ID)
	case found[0].Direct && found[0].PersonID != person.ID:
		return model.Room{}, fmt.Errorf("room %q is the direct room of somebody else", word)
	}
	return found[0], nil
}

// write writes the prompt as text: the parts, then each message, with the reason beside each note.
func (s shownPrompt) write(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d tokens for %s in %s\n", s.Tokens, s.Person, s.Room)
	for _, part := range s.Parts {
		fmt.Fprintf(&b, "  %-8s %5d", part.Name, part.Tokens)
		if part.Budget > 0 {
			fmt.Fprintf(&b, " of %5d", part.Budget)
		}
		if part.LeftOut > 0 {
			fmt.Fprintf(&b, ", %d left out", part.LeftOut)
		}
		b.WriteString("\n")
	}
	if len(s.Tools) > 0 {
		b.WriteString("\n--- tools\n" + strings.Join(s.Tools, "\n") + "\n")
	}
	b.WriteString("\n--- system\n" + s.System + "\n")
	why := make(map[string]string, len(s.Notes))
	for _, n := range s.Notes {
		why[n.Text] = n.Why
	}
	for _, m := range s.Messages {
		fmt.Fprintf(&b, "\n--- %s\n", m.Role)
		for line := range strings.Lines(m.Text) {
			line = strings.TrimSuffix(line, "\n")
			b.WriteString(line + "\n")
			if reason := why[line]; reason != "" {
				b.WriteString("      ↳ " + reason + "\n")
			}
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
