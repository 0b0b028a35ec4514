package lore

import "testing"

func TestS12NamesAreFoundWithEndings(t *testing.T) {
	known := names{"Bernhard", "Will", "Mira"}
	for said, want := range map[string]string{
		"The bernhards pub is old.": "Bernhard", "Bernhards Kneipe ist alt.": "Bernhard", "the bernhard pub": "Bernhard", "Bernhard’s pub": "Bernhard",
		"Will is at the door.": "Will", "Wills dog barked.": "Will", "The bar will open at six.": "", "A miracle happened.": "", "Miras Boot": "Mira",
	} {
		if got := known.in(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
