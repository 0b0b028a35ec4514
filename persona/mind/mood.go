package mind

import (
	"math"
	"time"
)

// Mood is how the persona feels. There is one mood for all conversations. Sessions change it by how they went, never by
// what was said.
type Mood struct {
	// Valence is −1 (low) to 1 (glad).
	Valence float64 `json:"valence"`
	// Energy is 0 (worn out) to 1 (wide awake).
	Energy float64 `json:"energy"`
}

// The numbers of moods are project choices; the rules in docs/mind.md only ask for inertia.
const (
	// moodHalfLife is the half-life of a mood: a bad evening is mostly over two days later.
	moodHalfLife = 24 * time.Hour
	// moodInertia is the share of the distance to an extreme that the strongest session moves.
	moodInertia = 0.3
	// MoodPerSession bounds the change of either number in one session.
	MoodPerSession = 0.25

	// moodScale is how many events of a kind it takes for a part of the mood to reach 63 % on the curve 1 −
	// e^(−n/scale).
	moodScale   = 3   // warm or hostile messages, corrections, things achieved
	tiringScale = 100 // messages of one session

	// feltWarm and the others are the weights of each part in the feeling that a session leaves. Hostility outweighs
	// the same amount of warmth.
	feltWarm, feltAchieved, feltHostile, feltCorrected = 0.8, 0.5, 1.0, 0.1
	// feltTired is the energy that a long session costs, against what its significance adds.
	feltTired = 0.6
)

// plainMood is the mood of a card without traits that show in it.
var plainMood = Mood{Valence: 0.1, Energy: 0.5}

// temperaments are the traits that show in the mood, with their effect at strength 1.
var temperaments = map[string]Mood{
	"warm": {0.15, 0}, "cheerful": {0.3, 0.15}, "playful": {0.15, 0.2}, "optimistic": {0.25, 0.05}, "kind": {0.1, 0},
	"energetic": {0, 0.3}, "enthusiastic": {0.2, 0.25}, "curious": {0.05, 0.15}, "lively": {0.1, 0.25}, "bold": {0, 0.15},
	"calm": {0.05, -0.15}, "patient": {0.05, -0.1}, "reserved": {0, -0.1}, "gentle": {0.1, -0.1}, "stern": {-0.1, 0},
	"melancholic": {-0.3, -0.15}, "gloomy": {-0.3, -0.15}, "grumpy": {-0.25, 0}, "cynical": {-0.2, 0}, "anxious": {-0.15, 0.15},
	"sentimental": {-0.05, 0}, "wry": {0.05, 0},
}

// Temperament returns the baseline mood of a persona with these traits, by name, with strengths 0–1.
func Temperament(traits map[string]float64) Mood {
	m := plainMood
	for _, name := range sortedKeys(traits) { // in order: floating-point sums depend on it
		by, strength := temperaments[name], clamp(traits[name], 0, 1)
		m.Valence += strength * by.Valence
		m.Energy += strength * by.Energy
	}
	return m.bounded()
}

// Felt returns the mood after a session. The mood before decays towards the baseline and then moves with the session.
// Warmth and achievements raise it; hostility and, a little, corrections lower it. A significant session adds energy, a
// long one costs some. Each number approaches its extreme exponentially and moves by at most MoodPerSession.
func Felt(before, usual Mood, f SessionFacts, since time.Duration) Mood {
	m := Rested(before, usual, since)
	feeling := feltWarm*saturate(f.Warm, moodScale) + feltAchieved*saturate(f.Achieved, moodScale) -
		feltHostile*saturate(f.Hostile, moodScale) - feltCorrected*saturate(f.Corrections, moodScale)
	waking := Weigh(f).Overall - feltTired*saturate(f.Messages, tiringScale)
	m.Valence = approach(m.Valence, -1, 1, feeling)
	m.Energy = approach(m.Energy, 0, 1, waking)
	return m.bounded()
}

// Rested returns a mood after some time without a session: it moves half of the way to the baseline in a day.
func Rested(m, usual Mood, since time.Duration) Mood {
	left := halved(since, moodHalfLife)
	return Mood{
		Valence: usual.Valence + (m.Valence-usual.Valence)*left,
		Energy:  usual.Energy + (m.Energy-usual.Energy)*left,
	}.bounded()
}

// approach moves x towards high or low, by the sign of pull, and by the share |pull|·moodInertia of the distance.
func approach(x, low, high, pull float64) float64 {
	end := high
	if pull < 0 {
		end = low
	}
	share := moodInertia * min(math.Abs(pull), 1)
	return x + clamp(share*(end-x), -MoodPerSession, MoodPerSession)
}

func (m Mood) bounded() Mood {
	return Mood{Valence: clamp(m.Valence, -1, 1), Energy: clamp(m.Energy, 0, 1)}
}

// The words for moods, a fixed list.
const (
	Cheerful = "cheerful"
	Content  = "content"
	Stirred  = "stirred"
	AtEase   = "at ease"
	Tired    = "tired"
	Ruffled  = "ruffled"
	Subdued  = "subdued"
)

// The bounds between the words for moods.
const (
	gladFrom, lowBelow    = 0.3, -0.2 // valence
	awakeFrom, tiredBelow = 0.7, 0.3  // energy
)

// MoodWord returns the word for a mood, from the fixed list.
func MoodWord(m Mood) string {
	awake, tired := m.Energy >= awakeFrom, m.Energy < tiredBelow
	switch {
	case m.Valence >= gladFrom && !tired:
		if m.Energy >= 0.5 {
			return Cheerful
		}
		return Content
	case m.Valence < lowBelow && awake:
		return Ruffled
	case m.Valence < lowBelow:
		return Subdued
	case awake:
		return Stirred
	case tired:
		return Tired
	}
	return AtEase
}
