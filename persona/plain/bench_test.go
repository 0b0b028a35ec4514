package plain

import (
	"context"
	"fmt"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/scene"
)

// longTalk is a question in the middle of a conversation of forty lines, with ten recalled items and a dozen beliefs.
func longTalk() scene.Scene {
	const question = "when did I go hiking with my sister near the old lighthouse?"
	read := understand.Analyze(understand.Utterance{Text: question, At: May})
	s := annScene(scene.Line{Text: question, Parsed: read})
	for i := range 40 {
		at := May.Add(time.Duration(i-40) * time.Minute)
		line := scene.Line{MessageID: int64(100 + i), PersonID: annID, Name: "Ann", At: at, Text: fmt.Sprintf(
			"In week %d we painted the kitchen and the neighbours came over for dinner. Nobody wanted to leave before midnight, it was lovely.", i)}
		if i%2 == 1 {
			line = scene.Line{MessageID: line.MessageID, Self: true, Name: "Nova", At: at, Text: "That sounds like a long evening. What did you cook for everybody?"}
		}
		s.Recent = append(s.Recent, line)
	}
	for i := range int64(10) {
		item := said(i+1, annID, "Ann", "Last Saturday I went hiking with my sister. We saw the old lighthouse and a fox crossed the path.", May.AddDate(0, 0, -int(i)-3))
		item.Lines = append(item.Lines, model.SnippetLine{MessageID: 50 + i, PersonID: annID, Author: "Ann", At: May, Text: "The weather held until the evening, then it poured."})
		s.Recall.Items = append(s.Recall.Items, item)
	}
	for i := range 12 {
		b := told("likes", fmt.Sprintf("rainy day number %d", i))
		if i%3 == 0 {
			b.Status = model.Superseded
		}
		s.Beliefs = append(s.Beliefs, b)
	}
	return s
}

func BenchmarkPlainAnswersInALongTalk(b *testing.B) {
	s, voice := longTalk(), New()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := voice.Reply(context.Background(), s, nil); err != nil {
			b.Fatal(err)
		}
	}
}
