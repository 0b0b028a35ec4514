// Package networks has `familiar channel`, and makes the adapters of the configured networks for the verbs that serve or check them.
package networks

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/internal/cli"
	"familiar/internal/lazyregexp"
)

// NewChannel returns the verb `familiar channel`.
func NewChannel(inv *cli.Invocation) *cobra.Command {
	return cli.Group("channel", "Show networks, link accounts and approve people",
		"Show the networks and their state, link and unlink accounts, and approve people. Networks are configured under channels\n"+
			"in familiar.yaml. These commands work while `familiar run` is running, except login and logout.",
		newChannelList(inv), newChannelStatus(inv), newChannelLogin(inv), newChannelLogout(inv),
		newChannelPending(inv), newChannelAllowed(inv), newChannelPair(inv), newChannelUnheard(inv))
}

// phoneNumber matches an international number as people write it, with spaces.
var phoneNumber = lazyregexp.New(`^\+[1-9][0-9 ()./-]{6,20}$`)

func newChannelLogin(inv *cli.Invocation) *cobra.Command {
	var phone string
	cmd := &cobra.Command{
		Use: "login NAME", Short: "Link the persona's account on a network", Args: cobra.ExactArgs(1),
		Long: "Link the persona's account on a network without tokens. Scan the code shown here with the phone, or use --phone to get\n" +
			"a code to type there. `familiar run` must not be running.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if phone != "" && !phoneNumber.MatchString(phone) {
				return cli.Usage(cmd, fmt.Errorf("--phone %q is not a number with country code, such as +15550001", phone))
			}
			return withLogin(cmd.Context(), inv, "channel login", args[0], func(c channels.Loginer) error {
				if err := c.Login(cmd.Context(), phone, func(text string) { fmt.Fprintln(inv.Out, text) }); err != nil {
					return fmt.Errorf("log in to %s: %w", args[0], err)
				}
				inv.Say("%s is linked; start it with `familiar run`", args[0])
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&phone, "phone", "", "get a code to type on the phone with this `NUMBER` (with country code), instead of one to scan")
	return cmd
}

func newChannelLogout(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "logout NAME", Short: "Unlink the persona's account on a network; memories are kept", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withLogin(cmd.Context(), inv, "channel logout", args[0], func(c channels.Loginer) error {
				if err := c.Logout(cmd.Context()); err != nil {
					return fmt.Errorf("log out of %s: %w", args[0], err)
				}
				inv.Say("%s is unlinked", args[0])
				return nil
			})
		},
	}
}

// withLogin opens the app for a network whose account is linked by hand. The lock ensures that its session is never
// opened twice.
func withLogin(ctx context.Context, inv *cli.Invocation, verb, name string, do func(channels.Loginer) error) (err error) {
	cfg, err := inv.Config()
	if err != nil {
		return err
	}
	if err := requireNetwork(cfg, name); err != nil {
		return err
	}
	a, err := inv.OpenApp(ctx, verb, cli.NewLog(inv.Errs, cfg, inv.JSON))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	c, err := openNetwork(ctx, a, name, func(s channels.State) {
		// The state is stored even if ctx was cancelled meanwhile.
		if err := a.Store.Log.SaveChannelState(context.WithoutCancel(ctx), name, s); err != nil {
			a.Log.Error("store the state of a channel", "channel", name, "error", err)
		}
	})
	if err != nil {
		return err
	}
	loginer, ok := c.(channels.Loginer)
	if !ok {
		return fmt.Errorf("%s has no account to link: it uses the credentials in the configuration", name)
	}
	return do(loginer)
}
