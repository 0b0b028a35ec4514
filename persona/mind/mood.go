package mind

import (
	"math"
	"time"
)

// Mood is how the persona feels: one mood for everybody it talks with, moved by how sessions go and never by what was
// said in them.
type Mood struct {
	// Valence is −1 (low) to 1 (glad).
	Valence float64 `json:"valence"`
	// Energy is 0 (worn out) to 1 (wide awake).
	Energy float64 `json:"energy"`
}

// The figures of mood are project choices; the rules of docs/mind ask for inertia alone.
const (
	// moodHalfLife is the time apart in which half of a mood has gone: a bad evening is mostly over two days later.
	moodHalfLife = 24 * time.Hour
	// moodInertia is the share of the way to an extreme that the strongest session would go.
	moodInertia = 0.3
	// MoodPerSession bounds how far either figure moves in one session.
	MoodPerSession = 0.25

	// How many of a kind it takes for a part of the mood to reach 63 % on the curve 1 − e^(−n/scale).
	moodScale   = 3   // warm or hostile messages, corrections, things achieved
	tiringScale = 100 // messages of one session

	// What each part weighs in the feeling a session leaves. Hostility outweighs as much warmth.
	feltWarm, feltAchieved, feltHostile, feltCorrected = 0.8, 0.5, 1.0, 0.1
	// feltTired is what a long session takes, against the energy that its significance gives.
	feltTired = 0.6
)

// plainMood is that of a card whose traits say nothing of moods.
var plainMood = Mood{Valence: 0.1, Energy: 0.5}

// temperaments are the traits of a card that show in its mood, with how far each, at strength 1, moves it.
var temperaments = map[string]Mood{
	"warm": {0.15, 0}, "cheerful": {0.3, 0.15}, "playful": {0.15, 0.2}, "optimistic": {0.25, 0.05}, "kind": {0.1, 0},
	"energetic": {0, 0.3}, "enthusiastic": {0.2, 0.25}, "curious": {0.05, 0.15}, "lively": {0.1, 0.25}, "bold": {0, 0.15},
	"calm": {0.05, -0.15}, "patient": {0.05, -0.1}, "reserved": {0, -0.1}, "gentle": {0.1, -0.1}, "stern": {-0.1, 0},
	"melancholic": {-0.3, -0.15}, "gloomy": {-0.3, -0.15}, "grumpy": {-0.25, 0}, "cynical": {-0.2, 0}, "anxious": {-0.15, 0.15},
	"sentimental": {-0.05, 0}, "wry": {0.05, 0},
}

// Temperament returns the mood a persona of these traits (name → strength, 0–1) is in when nothing moves it.
func Temperament(traits map[string]float64) Mood {
	m := plainMood
	for _, name := range sortedKeys(traits) { // in order: sums of floats depend on it
		by, strength := temperaments[name], clamp(traits[name], 0, 1)
		m.Valence += strength * by.Valence
		m.Energy += strength * by.Energy
	}
	return m.bounded()
}

// Felt returns the mood after a session: what is left of the mood before, the time since then having drawn it toward
// the usual one, moved by how the session went. Warmth and what was achieved lift it, hostility and, a little, being
// corrected lower it; a session that meant something wakes, a long one tires. Each figure approaches its extreme
// exponentially and moves by no more than MoodPerSession.
func Felt(before, usual Mood, f SessionFacts, since time.Duration) Mood {
	m := Rested(before, usual, since)
	feeling := feltWarm*saturate(f.Warm, moodScale) + feltAchieved*saturate(f.Achieved, moodScale) -
		feltHostile*saturate(f.Hostile, moodScale) - feltCorrected*saturate(f.Corrections, moodScale)
	waking := Weigh(f).Overall - feltTired*saturate(f.Messages, tiringScale)
	m.Valence = approach(m.Valence, -1, 1, feeling)
	m.Energy = approach(m.Energy, 0, 1, waking)
	return m.bounded()
}

// Rested returns a mood after some time without a session: drawn toward the usual one, halfway in a day.
func Rested(m, usual Mood, since time.Duration) Mood {
	left := halved(since, moodHalfLife)
	return Mood{
		Valence: usual.Valence + (m.Valence-usual.Valence)*left,
		Energy:  usual.Energy + (m.Energy-usual.Energy)*left,
	}.bounded()
}

// approach moves x toward low or high, as the sign of pull says, by the share |pull|·moodInertia of the way.
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

// The words for moods, a closed list.
const (
	Cheerful = "cheerful"
	Content  = "content"
	Stirred  = "stirred"
	AtEase   = "at ease"
	Tired    = "tired"
	Ruffled  = "ruffled"
	Subdued  = "subdued"
)

// Where one word for a mood gives way to the next.
const (
	gladFrom, lowBelow    = 0.3, -0.2 // valence
	awakeFrom, tiredBelow = 0.7, 0.3  // energy
)

// MoodWord returns the word for a mood, of the closed list above.
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
