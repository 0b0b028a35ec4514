package vector

// paraphrases are, by BCP 47 language tag, sentences that say the same in other words. The two of a pair have no content
// word in common.
var paraphrases = map[string][][2]string{
	"en": {
		{"My dog is sick", "Our puppy feels unwell"},
		{"I bought a new car", "We got ourselves another vehicle"},
		{"She lost her job", "They fired that woman from work"},
		{"He is moving to another town", "A man relocates into a different city"},
		{"The baby cries all night", "The newborn keeps everyone awake until morning"},
		{"We are getting married", "Our wedding is coming up"},
		{"I love cooking pasta", "Making spaghetti is what makes me happy"},
		{"It rained the whole day", "The weather was wet from dawn to dusk"},
		{"My grandfather died", "The old man in our family passed away"},
		{"He plays the guitar in a band", "A musician performs with his group"},
		{"I failed the exam", "She did not pass her test"},
		{"Let's meet for lunch", "Could we eat together at noon?"},
		{"The flight was delayed", "Our plane left hours late"},
		{"I have trouble sleeping", "Insomnia bothers me"},
		{"She teaches children", "A schoolteacher works with pupils"},
		{"The shop is closed", "Nobody opens the market today"},
		{"I am afraid of spiders", "Insects with eight legs scare me"},
		{"We painted the house", "Our home has fresh color on its walls"},
		{"My leg is broken", "I fractured a bone in the foot"},
		{"He saves money for a trip", "The guy puts cash aside to travel"},
	},
	"de": {
		{"Mein Hund ist krank", "Unserem Welpen geht es schlecht"},
		{"Ich habe ein neues Auto gekauft", "Wir besitzen jetzt einen anderen Wagen"},
		{"Sie hat ihre Arbeit verloren", "Der Frau wurde die Stelle gekündigt"},
		{"Er zieht in eine andere Stadt", "Ein Mann wechselt den Wohnort"},
		{"Das Baby schreit die ganze Nacht", "Ein Säugling hält alle bis zum Morgen wach"},
		{"Wir heiraten bald", "Unsere Hochzeit steht bevor"},
		{"Es hat den ganzen Tag geregnet", "Das Wetter war von früh bis spät nass"},
		{"Mein Großvater ist gestorben", "Opa lebt nicht mehr"},
		{"Er spielt Gitarre", "Ein Musiker macht Musik auf seinem Instrument"},
		{"Ich bin durch die Prüfung gefallen", "Sie hat das Examen nicht bestanden"},
		{"Wollen wir zusammen essen?", "Treffen wir uns zum Mittag?"},
		{"Der Flug hatte Verspätung", "Unsere Maschine startete Stunden zu spät"},
		{"Ich kann nicht schlafen", "Nachts liege ich wach"},
		{"Der Laden ist geschlossen", "Das Geschäft hat zu"},
		{"Mein Bein ist gebrochen", "Ich habe mir einen Knochen am Fuß verletzt"},
		{"Er spart für eine Reise", "Der Mann legt Geld für den Urlaub zurück"},
	},
	"es": {
		{"Mi perro está enfermo", "Nuestro cachorro se siente mal"},
		{"Compré un coche nuevo", "Tenemos otro automóvil"},
		{"Ella perdió su trabajo", "A la mujer la despidieron del empleo"},
		{"Se muda a otra ciudad", "Un hombre cambia de domicilio"},
		{"El bebé llora toda la noche", "Un recién nacido no deja dormir a nadie"},
		{"Nos vamos a casar", "Nuestra boda se acerca"},
		{"Llovió todo el día", "El tiempo estuvo mojado desde la mañana"},
		{"Mi abuelo murió", "El anciano de la familia falleció"},
		{"Toca la guitarra", "Un músico practica con su instrumento"},
		{"Suspendí el examen", "Ella no aprobó la prueba"},
		{"¿Comemos juntos?", "¿Quedamos para almorzar al mediodía?"},
		{"El vuelo se retrasó", "Nuestro avión salió horas tarde"},
		{"No puedo dormir", "Tengo insomnio por las noches"},
		{"La tienda está cerrada", "El comercio no abre hoy"},
		{"Me rompí la pierna", "Tengo un hueso fracturado en el pie"},
		{"Ahorra para un viaje", "El chico guarda dinero para las vacaciones"},
	},
	"fr": {
		{"Mon chien est malade", "Notre chiot ne se sent pas bien"},
		{"J'ai acheté une nouvelle voiture", "Nous avons une autre automobile"},
		{"Elle a perdu son travail", "On a licencié cette femme de son emploi"},
		{"Il part vivre dans une autre ville", "Un homme déménage"},
		{"Le bébé pleure toute la nuit", "Un nourrisson empêche tout le monde de dormir"},
		{"Nous allons nous marier", "Nos noces approchent"},
		{"Il a plu toute la journée", "Le temps était humide du matin au soir"},
		{"Mon grand-père est mort", "Le vieil homme de la famille est décédé"},
		{"Il joue de la guitare", "Un musicien répète avec son instrument"},
		{"J'ai raté l'examen", "Elle n'a pas réussi son épreuve"},
		{"On mange ensemble ?", "Veux-tu déjeuner avec moi à midi ?"},
		{"Le vol a été retardé", "Notre avion est parti des heures plus tard que prévu"},
		{"Je n'arrive pas à dormir", "J'ai des insomnies"},
		{"Le magasin est fermé", "La boutique n'ouvre pas aujourd'hui"},
		{"Je me suis cassé la jambe", "J'ai une fracture à un os du pied"},
		{"Il économise pour un voyage", "Le garçon met de l'argent de côté pour ses vacances"},
	},
}

// Paraphrases returns pairs of sentences in a language that say the same without a common content word, in English if
// there are none in that language. language is a BCP 47 primary subtag.
func Paraphrases(language string) [][2]string {
	if pairs := paraphrases[language]; pairs != nil {
		return pairs
	}
	return paraphrases["en"]
}

// The rates at which a model must tell a paraphrase from other sentences. Hashed words reach .5.
const (
	paraphraseChance  = 0.7
	paraphraseTrusted = 0.9
)

// ParaphraseWorth returns how much vectors tell beyond the words, 0 to 1, judged by paraphrases: the first sentences and
// the second ones, in the order of Paraphrases. It needs no talk, so that a real model is trusted from the start.
func ParaphraseWorth(first, second [][]float32) float64 {
	return max(0, min(1, (paraphraseRate(first, second)-paraphraseChance)/(paraphraseTrusted-paraphraseChance)))
}

// paraphraseRate returns the share of comparisons in which a sentence is closer to its paraphrase than to another's.
func paraphraseRate(first, second [][]float32) float64 {
	won, met := 0.0, 0
	for i := range first {
		own := Dot(first[i], second[i])
		for j := range second {
			if j == i {
				continue
			}
			met++
			switch far := Dot(first[i], second[j]); {
			case own > far:
				won++
			case own == far:
				won += 0.5
			}
		}
	}
	return won / max(1, float64(met))
}
