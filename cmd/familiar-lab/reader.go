package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/memory/understand/reader"
	"familiar/memory/understand/sentences"
)

func newReader(inv *cli.Invocation) *cobra.Command {
	return cli.Group("reader", "Train the reader of messages, and score it",
		"Train the reader of messages on labelled ones, and score it. Run it in the repository.", newReaderTrain(inv), newReaderScore(inv), newReaderQuestions(inv))
}

// readerFlags are the flags of reader.
type readerFlags struct {
	dir, weights, author string
	qa                   string
	held                 bool
	sure                 float64
}

func (f *readerFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.dir, "sentences", "memory/understand/sentences", "the `directory` of the labelled messages")
	cmd.Flags().StringVar(&f.weights, "weights", "memory/understand/reader/weights.bin", "the `file` of the weights")
	cmd.Flags().StringVar(&f.qa, "qa", "internal/lab/talk/qa", "the `directory` of questions with answers, which tell what is a question")
}

func newReaderTrain(inv *cli.Invocation) *cobra.Command {
	var f readerFlags
	cmd := &cobra.Command{
		Use: "train", Short: "Fit the reader's weights to the labelled messages", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			authors, err := f.authors("")
			if err != nil {
				return err
			}
			weights := reader.Fit(authors)
			questions, err := f.questions("")
			if err != nil {
				return err
			}
			more, err := f.talk()
			if err != nil {
				return err
			}
			asked := reader.FitQuestions(questions, messagesOf(authors), more)
			if err := os.WriteFile(filepath.Join(filepath.Dir(f.weights), "questions.bin"), asked, 0o644); err != nil {
				return err
			}
			if err := os.WriteFile(f.weights, weights, 0o644); err != nil {
				return err
			}
			if inv.JSON {
				return cli.WriteJSON(inv.Out, map[string]int{"bytes": len(weights), "question_bytes": len(asked)})
			}
			fmt.Fprintf(inv.Out, "%d bytes of weights, %d for questions\n", len(weights), len(asked))
			return nil
		},
	}
	f.add(cmd)
	return cmd
}

func newReaderScore(inv *cli.Invocation) *cobra.Command {
	var f readerFlags
	cmd := &cobra.Command{
		Use: "score", Short: "Score the reader on labelled messages of an author that it has not seen", Args: cobra.NoArgs,
		Long: "Score the reader on labelled messages of an author that it has not seen: it is trained on the messages of all\n" +
			"others first. With --held the weights of the file are scored on the messages that are held out; nothing may be\n" +
			"tuned by them.\n\nA fact counts as right if its relation is, and its value overlaps the marked one.",
		RunE: func(*cobra.Command, []string) error { return f.score(inv) },
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.author, "author", "en2", "the author who is left out, by the `name` of their file")
	cmd.Flags().BoolVar(&f.held, "held", false, "score the weights of the file on held out messages")
	cmd.Flags().Float64Var(&f.sure, "sure", 0.6, "count facts that are at least so `likely` to be right")
	return cmd
}

// authors returns the labelled messages that the reader is trained on, without those of one author.
func (f *readerFlags) authors(without string) ([]reader.Labelled, error) {
	files, err := filepath.Glob(filepath.Join(f.dir, "train", "*.txt"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there are no labelled messages in %s", f.dir)
	}
	slices.Sort(files)
	var all []reader.Labelled
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if name == without {
			continue
		}
		messages, err := parsed(file)
		if err != nil {
			return nil, err
		}
		all = append(all, reader.Labelled{English: strings.HasPrefix(name, "en"), Messages: messages})
	}
	return all, nil
}

// messagesOf returns the messages of all authors.
func messagesOf(authors []reader.Labelled) (all []sentences.Sentence) {
	for _, a := range authors {
		all = append(all, a.Messages...)
	}
	return all
}

// parsed returns the labelled messages of a file.
func parsed(file string) ([]sentences.Sentence, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	all, err := sentences.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return all, nil
}

// questions returns the labelled questions of all authors but one, or of that one alone if its name begins with "=".
func (f *readerFlags) questions(without string) (all []sentences.Question, err error) {
	files, err := filepath.Glob(filepath.Join(f.dir, "questions", "*.txt"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there are no labelled questions in %s", f.dir)
	}
	slices.Sort(files)
	only, alone := strings.CutPrefix(without, "=")
	for _, file := range files {
		named := strings.TrimSuffix(filepath.Base(file), ".txt") == only
		if alone && !named || !alone && named {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		questions, err := sentences.ParseQuestions(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, questions...)
	}
	return all, nil
}

// talk returns what is asked and said in the questions with answers.
func (f *readerFlags) talk() (t reader.Talk, err error) {
	all, err := readQA(f.qa)
	for _, qa := range all {
		for _, a := range qa.Asks {
			t.Asked = append(t.Asked, a.Question)
		}
		for _, m := range qa.Messages {
			t.Said = append(t.Said, m.Text)
		}
	}
	return t, err
}

func newReaderQuestions(inv *cli.Invocation) *cobra.Command {
	var f readerFlags
	cmd := &cobra.Command{
		Use: "questions", Short: "Score how questions are read, on those of an author who was left out", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			learn, err := f.questions(f.author)
			if err != nil {
				return err
			}
			exam, err := f.questions("=" + f.author)
			if err != nil {
				return err
			}
			authors, err := f.authors("")
			if err != nil {
				return err
			}
			more, err := f.talk()
			if err != nil {
				return err
			}
			s := reader.JudgeQuestions(learn, exam, messagesOf(authors), more)
			if inv.JSON {
				return cli.WriteJSON(inv.Out, s)
			}
			fmt.Fprintf(inv.Out, "%d questions: kind right %.3f, among three %.3f, whom right %.3f, taken for questions %.3f\n", s.Questions,
				share(s.Kind, s.Questions), share(s.AmongThree, s.Questions), share(s.Whom, s.Questions), share(s.Recalls, s.Told))
			return nil
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.author, "author", "en2", "the author who is left out, by the `name` of their file")
	return cmd
}

func share(count, of int) float64 { return float64(count) / float64(max(of, 1)) }

func (f *readerFlags) score(inv *cli.Invocation) error {
	weights, messages, err := f.exam()
	if err != nil {
		return err
	}
	r, err := reader.Load(weights)
	if err != nil {
		return err
	}
	s := reader.Judge(r.Read, messages, f.sure)
	if f.held {
		s.Relations = nil // only totals of what is held out may be looked at
	}
	if inv.JSON {
		return cli.WriteJSON(inv.Out, s)
	}
	fmt.Fprintf(inv.Out, "%d messages, class right %.3f\n\n", s.Messages, float64(s.Classes)/float64(max(s.Messages, 1)))
	fmt.Fprintf(inv.Out, "%-15s %7s %7s %10s %7s\n", "relation", "marked", "read", "precision", "recall")
	for _, name := range sentences.Relations {
		if c := s.Relations[name]; c != nil {
			fmt.Fprintf(inv.Out, "%-15s %7d %7d %10.3f %7.3f\n", name, c.Marked, c.Read, c.Precision(), c.Recall())
		}
	}
	t := s.Total
	right := float64(max(t.Right, 1))
	fmt.Fprintf(inv.Out, "%-15s %7d %7d %10.3f %7.3f\n\n", "all", t.Marked, t.Read, t.Precision(), t.Recall())
	fmt.Fprintf(inv.Out, "Of the right ones: bounds %.3f, subject %.3f, denied or replaced %.3f\n", float64(t.Exact)/right, float64(t.Subject)/right, float64(t.Stance)/right)
	return nil
}

// exam returns the weights to score and the messages to score them on.
func (f *readerFlags) exam() (weights []byte, messages []sentences.Sentence, err error) {
	if !f.held {
		authors, err := f.authors(f.author)
		if err != nil {
			return nil, nil, err
		}
		messages, err = parsed(filepath.Join(f.dir, "train", f.author+".txt"))
		if err != nil {
			return nil, nil, err
		}
		return reader.Fit(authors), messages, nil
	}
	files, err := filepath.Glob(filepath.Join(f.dir, "held", "*.txt"))
	if err != nil {
		return nil, nil, err
	}
	for _, file := range files {
		more, err := parsed(file)
		if err != nil {
			return nil, nil, err
		}
		messages = append(messages, more...)
	}
	weights, err = os.ReadFile(f.weights)
	return weights, messages, err
}
