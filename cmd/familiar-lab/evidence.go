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
	var probes, answers, weights, net, labelled string
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
			answered, err := readQA(answers)
			if err != nil {
				return err
			}
			questions, err := (&readerFlags{dir: labelled}).questions("")
			if err != nil {
				return err
			}
			authors, err := (&readerFlags{dir: labelled}).authors("")
			if err != nil {
				return err
			}
			m := talk.FitEvidence(learn, answered, questions, messagesOf(authors), func(format string, parts ...any) {
				if !inv.JSON {
					fmt.Fprintf(inv.Errs, format+"\n", parts...)
				}
			})
			if err := os.WriteFile(weights, []byte(m.Weights.String()), 0o644); err != nil {
				return err
			}
			data := m.Network.Bytes()
			if err := os.WriteFile(net, data, 0o644); err != nil {
				return err
			}
			if inv.JSON {
				return cli.WriteJSON(inv.Out, map[string]int{"probes": len(learn), "talks": len(answered), "bytes": len(data)})
			}
			fmt.Fprintf(inv.Out, "%d probes, %d talks with answers, %d bytes of weights\n", len(learn), len(answered), len(data))
			return nil
		},
	}
	cmd.Flags().StringVar(&probes, "probes", "internal/lab/talk/probes", "the `directory` of the probes to learn from")
	cmd.Flags().StringVar(&answers, "qa", "internal/lab/talk/qa", "the `directory` of the questions with answers to learn from")
	cmd.Flags().StringVar(&labelled, "sentences", "memory/understand/sentences", "the `directory` of the labelled questions, of which those about the world have no answer")
	cmd.Flags().StringVar(&weights, "weights", "persona/evidence/weights.txt", "the `file` of the weights that choose lines")
	cmd.Flags().StringVar(&net, "network", "persona/evidence/network.bin", "the `file` of the network's weights")
	return cmd
}

func newEvidenceScore(inv *cli.Invocation) *cobra.Command {
	var show float64
	cmd := &cobra.Command{
		Use: "score FILE…", Short: "Score the weights in this binary on probes", Args: cobra.MinimumNArgs(1),
		Long: "Score the weights in this binary on probes (.json) and on questions with answers (.txt): for several least probabilities, how\n" +
			"many questions get a line that answers (right), how many of all get a wrong line (wrong), and how many that nothing\n" +
			"answers get none (honest). The area under the curve is how likely an answerable question gets a higher probability\n" +
			"than one that nothing answers.",
		RunE: func(_ *cobra.Command, files []string) error {
			var probes []talk.Probe
			var answered []talk.QA
			for _, file := range files {
				var err error
				var p []talk.Probe
				var qa []talk.QA
				if filepath.Ext(file) == ".json" {
					p, err = talk.Read(file)
				} else {
					qa, err = talk.ReadQA(file)
				}
				if err != nil {
					return err
				}
				probes, answered = append(probes, p...), append(answered, qa...)
			}
			scores, area, wrong := talk.JudgeEvidence(evidence.Trained(), probes, answered, show)
			if inv.JSON {
				return cli.WriteJSON(inv.Out, map[string]any{"scores": scores, "area": area, "wrong": wrong})
			}
			fmt.Fprintf(inv.Out, "area under the curve: %.3f\n", area)
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

// readQA returns the questions with answers in a directory.
func readQA(dir string) ([]talk.QA, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there are no questions with answers in %s", dir)
	}
	return talk.ReadQA(files...)
}
