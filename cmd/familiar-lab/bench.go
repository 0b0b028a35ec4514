package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/embed"
	"familiar/internal/lab/bench"
	"familiar/internal/llm"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/plain"
)

func newBench(inv *cli.Invocation) *cobra.Command {
	return cli.Group("bench", "Measure the product on this machine",
		"Measure the product on this machine, through its public interfaces and in temporary databases. Each benchmark prints one\n"+
			"JSON object; report shows all results as a table.",
		newBenchRecall(inv), newBenchFacts(inv), newBenchCompare(inv), newBenchScale(inv), newBenchTurn(inv), newBenchBurst(inv), newBenchModel(inv), newBenchNights(inv), newBenchWatch(inv),
		newBenchMCP(inv),
		newBenchReport(inv))
}

func newBenchRecall(inv *cli.Invocation) *cobra.Command {
	leaveOneOut, leaveCorpusOut := false, false
	var embedder, model string
	cmd := &cobra.Command{
		Use: "recall FILE…", Short: "Measure recall quality on conversations in LoCoMo format", Args: cobra.MinimumNArgs(1),
		Long: "Measure recall quality on conversations in LoCoMo format, in files or in all files of a directory. A file that names\n" +
			"its \"persona\" is replayed with that speaker as the persona in a direct room; others as talk in a group.",
		RunE: func(cmd *cobra.Command, files []string) error {
			card, err := benchCard()
			if err != nil {
				return err
			}
			parts := bench.RecallParts{Card: card, Voice: plain.New(), Settings: benchSettings(), LeaveOneOut: leaveOneOut, LeaveCorpusOut: leaveCorpusOut}
			if parts.Embedder, err = benchEmbedder(inv, embedder, model); err != nil {
				return err
			}
			report, err := bench.Recall(cmd.Context(), parts, files)
			if err != nil {
				return err
			}
			return cli.WriteJSON(inv.Out, report)
		},
	}
	cmd.Flags().StringVar(&embedder, "embedder", "", "also recall by vectors: `hash` for hashed words, which add no information, or the address of\n"+
		"an OpenAI-compatible server. words_alone is recall without them, vector_worth what they are worth")
	cmd.Flags().StringVar(&model, "embedding-model", "default", "the server's `NAME` for the model")
	cmd.Flags().BoolVar(&leaveOneOut, "leave-one-out", false,
		"also evaluate each file with weights fitted to the others, and show the weights fitted to all files;\n"+
			"with --embedder only the weights of meaning are fitted")
	cmd.Flags().BoolVar(&leaveCorpusOut, "leave-corpus-out", false,
		"also evaluate the files of each directory with weights fitted to those of the others")
	return cmd
}

func newBenchFacts(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "facts FILE…", Short: "Measure whether the newest fact is recalled, on files of facts and questions", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			card, err := benchCard()
			if err != nil {
				return err
			}
			report, err := bench.Facts(cmd.Context(), bench.RecallParts{
				Card: card, Voice: plain.New(), Settings: benchSettings(),
			}, files)
			if err != nil {
				return err
			}
			return cli.WriteJSON(inv.Out, report)
		},
	}
}

// hashDimensions is the length of a vector of hashed words, a common length of small models.
const hashDimensions = 384

// benchEmbedder returns the embedder to measure, nil if none is named.
func benchEmbedder(inv *cli.Invocation, which, model string) (embed.Embedder, error) {
	switch which {
	case "":
		return nil, nil
	case "hash":
		return embed.Hash{Dimensions: hashDimensions}, nil
	}
	if err := config.CheckAddress(which, "embedder.api_key"); err != nil {
		return nil, fmt.Errorf("--embedder %w, or hash", err)
	}
	return llm.NewEmbedder(llm.EmbedderSettings{Provider: "openai", Model: model, BaseURL: which, Now: inv.Now})
}

func newBenchTurn(inv *cli.Invocation) *cobra.Command {
	messages, rooms := cli.Count(2000), cli.Count(8)
	cmd := &cobra.Command{
		Use: "turn", Short: "Measure throughput from inbox to reply, in messages per second", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			parts, err := benchParts()
			if err != nil {
				return err
			}
			report, err := bench.Turn(cmd.Context(), parts, int(messages), int(rooms))
			if err != nil {
				return err
			}
			return cli.WriteJSON(inv.Out, report)
		},
	}
	cmd.Flags().Var(&messages, "messages", "number of messages")
	cmd.Flags().Var(&rooms, "rooms", "number of rooms")
	return cmd
}

func newBenchBurst(inv *cli.Invocation) *cobra.Command {
	messages, rooms := cli.Count(10), cli.Count(1000)
	cmd := &cobra.Command{
		Use: "burst", Short: "Measure many rooms at once over Telegram's protocol, one of them slow", Args: cobra.NoArgs,
		Long: "Measure many rooms that write at the same time: how soon their messages are on disk, whether each is answered once and\n" +
			"in order, and whether one slow room delays the others. The messages come over Telegram's protocol from a server in this\n" +
			"process. Its rate limits are off: at 30 messages per second they would be all that is measured.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			parts, err := benchParts()
			if err != nil {
				return err
			}
			report, err := bench.Burst(cmd.Context(), parts, int(rooms), int(messages))
			if err != nil {
				return err
			}
			return cli.WriteJSON(inv.Out, report)
		},
	}
	cmd.Flags().Var(&messages, "messages", "number of messages in each room")
	cmd.Flags().Var(&rooms, "rooms", "number of rooms")
	return cmd
}

func newBenchModel(inv *cli.Invocation) *cobra.Command {
	rooms, messages, serves, inFlight, takes := cli.Count(24), cli.Count(4), cli.Count(2), cli.Count(2), 200*time.Millisecond
	cmd := &cobra.Command{
		Use: "model", Short: "Measure how long rooms wait for a model that serves few requests at a time", Args: cobra.NoArgs,
		Long: "Measure how long rooms wait for a model that serves few requests at a time. All rooms ask at the same time a provider\n" +
			"in this process, which turns away whatever is more than it serves, while a job asks without end. wait_ms is the time until the\n" +
			"answer, without the time that the model takes.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := bench.Model(cmd.Context(), bench.ModelParts{Rooms: int(rooms), Messages: int(messages), Serves: int(serves), InFlight: int(inFlight), Takes: takes})
			if err != nil {
				return err
			}
			return cli.WriteJSON(inv.Out, report)
		},
	}
	cmd.Flags().Var(&rooms, "rooms", "number of rooms")
	cmd.Flags().Var(&messages, "messages", "number of messages in each room")
	cmd.Flags().Var(&serves, "serves", "number of requests that the provider serves at a time")
	cmd.Flags().Var(&inFlight, "in-flight", "number of requests that the client makes at a time, as model.in_flight")
	cmd.Flags().DurationVar(&takes, "takes", takes, "how long the model takes for an answer")
	return cmd
}

// benchCard returns the persona to measure: the default one, independent of the configuration.
func benchCard() (*card.Card, error) { return card.LoadCard("", config.DefaultPersona) }

// benchSettings returns the default settings, independent of the configuration.
func benchSettings() persona.Settings { return app.EngineSettings(config.Default(), time.UTC) }
