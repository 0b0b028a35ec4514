// Package care recognizes people in danger by rules, knows what to say to them where no model finds the words, and whom
// they can reach. It is pure.
//
// tongues/ has a file per language that recall reads. Its sections are lists of patterns of package phrase, separated by
// commas and line breaks:
//
//	class NAME       words that patterns name as $NAME
//	self             speaks of harming oneself or of ending one's life
//	harm             is harmed or threatened by somebody else
//	need             has nothing to eat, or nowhere to stay
//	other            somebody else is in danger
//	maybe            may be either of these: what a model is asked about
//	not, through     words that negate what follows, and words that may stand in between
//	unless           what in the same sentence makes it a figure of speech, a story or an accident; "unless harm" for one danger
//	grave            what in the same sentence makes it serious after all
//	related          the tag of a language that shares many words with it
//	reply DANGER     the fixed reply; contacts introduces the list below it
//
// The patterns of a language without spaces are texts, with ~ for a few characters in between.
package care
