package memory_test

import (
	"strings"
	"testing"
	"time"

	"familiar/internal/tokens"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// packedItem is an item of lines said by Ann and Bo in turn, a minute apart.
func packedItem(why string, texts ...string) recall.Item {
	it := recall.Item{Why: why}
	for i, text := range texts {
		l := model.SnippetLine{
			MessageID: int64(i + 1), PersonID: int64(i%2 + 1), Author: []string{"Ann", "Bo"}[i%2], Hit: true, Text: text,
			At: time.Date(2026, 5, 1, 9, i, 0, 0, time.UTC),
		}
		it.Lines = append(it.Lines, l)
		it.Tokens += tokens.Estimate(l.String())
	}
	return it
}

func TestCompressKeepsRelevantSentences(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"what tells nothing goes", "Yeah! I hid the telescope in Oslo.", "hid telescope Oslo."},
		{"a denial stays", "I did not sell the telescope.", "not sell telescope."},
		{"doubt stays", "I might sell the telescope or the piano.", "might sell telescope or piano."},
		{"of whom it is said stays", "She has the telescope. You're right.", "She telescope. You're right."},
		{"a name stays", "I saw it with Will in May.", "saw with Will May."},
		{"what an attachment shows", "Look at the telescope [image: brass tube]", "Look telescope [image: brass tube]"},
		{"a mark stays with its value", "I am in Oslo [no longer current]. It is so nice.", "I am in Oslo [no longer current]. It is so nice."},
		{"another language stays whole", "Ich habe das Fernrohr in Oslo versteckt.", "Ich habe das Fernrohr in Oslo versteckt."},
	} {
		query := "Where is the telescope?"
		if strings.HasPrefix(c.text, "Ich") {
			query = "Wo ist das Fernrohr?"
		}
		got := recall.Compress([]recall.Item{packedItem("matches", c.text)}, query, 0)
		if len(got) != 1 || got[0].Lines[0].Text != c.want {
			t.Errorf("%s: %q becomes %+v, want %q", c.name, c.text, got, c.want)
		}
	}
}

func TestCompressAsksMoreOfLaterMemories(t *testing.T) {
	chat := make([]string, 60)
	for i := range chat {
		chat[i] = "Sounds lovely to me."
	}
	chat[0], chat[59] = "The telescope is behind the piano.", "The telescope cost 40 euros in Bergen."
	items := []recall.Item{packedItem("matches", chat...)}
	got := recall.Compress(items, "What about the telescope?", 0)
	if len(got) != 1 || len(got[0].Lines) > 20 {
		t.Fatalf("%d lines are left, want what bears on it", len(got[0].Lines))
	}
	last := got[0].Lines[len(got[0].Lines)-1]
	if !strings.Contains(last.Text, "40 euros") || !last.At.IsZero() || got[0].Lines[0].At.IsZero() {
		t.Errorf("the last line is %+v after %+v", last, got[0].Lines[0])
	}
	if got[0].Tokens >= items[0].Tokens/2 {
		t.Errorf("%d of %d tokens are left", got[0].Tokens, items[0].Tokens)
	}
	if items[0].Lines[0].Text != chat[0] {
		t.Error("what was given is changed")
	}
}

func TestCompressKeepsFittingAndPinnedMemories(t *testing.T) {
	items := []recall.Item{
		packedItem("matches", "Yeah! I hid the telescope in Oslo."),
		packedItem(recall.WhyPinned, "So that is that."), packedItem(recall.WhyStanding, "Please, be brief."),
	}
	if got := recall.Compress(items, "telescope", 1000); got[0].Lines[0].Text != items[0].Lines[0].Text {
		t.Errorf("what fits became %q", got[0].Lines[0].Text)
	}
	got := recall.Compress(items, "telescope", 0)
	for i, want := range []string{"hid telescope Oslo.", "So that is that.", "Please, be brief."} {
		if got[i].Lines[0].Text != want {
			t.Errorf("item %d became %q, want %q", i, got[i].Lines[0].Text, want)
		}
	}
}
