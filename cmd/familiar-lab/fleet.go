package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/internal/lab/bench"
	"familiar/internal/lab/fleet"
	"familiar/internal/lab/place"
	"familiar/memory"
)

func newFleet(inv *cli.Invocation) *cobra.Command {
	processes, rooms, people, kills, rolling := cli.Count(3), cli.Count(64), cli.Count(16), cli.Count(0), cli.Count(0)
	hours, memories := 0.005, cli.Count(0)
	o := fleet.Options{Seed: 1}
	cmd := &cobra.Command{
		Use: "fleet", Short: "Run several processes on one PostgreSQL database, and count what is lost when some are killed", Args: cobra.NoArgs,
		Long: "Run several real processes of familiar on one PostgreSQL database, in a schema that is removed afterwards, with a loopback\n" +
			"Telegram and a language model that answers at once. People say their next message when the last one is answered. With --kills,\n" +
			"processes are killed at random times, as kill -9 does, and started again. The report has how many messages were answered a second,\n" +
			"how long replies took, also after each kill, and how many were lost, shown twice or out of order.",
		Example: "  familiar-lab fleet --database postgres://familiar@localhost/lab --processes 3 --kills 20",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			address, remove, err := place.New(cmd.Context(), "")
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, remove()) }()
			if !place.IsServer(address) {
				return cli.Usage(cmd, errors.New("--database is needed: several processes share a memory on a PostgreSQL server only"))
			}
			if o.Binary == "" {
				if o.Binary, err = besideThis("familiar"); err != nil {
					return err
				}
			}
			o.Database, o.Processes, o.Rooms, o.People, o.Kills, o.Rolling = address, int(processes), int(rooms), int(people), int(kills), int(rolling)
			o.For = time.Duration(hours * float64(time.Hour))
			if o.Unpaced && kills > 0 {
				return cli.Usage(cmd, errors.New("--unpaced and --kills: events for a killed process are not repeated elsewhere; use one of them"))
			}
			o.Log = func(format string, args ...any) { fmt.Fprintf(inv.Errs, format+"\n", args...) }
			if memories > 0 {
				if err := fillServer(cmd.Context(), address, int(memories)); err != nil {
					return err
				}
			}
			report, err := fleet.Run(cmd.Context(), o)
			if err != nil {
				return err
			}
			return cli.WriteJSON(inv.Out, report)
		},
	}
	cmd.Flags().Var(&processes, "processes", "number of processes")
	cmd.Flags().Var(&rooms, "rooms", "number of private chats")
	cmd.Flags().Var(&people, "people", "number of people who talk at once, each in their share of the rooms")
	cmd.Flags().Float64Var(&hours, "hours", hours, "how long people talk at least, in `HOURS`")
	cmd.Flags().Var(&kills, "kills", "number of processes that are killed while people talk")
	cmd.Flags().Var(&memories, "memories", "number of memories that are there before, in a thousand other rooms")
	cmd.Flags().Var(&rolling, "rolling", "how often each process is stopped and started again while people talk, one after the other")
	cmd.Flags().Uint64Var(&o.Seed, "seed", o.Seed, "`SEED` of who is killed and when")
	cmd.Flags().BoolVar(&o.Unpaced, "unpaced", false, "talk over a network without rate limits; the other one lets the persona say one message a second in each chat")
	cmd.Flags().StringVar(&o.Binary, "familiar", "", "`PATH` of familiar (default: beside familiar-lab)")
	return cmd
}

// besideThis returns the path of a program in the directory of this one.
func besideThis(name string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	path := filepath.Join(filepath.Dir(self), name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("find %s: %w; name it with --familiar", name, err)
	}
	return path, nil
}

// filledRooms is over how many rooms the memories are spread that are there before.
const filledRooms = 1000

// fillServer fills the database at an address with memories. They are heard by a store in a file, which is faster, and moved.
func fillServer(ctx context.Context, address string, memories int) (err error) {
	parts, err := benchParts()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "familiar-fleet-")
	if err != nil {
		return fmt.Errorf("make a directory for the memories: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "familiar.db")
	if err := bench.FillRooms(ctx, parts, path, filledRooms, (memories+filledRooms-1)/filledRooms); err != nil {
		return err
	}
	store, err := memory.Open(ctx, path, memory.Options{Now: time.Now}) //nolint:forbidigo // it is measured by the real clock
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	mover, err := store.Hosting.MoveTo(ctx, address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, mover.Close()) }()
	if _, err := mover.Pass(ctx, func(string, int64) {}); err != nil {
		return err
	}
	return mover.Finish()
}
