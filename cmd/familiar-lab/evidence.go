package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/internal/lab/talk"
	"familiar/persona/evidence"
)

func newEvidence(inv *cli.Invocation) *cobra.Command {
	return cli.Group("evidence", "Train what tells which line answers a question, and score it",
		"Train what tells which of the lines that were told answers a question, and whether any does, on probes with known answers.\n"+
			"Run it in the repository, after the reader of messages was trained and the lab was built with its weights.",
		newEvidenceTrain(inv), newEvidenceScore(inv))
}

func newEvidenceTrain(inv *cli.Invocation) *cobra.Command {
	var probes, weights, labelled string
	cmd := &cobra.Command{
		Use: "train", Short: "Fit the weights to the probes of the repository", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			files, err := filepath.Glob(filepath.Join(probes, "*.json"))
			if err != nil || len(files) == 0 {
				return fmt.Errorf("there are no probes in %s", probes)
			}
			learn, err := talk.Read(files...)
			if err != nil {
				return err
			}
			questions, err := (&readerFlags{dir: labelled}).questions("")
			if err != nil {
				return err
			}
			var unrelated []string
			for _, q := range questions {
				if q.Kind == "none" || q.Kind == "persona_self" {
					unrelated = append(unrelated, q.Text)
				}
			}
			authors, err := (&readerFlags{dir: labelled}).authors("")
			if err != nil {
				return err
			}
			m := talk.FitEvidence(learn, unrelated, messagesOf(authors)).String()
			if err := os.WriteFile(weights, []byte(m), 0o644); err != nil {
				return err
			}
			if inv.JSON {
				return cli.WriteJSON(inv.Out, map[string]int{"probes": len(learn), "bytes": len(m)})
			}
			fmt.Fprintf(inv.Out, "%d probes, %d bytes of weights\n", len(learn), len(m))
			return nil
		},
	}
	cmd.Flags().StringVar(&probes, "probes", "internal/lab/talk/probes", "the `directory` of the probes to learn from")
	cmd.Flags().StringVar(&labelled, "sentences", "memory/understand/sentences", "the `directory` of the labelled questions, of which those about the world have no answer")
	cmd.Flags().StringVar(&weights, "weights", "persona/evidence/weights.txt", "the `file` of the weights")
	return cmd
}

func newEvidenceScore(inv *cli.Invocation) *cobra.Command {
	var show float64
	cmd := &cobra.Command{
		Use: "score FILE…", Short: "Score the weights in this binary on probes", Args: cobra.MinimumNArgs(1),
		Long: "Score the weights in this binary on probes: for several least probabilities, how many questions get a line that answers\n" +
			"(right), how many of all get a wrong line (wrong), and how many that nothing answers get none (honest).",
		RunE: func(_ *cobra.Command, files []string) error {
			probes, err := talk.Read(files...)
			if err != nil {
				return err
			}
			scores, wrong := talk.JudgeEvidence(evidence.Trained(), probes, show)
			if inv.JSON {
				return cli.WriteJSON(inv.Out, map[string]any{"scores": scores, "wrong": wrong})
			}
			for _, s := range scores {
				fmt.Fprintf(inv.Out, "p ≥ %.2f: right %.3f, wrong %.3f, honest %.3f\n", s.Least, s.Right.Share, s.Wrong.Share, s.Honest.Share)
			}
			for _, w := range wrong {
				fmt.Fprintln(inv.Out, w)
			}
			return nil
		},
	}
	cmd.Flags().Float64Var(&show, "show", 0, "show the questions that go wrong at this least `probability`")
	return cmd
}
