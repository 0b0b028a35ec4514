package talk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"familiar/internal/lab/talk"
)

func TestQuestionsWithAnswersAreRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "qa.txt")
	write := func(data string) {
		if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("> sold the volvo, bought an e-bike\n@Dana: we went to Crete\n< Try the bakery.\n? what do i ride | e-bike ; bought an e-bike\n? what did it cost? | -\n\n> x\n? y | x\n")
	all, err := talk.ReadQA(file)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d talks, %v", len(all), err)
	}
	first := all[0]
	if len(first.Messages) != 3 || first.Messages[1].By != "Dana" || !first.Messages[2].Self || first.Messages[0].Text != "sold the volvo, bought an e-bike" {
		t.Errorf("%+v", first.Messages)
	}
	if len(first.Asks) != 2 || len(first.Asks[0].Answers) != 2 || first.Asks[0].Answers[0] != "e-bike" || len(first.Asks[1].Answers) != 0 {
		t.Errorf("%+v", first.Asks)
	}
	for data, want := range map[string]string{
		"> a\n? b | c":  `line 2: the answer "c" is in no message`,
		"> a\n? b":      "line 2: want a question",
		"@Dana a\n":     "line 1: want @Name: text",
		"> a\nb | c\n":  "line 2: a line begins with",
		"> a\n\n? b |c": "line 3: want a question",
	} {
		write(data)
		if _, err := talk.ReadQA(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, not %q", data, err, want)
		}
	}
}

// TestTheLearntQuestionsAreRead reads the questions that the evidence learns from, and those of the exam.
func TestTheLearntQuestionsAreRead(t *testing.T) {
	learn, err := filepath.Glob("qa/*.txt")
	if err != nil || len(learn) < 20 {
		t.Fatalf("%d files, %v", len(learn), err)
	}
	questions, unanswered := 0, 0
	for _, file := range append(learn, "exam/qa.txt") {
		all, err := talk.ReadQA(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, qa := range all {
			for _, a := range qa.Asks {
				questions++
				if len(a.Answers) == 0 {
					unanswered++
				}
			}
		}
	}
	if questions < 15000 || unanswered < questions/3 {
		t.Errorf("%d questions, %d without an answer", questions, unanswered)
	}
}
