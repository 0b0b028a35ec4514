// Package setup has the verbs that configure a home: `familiar init` and `familiar config`.
package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"familiar/channels/all"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/persona/card"
)

// NewInit returns the verb `familiar init`.
func NewInit(inv *cli.Invocation) *cobra.Command {
	var chosen config.Choices
	var keyVariable string
	var yes bool
	provider := cli.Choice{Of: cli.Strings(config.Providers)}
	cmd := &cobra.Command{
		Use: "init", Short: "Create the home directory and its configuration", Args: cobra.NoArgs,
		Long: "Create the home directory and its configuration. On a terminal it asks questions. With flags, or without a terminal, it\n" +
			"uses the flags and completes them with what it finds: Ollama on this machine, or a provider's API key in the\n" +
			"environment. An existing configuration is never changed.",
		Example: "  familiar init\n" +
			"  familiar init --yes\n" +
			"  familiar init --provider ollama --model llama3.2\n" +
			"  familiar init --provider openai --model gpt-5.4-mini --api-key-env OPENAI_API_KEY",
		RunE: func(cmd *cobra.Command, _ []string) error {
			chosen.Provider = config.Provider(provider.Value)
			if keyVariable != "" {
				chosen.APIKey = "env:" + keyVariable
			}
			if err := checkFlags(chosen); err != nil {
				return cli.Usage(cmd, err)
			}
			if !yes && chosen == (config.Choices{}) && !inv.Interactive {
				return cli.Usage(cmd, errors.New("init needs a terminal for its questions: choose with flags, "+
					"or accept what is found with --yes"))
			}
			return setUp(inv, cmd, chosen, yes || chosen != (config.Choices{}))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&chosen.Persona, "persona", "", "the `KEY` of the persona that speaks")
	cli.ChoiceFlag(cmd, &provider, "provider", "the model's provider")
	flags.StringVar(&chosen.Model, "model", "", "the provider's `NAME` for the model")
	flags.StringVar(&chosen.BaseURL, "base-url", "", "the `ADDRESS` of a server other than the provider's own")
	flags.StringVar(&keyVariable, "api-key-env", "", "the environment `VARIABLE` that holds the API key")
	flags.BoolVarP(&yes, "yes", "y", false, "ask nothing and accept what is found")
	cli.Complete(cmd, "persona", cli.CompleteKeys(inv))
	return cmd
}

// checkFlags reports an invalid flag. It never shows the value of --api-key-env: somebody may have passed the key
// itself.
func checkFlags(c config.Choices) error {
	var ref config.Secret
	if c.APIKey != "" && ref.UnmarshalText([]byte(c.APIKey)) != nil {
		return errors.New("--api-key-env takes the name of an environment variable, never the key itself")
	}
	if c.BaseURL != "" {
		if err := config.CheckAddress(c.BaseURL, "model.api_key"); err != nil {
			return fmt.Errorf("--base-url %w", err)
		}
	}
	return nil
}

// checkModel reports a provider without a model, or a model without a provider.
func checkModel(c config.Choices) error {
	switch none := c.Provider == config.NoModel; {
	case none && c.Model != "":
		return fmt.Errorf("the model %s has no provider: name one with --provider", c.Model)
	case !none && c.Model == "":
		return fmt.Errorf("no model for %s was found: name one with --model", c.Provider)
	}
	return nil
}

// setUpResult is what init wrote.
type setUpResult struct {
	File     string          `json:"file"`
	Persona  string          `json:"persona"`
	Provider config.Provider `json:"provider"`
	Model    string          `json:"model,omitempty"`
	Address  string          `json:"address,omitempty"`
	Key      string          `json:"key,omitempty"`
}

func setUp(inv *cli.Invocation, cmd *cobra.Command, chosen config.Choices, noQuestions bool) error {
	home, err := inv.Home()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(home.File()); err == nil {
		return alreadyExists(home)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("use the home directory: %w: choose another with --home DIR", err)
	}
	found := detect(cmd.Context(), inv.Env)
	if noQuestions {
		chosen = found.complete(chosen)
		if err := checkModel(chosen); err != nil {
			return cli.Usage(cmd, err)
		}
	} else if chosen, err = interview(cmd.Context(), inv, home, found); err != nil {
		return err
	}
	text := chosen.Render(all.Sections()...)
	c, err := config.Parse(home, text, inv.Env, all.Sections()...)
	if err != nil {
		return fmt.Errorf("nothing was written, the choices are not a valid configuration: %w", err)
	}
	if _, err := card.LoadCard(home.Personas(), c.Persona); err != nil {
		return err
	}
	if err := home.Create(); err != nil {
		return err
	}
	if err := plainfile.WriteNew(home.File(), text); errors.Is(err, fs.ErrExist) {
		return alreadyExists(home)
	} else if err != nil {
		return err
	}
	return showSetUp(inv, c)
}

func alreadyExists(home config.Home) error {
	return fmt.Errorf("%s already exists and was not changed: edit it, or remove it to start over", home.File())
}

func showSetUp(inv *cli.Invocation, c *config.Config) error {
	m := c.Model
	if err := cli.RenderOne(inv, setUpResult{
		File: c.Home.File(), Persona: c.Persona, Provider: m.Provider,
		Model: m.Model, Address: m.BaseURL, Key: m.APIKey.String(),
	}); err != nil {
		return err
	}
	if m.Provider == config.NoModel {
		inv.Say("\nWithout a model the persona answers from templates and its memory. You can set one in the file at any time.")
	}
	if _, err := m.APIKey.Reveal(); err != nil {
		inv.Say("\nBefore you start: %v.", err)
	}
	return nil
}

// interview asks for the choices and proposes what was detected. It writes to standard error; standard output holds the
// result.
func interview(ctx context.Context, inv *cli.Invocation, home config.Home, found detected) (config.Choices, error) {
	entries, err := card.Cards(home.Personas())
	if err != nil {
		return config.Choices{}, err
	}
	w := wizard{cli.NewQuestions(ctx, inv.In, inv.Errs)}
	w.Println("Familiar stores everything in %s. Press Enter to accept the value in brackets.\n", string(home))
	return w.interview(entries, found)
}
