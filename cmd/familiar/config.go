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
			problems, err := a.check()
			if err != nil {
				return err
			}
			return a.verdict(problems)
		},
	}
}

// check is everything wrong with the configuration, the secrets it refers to and the persona it names.
func (a *app) check() ([]string, error) {
	c, err := a.config()
	if found, ok := problemLines(err); ok {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	var problems []string
	if _, err := c.Model.APIKey.Reveal(); err != nil {
		problems = append(problems, c.Problem("model.api_key", err).Error())
	}
	return append(problems, checkPersona(c)...), nil
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
func (a *app) verdict(problems []string) error {
	if a.json {
		shown := struct {
			OK       bool     `json:"ok"`
			Problems []string `json:"problems"`
		}{len(problems) == 0, append([]string{}, problems...)}
		if err := writeJSON(a.out, shown); err != nil {
			return err
		}
	}
	switch len(problems) {
	case 0:
		a.say("ok")
		return nil
	case 1:
		a.say("%s", problems[0])
		return errors.New("1 problem")
	}
	a.say("%s", strings.Join(problems, "\n"))
	return fmt.Errorf("%d problems", len(problems))
}
