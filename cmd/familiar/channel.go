package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/internal/cli"
	"familiar/internal/lazyregexp"
)

func newChannel(inv *cli.Invocation) *cobra.Command {
	return cli.Group("channel", "See the networks the persona is on, link accounts, and say who may talk there",
		"See the networks the persona is on and how they stand, beside the process that serves them, link and unlink their\n"+
			"accounts, and say who may talk there. They are configured under channels in familiar.yaml.",
		newChannelList(inv), newChannelStatus(inv), newChannelLogin(inv), newChannelLogout(inv),
		newChannelPending(inv), newChannelAllowed(inv), newChannelPair(inv), newChannelUnheard(inv))
}

// phoneNumber is one in international form, as people space it.
var phoneNumber = lazyregexp.New(`^\+[1-9][0-9 ()./-]{6,20}$`)

func newChannelLogin(inv *cli.Invocation) *cobra.Command {
	var phone string
	cmd := &cobra.Command{
		Use: "login NAME", Short: "Link the persona's account on a network", Args: cobra.ExactArgs(1),
		Long: "Link the persona's account on a network that has no token: a code is shown here, to be scanned with the phone, or\n" +
			"with --phone one to be typed in there. `familiar run` must not be running.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if phone != "" && !phoneNumber.MatchString(phone) {
				return cli.Usage(cmd, fmt.Errorf("--phone %q is no number with its country's prefix, such as +15550001", phone))
			}
			return withLogin(cmd.Context(), inv, "channel login", args[0], func(c channels.Loginer) error {
				if err := c.Login(cmd.Context(), phone, func(text string) { fmt.Fprintln(inv.Out, text) }); err != nil {
					return fmt.Errorf("log in to %s: %w", args[0], err)
				}
				inv.Say("%s is linked; `familiar run` serves it", args[0])
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&phone, "phone", "", "link by a code for this phone `NUMBER`, with its country's prefix, instead of one to be scanned")
	return cmd
}

func newChannelLogout(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "logout NAME", Short: "Unlink the persona's account on a network; what is remembered stays", Args: cobra.ExactArgs(1),
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

// withLogin opens the house for one network whose account is linked by hand: its session is never open twice.
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
		// What was done is noted, also when whoever waits for it was told to end.
		if err := a.Store.Log.SaveChannelState(context.WithoutCancel(ctx), name, s); err != nil {
			a.Log.Error("keep how a channel stands", "channel", name, "error", err)
		}
	})
	if err != nil {
		return err
	}
	loginer, ok := c.(channels.Loginer)
	if !ok {
		return fmt.Errorf("%s has no account to link by hand: its credentials stand in the configuration", name)
	}
	return do(loginer)
}
