package entry

import (
	"math"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
)

func TestAnnotate(t *testing.T) {
	at := time.Date(2024, time.May, 15, 10, 0, 0, 0, time.UTC)
	tests := []struct {
		text        string
		sector      model.Sector
		least, most float64
		instruction bool
	}{
		{"hi", model.Episodic, 0, .15, false},
		{"ok thanks!", model.Episodic, 0, .15, false},
		{"what's my dog called?", model.Episodic, .2, .35, false},
		{"we walked to the lake and it rained", model.Episodic, .4, .5, false},
		{"my dog is called Rex", model.Semantic, .6, .7, false},
		{"I like jazz", model.Semantic, .55, .65, false},
		{"I have an interview on Friday", model.Episodic, .65, .72, false},
		{"no, my dog is called Milo", model.Semantic, .75, .82, false},
		{"not Rex, Milo", model.Semantic, .75, .82, false},
		{"always greet me with ahoy", model.Procedural, .8, .88, true},
		{"call me Captain", model.Procedural, .8, .88, true},
		{"I feel so lonely", model.Emotional, .65, .85, false},
		{"I'm heartbroken", model.Emotional, .75, .9, false},
		{"To make tea, boil water first", model.Procedural, .4, .5, false},
	}
	for _, tt := range tests {
		f := Annotate(channels.Message{Text: tt.text, At: at}, "", time.UTC)
		if f.Sector != tt.sector || f.Salience < tt.least || f.Salience > tt.most || f.Instruction != tt.instruction {
			t.Errorf("%q is filed under %s with salience %.3f, instruction %t; want %s, %.2f–%.2f, %t",
				tt.text, f.Sector, f.Salience, f.Instruction, tt.sector, tt.least, tt.most, tt.instruction)
		}
	}
}

func TestAnnotateResolvesTimesInTheAuthorsZone(t *testing.T) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2024, time.May, 15, 20, 0, 0, 0, time.UTC) // already the 16th in Tokyo
	f := Annotate(channels.Message{Text: "I have an interview tomorrow", At: at}, "", tokyo)
	if want := time.Date(2024, time.May, 17, 0, 0, 0, 0, tokyo); !f.EventFrom.Equal(want) || !f.EventUntil.Equal(want.AddDate(0, 0, 1)) {
		t.Errorf("tomorrow is %v to %v, want the 17th in Tokyo", f.EventFrom, f.EventUntil)
	}
	if f := Annotate(channels.Message{Text: "no time here", At: at}, "", nil); !f.EventFrom.IsZero() || !f.EventUntil.IsZero() {
		t.Errorf("a text without a time has the window %v to %v", f.EventFrom, f.EventUntil)
	}
}

func TestAnnotateReadsNoClaimsOutOfAttachments(t *testing.T) {
	m := channels.Message{Attachments: []channels.Attachment{{Kind: "image", Caption: "my dog is called Rex"}}}
	f := Annotate(m, "", nil)
	if len(f.Analysis.Claims) != 0 || f.Salience != salienceAttachment {
		t.Errorf("an image is filed as %+v", f)
	}
	dune := channels.Message{Text: "The author of Dune is Frank Herbert."}
	if claims := (Annotator{WithoutFacts: true}).Annotate(dune, "", nil).Analysis.Claims; len(claims) != 0 {
		t.Errorf("a filer without facts reads %+v", claims)
	}
	if claims := Annotate(dune, "", nil).Analysis.Claims; len(claims) != 1 {
		t.Errorf("%q is read as %+v", dune.Text, claims)
	}
	if f := Annotate(channels.Message{Arrival: true}, "", nil); f.Salience != 0 || f.Sector != model.Episodic {
		t.Errorf("an arrival is filed as %+v", f)
	}
}

func TestAnnotateAnswersToThePersona(t *testing.T) {
	f := Annotate(channels.Message{Text: "Rex"}, "What's your dog called?", nil)
	if len(f.Analysis.Claims) != 1 || f.Analysis.Claims[0].Relation != "pet_name:dog" || f.Analysis.Claims[0].Kind != rel.Fact {
		t.Errorf("a bare answer is filed as %+v", f.Analysis.Claims)
	}
}

func FuzzAnnotate(f *testing.F) {
	f.Add("I have an interview on Friday", "")
	f.Add("my password is hunter2", "What's your dog called?")
	f.Fuzz(func(t *testing.T, text, before string) {
		got := Annotate(channels.Message{Text: text, At: time.Unix(1715769000, 0)}, before, nil)
		if got.Salience < 0 || got.Salience > 1 || math.IsNaN(got.Salience) || got.Sector == "" {
			t.Fatalf("%q is filed as %+v", text, got)
		}
		if !got.EventFrom.IsZero() && !got.EventFrom.Before(got.EventUntil) {
			t.Fatalf("%q: empty window %v to %v", text, got.EventFrom, got.EventUntil)
		}
	})
}
