package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/strictyaml"
)

func newConfig(inv *cli.Invocation) *cobra.Command {
	return cli.Group("config", "Show and check the configuration",
		"The configuration is familiar.yaml in the home directory. It may be absent: everything has a default.",
		newConfigShow(inv), newConfigCheck(inv), newConfigPath(inv))
}

func newConfigShow(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "show", Short: "Show every setting in force and where it comes from", Args: cobra.NoArgs,
		Long: "Show every setting in force and where it comes from. Secrets are shown as their references.",
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
		Use: "path", Short: "Show where the configuration is read from", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			home, err := inv.Home()
			if err != nil {
				return err
			}
			if inv.JSON {
				return cli.WriteJSON(inv.Out, fileResult{home.File()})
			}
			_, err = fmt.Fprintln(inv.Out, home.File())
			return err
		},
	}
}

func newConfigCheck(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Check the configuration, its secrets and the persona", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			found, err := check(inv)
			if err != nil {
				return err
			}
			return report(inv, found)
		},
	}
}

// findings are what a check came to.
type findings struct {
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"`
	// Warnings are what is unwise but not wrong.
	Warnings []string `json:"warnings,omitempty"`
}

// check finds everything wrong with the configuration, the secrets it refers to and the persona it names.
func check(inv *cli.Invocation) (findings, error) {
	c, err := inv.Config()
	if lines, ok := problemLines(err); ok {
		return findings{Problems: lines}, nil
	}
	if err != nil {
		return findings{}, err
	}
	found := findings{Warnings: c.Warnings}
	if _, err := c.Model.APIKey.Reveal(); err != nil {
		found.Problems = append(found.Problems, c.Problem("model.api_key", err).Error())
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

func checkPersona(c *config.Config) []string {
	_, err := app.LoadCard(c)
	if found, ok := problemLines(err); ok {
		return found
	}
	if err != nil {
		return []string{err.Error()}
	}
	return nil
}

// problemLines are the problems of a file, when that is what err is.
func problemLines(err error) ([]string, bool) {
	var problems *strictyaml.Problems
	if !errors.As(err, &problems) {
		return nil, false
	}
	return problems.Lines(), true
}

// report shows the outcome of a check and fails when there are problems.
func report(inv *cli.Invocation, found findings) error {
	found.OK, found.Problems = len(found.Problems) == 0, append([]string{}, found.Problems...)
	if inv.JSON {
		if err := cli.WriteJSON(inv.Out, found); err != nil {
			return err
		}
	} else {
		for _, w := range found.Warnings {
			fmt.Fprintln(inv.Errs, "familiar: warning: "+w)
		}
	}
	if found.OK {
		inv.Say("ok")
		return nil
	}
	inv.Say("%s", strings.Join(found.Problems, "\n"))
	if n := len(found.Problems); n > 1 {
		return fmt.Errorf("%d problems", n)
	}
	return errors.New("1 problem")
}
