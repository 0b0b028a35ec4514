package signin

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
)

// notSignedIn tells how to log in. again is the path that was asked for, "" for none: a link from another site does not bring the
// cookie, one from this page does.
func (g *Guard) notSignedIn(again string) refusal {
	why := refusal{Title: "Please sign in", Help: []string{
		"Operators: run `familiar dashboard` on the machine of the persona. It prints a link that signs you in.",
		"To see what a persona knows about you: send it /me in a direct chat.",
	}}
	if g.Address != "" {
		why.Help = append(why.Help, "The address of this dashboard is "+g.Address+".")
	}
	if again != "" {
		why.Help = append(why.Help, "If this browser is signed in and a link from elsewhere brought you here, try again.")
		why.Again = "/" + strings.TrimLeft(again, "/\\")
	}
	return why
}

func wrongLink() refusal {
	return refusal{Title: "This link does not work", Help: []string{
		"A link signs in once and for a few minutes only. Ask for a new one: `familiar dashboard` prints one for operators, and /me in a direct chat with the persona gives you yours.",
	}}
}

func tooMany() refusal {
	return refusal{Title: "Too many wrong links", Help: []string{"Wait a little, then use a new link."}}
}

func foreignPage() refusal {
	return refusal{Title: "This did not come from this page", Help: []string{
		"Nothing was changed. The form was another site's, or of an earlier sign-in: open the page again and repeat it there.",
	}}
}

func tooLong(limit int64) refusal {
	return refusal{Title: "That is too long", Help: []string{fmt.Sprintf("The longest that is taken here has %s. Nothing was changed.", humanize.IBytes(uint64(limit)))}}
}

func onlyViews() refusal {
	return refusal{Title: "You can look, but not change anything", Help: []string{
		"Nothing was changed. An operator can: `familiar dashboard` without --role viewer prints their link.",
	}}
}
