package main

import "github.com/spf13/cobra"

func newChannel(a *app) *cobra.Command {
	return group("channel", "See the networks the persona is on and who may talk there",
		"See the networks the persona is on and who may talk there. They are configured under channels in familiar.yaml.",
		newChannelPending(a), newChannelAllowed(a), newChannelPair(a))
}
