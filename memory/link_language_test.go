package memory_test

import (
	"testing"
)

// TestConversationsAreLinkedInTheirLanguage links texts that share content words in different forms, and not those that share
// only the grammar of a language other than English.
func TestConversationsAreLinkedInTheirLanguage(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "Ich habe mit dem Arzt über das Knie gesprochen")
	w.say("", "ann", "Ich habe mit dem Chef über das Geld gestritten")
	w.link()
	if edges := w.edges(); len(edges) != 0 {
		t.Errorf("joined for their grammar: %q", edges)
	}
	w.say("", "ann", "Der Arzt hat wieder über die Knie gesprochen")
	w.link()
	if edges := w.edges(); len(edges) != 1 {
		t.Errorf("not joined for what they tell: %q", edges)
	}
}
