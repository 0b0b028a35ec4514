package understand

import "familiar/memory/understand/english"

// intensities maps the words for feelings to their strength, 0–1.
var intensities = map[string]float64{
	"sad": .6, "happy": .5, "stressed": .7, "anxious": .7, "worried": .6, "scared": .7, "afraid": .7, "angry": .7, "mad": .6,
	"upset": .65, "lonely": .75, "excited": .6, "proud": .6, "depressed": .9, "tired": .35, "exhausted": .6, "nervous": .6,
	"frustrated": .6, "disappointed": .6, "grateful": .55, "thankful": .5, "hopeful": .5, "hopeless": .9, "heartbroken": .95,
	"devastated": .95, "overwhelmed": .75, "ashamed": .7, "guilty": .65, "jealous": .6, "relieved": .55, "content": .45,
	"bored": .35, "confused": .4, "hurt": .7, "terrified": .85, "miserable": .8, "thrilled": .75, "ecstatic": .85, "furious": .85,
	"annoyed": .5, "homesick": .65, "embarrassed": .6, "calm": .4, "down": .55, "low": .5, "awful": .65, "terrible": .65,
	"great": .45, "good": .35, "better": .4, "bad": .5, "amazing": .6, "wonderful": .6, "lost": .6, "empty": .7, "insecure": .6,
	"drained": .6, "burnt": .6, "burned": .6, "optimistic": .5, "inspired": .5, "blessed": .5, "glad": .5, "unhappy": .65,
	"crushed": .85, "panicked": .8, "restless": .45, "numb": .7, "fine": .2, "okay": .2, "sick": .4, "loved": .6, "gutted": .75,
}

// Intensity returns the strength of a feeling's word, 0–1, or 0 for any other word.
func Intensity(feeling string) float64 { return intensities[english.Normalize(feeling)] }
