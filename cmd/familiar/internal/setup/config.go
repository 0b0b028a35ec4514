package setup

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/machine"
)

// NewConfig returns the verb `familiar config`.
func NewConfig(inv *cli.Invocation) *cobra.Command {
	return cli.Group("config", "Show and check the configuration",
		"Show and check the configuration: familiar.yaml in the home directory. The file is optional, every setting has a default.",
		newConfigShow(inv), newConfigCheck(inv), newConfigPath(inv))
}

func newConfigShow(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "show", Short: "Show every setting and where its value comes from", Args: cobra.NoArgs,
		Long: "Show every setting and where its value comes from. Secrets are shown as references.",
		RunE: func(*cobra.Command, []string) error {
			c, err := inv.Config()
			if err != nil {
				return err
			}
			return cli.Render(inv, c.Settings())
		},
	}
}

func newConfigPath(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "Show the path of the configuration file", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			home, err := inv.Home()
			if err != nil {
				return err
			}
			return cli.RenderDone(inv, cli.FileResult{File: home.File()}, "%s", home.File())
		},
	}
}

func newConfigCheck(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Check the configuration, its secrets and the persona", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			found, err := Check(inv)
			if err != nil {
				return err
			}
			return cli.Report(inv, found)
		},
	}
}

// Check finds every problem of the configuration, its secrets and the configured persona.
func Check(inv *cli.Invocation) (cli.Findings, error) {
	c, err := inv.Config()
	if lines, ok := cli.ProblemLines(err); ok {
		return cli.Findings{Problems: lines}, nil
	}
	if err != nil {
		return cli.Findings{}, err
	}
	found := cli.Findings{Warnings: slices.Concat(c.Warnings, checkIndexMemory(c, machine.Memory()))}
	for key, secret := range c.ModelSecrets() {
		if _, err := secret.Reveal(); err != nil {
			found.Problems = append(found.Problems, c.Problem(key, err).Error())
		}
	}
	for _, n := range c.Channels.Networks {
		for key, secret := range n.Value.Secrets() {
			if _, err := secret.Reveal(); err != nil {
				found.Problems = append(found.Problems, c.Problem(key, err).Error())
			}
		}
	}
	if _, err := app.NewEmbedder(c, inv.Now); err != nil {
		found.Problems = append(found.Problems, err.Error())
	}
	found.Problems = append(found.Problems, checkPersona(c)...)
	return found, nil
}

// checkIndexMemory warns about indexes that may take more than half of the machine's memory, 0 if that is unknown.
func checkIndexMemory(c *config.Config, memory int64) []string {
	const mb = 1 << 20
	if allowed := int64(c.Recall.IndexMB) * mb; memory == 0 || allowed <= memory/2 {
		return nil
	}
	return []string{fmt.Sprintf("recall.index_mb is %d, more than half of this machine's memory (%d MB): set at most %d, or 0 for a default",
		c.Recall.IndexMB, memory/mb, memory/2/mb)}
}

// checkPersona checks the files of all personas that are served.
func checkPersona(c *config.Config) (found []string) {
	_, err := app.ServedCards(c)
	all := []error{err}
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		all = joined.Unwrap()
	}
	for _, err := range all {
		if lines, ok := cli.ProblemLines(err); ok {
			found = append(found, lines...)
		} else if err != nil {
			found = append(found, err.Error())
		}
	}
	return found
}
