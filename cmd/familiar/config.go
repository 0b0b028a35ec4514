package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/strictyaml"
)

func newConfig(a *app) *cobra.Command {
	return group("config", "Show and check the configuration",
		"The configuration is familiar.yaml in the home directory. It may be absent: everything has a default.",
		newConfigShow(a), newConfigCheck(a), newConfigPath(a))
}

func newConfigShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show", Short: "Show every setting in force and where it comes from", Args: cobra.NoArgs,
		Long: "Show every setting in force and where it comes from. Secrets are shown as their references.",
		RunE: func(*cobra.Command, []string) error {
			c, err := a.config()
			if err != nil {
				return err
			}
			return render(a, c.Settings())
		},
	}
}

func newConfigPath(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "Show where the configuration is read from", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			home, err := a.home()
			if err != nil {
				return err
			}
			if a.json {
				return writeJSON(a.out, fileResult{home.File()})
			}
			_, err = fmt.Fprintln(a.out, home.File())
			return err
		},
	}
}

func newConfigCheck(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Check the configuration, its secrets and the persona", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			found, err := a.check()
			if err != nil {
				return err
			}
			return a.verdict(found)
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
func (a *app) check() (findings, error) {
	c, err := a.config()
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
	if _, err := newEmbedder(c, a.now); err != nil {
		found.Problems = append(found.Problems, err.Error())
	}
	found.Problems = append(found.Problems, checkPersona(c)...)
	return found, nil
}

func checkPersona(c *config.Config) []string {
	_, err := speaker(c)
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

// verdict shows the outcome of a check and fails when there are problems.
func (a *app) verdict(found findings) error {
	found.OK, found.Problems = len(found.Problems) == 0, append([]string{}, found.Problems...)
	if a.json {
		if err := writeJSON(a.out, found); err != nil {
			return err
		}
	} else {
		for _, w := range found.Warnings {
			fmt.Fprintln(a.errs, "familiar: warning: "+w)
		}
	}
	if found.OK {
		a.say("ok")
		return nil
	}
	a.say("%s", strings.Join(found.Problems, "\n"))
	if n := len(found.Problems); n > 1 {
		return fmt.Errorf("%d problems", n)
	}
	return errors.New("1 problem")
}
