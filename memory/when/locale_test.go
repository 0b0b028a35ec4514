package when

import (
	"strings"
	"testing"

	"familiar/memory/lexical"
)

func TestFindInOtherLanguages(t *testing.T) {
	const stamp = "2006-01-02"
	for _, c := range []struct{ text, from, until string }{
		{"Gestern war ich beim Zahnarzt", "2024-05-14", "2024-05-15"},
		{"Was habe ich vorgestern gemacht?", "2024-05-13", "2024-05-14"},
		{"Wir haben letzten Freitag gefeiert", "2024-05-10", "2024-05-11"},
		{"Was haben wir am Freitag gemacht?", "2024-05-10", "2024-05-11"},
		{"Ich gehe am Freitag mit dir ins Kino", "2024-05-17", "2024-05-18"},
		{"Ich fahre nächste Woche mit dem Zug", "2024-05-20", "2024-05-27"},
		{"Das war vor drei Tagen", "2024-05-12", "2024-05-13"},
		{"Wir sind in zwei Wochen wieder da", "2024-05-26", "2024-06-02"},
		{"Ich bin am 7. März 1990 geboren", "1990-03-07", "1990-03-08"},
		{"Im Juli sind wir in den Alpen", "2024-07-01", "2024-08-01"},
		{"Das war im Jahr 2019 mit dir", "2019-01-01", "2020-01-01"},
		{"Ayer compré un barco con mi hermano", "2024-05-14", "2024-05-15"},
		{"¿Qué hicimos la semana pasada?", "2024-05-06", "2024-05-13"},
		{"Eso fue hace dos meses", "2024-03-01", "2024-04-01"},
		{"El viernes pasado fuimos al cine", "2024-05-10", "2024-05-11"},
		{"Mi boda es el 7 de junio de 2025", "2025-06-07", "2025-06-08"},
		{"Nos vemos pasado mañana con ella", "2024-05-17", "2024-05-18"},
		{"Hier, j'ai perdu mes clés", "2024-05-14", "2024-05-15"},
		{"Nous partons vendredi prochain avec lui", "2024-05-24", "2024-05-25"},
		{"C'était il y a trois jours", "2024-05-12", "2024-05-13"},
		{"Je suis né le 1er août 1988", "1988-08-01", "1988-08-02"},
		{"Je l'ai vu l'année dernière", "2023-01-01", "2024-01-01"},
		{"Ontem comprei um barco", "2024-05-14", "2024-05-15"},
		{"Vou ao médico na próxima semana", "2024-05-20", "2024-05-27"},
		{"Fomos lá na sexta-feira passada com eles", "2024-05-10", "2024-05-11"},
		{"Ieri ho venduto la moto", "2024-05-14", "2024-05-15"},
		{"L'ho visto due settimane fa con lei", "2024-04-28", "2024-05-05"},
		{"Gisteren heb ik mijn fiets verkocht", "2024-05-14", "2024-05-15"},
		{"Dat was drie dagen geleden", "2024-05-12", "2024-05-13"},
		{"Что я делал вчера?", "2024-05-14", "2024-05-15"},
		{"Мы встретились в прошлую пятницу", "2024-05-10", "2024-05-11"},
		{"Я родилась 9 марта 1991 года", "1991-03-09", "1991-03-10"},
		{"Это было неделю назад", "2024-05-05", "2024-05-12"},
		{"昨日、妹が合格しました", "2024-05-14", "2024-05-15"},
		{"来週の金曜日に会いましょう", "2024-05-24", "2024-05-25"},
		{"3日前に買いました", "2024-05-12", "2024-05-13"},
		{"1990年3月7日に生まれました", "1990-03-07", "1990-03-08"},
	} {
		spans := Find(c.text, wednesday(t))
		if len(spans) != 1 || spans[0].From.Format(stamp) != c.from || spans[0].Until.Format(stamp) != c.until {
			t.Errorf("%q names %v, want %s to %s", c.text, spans, c.from, c.until)
		}
	}
}

func TestTextsWithoutTimesInOtherLanguages(t *testing.T) {
	for _, text := range []string{
		"Ich bin hier und du bist dort", "Ich laufe jeden Freitag mit ihm", "Wir haben am Morgen mit ihm gefrühstückt",
		"Por la mañana no me gusta hablar", "Todos los viernes voy con ella al cine", "Il est parti avec sa sœur",
		"Они любят друг друга, а я их", "犬が好きです", "Das war vor Jahren, als ich noch bei dir war",
	} {
		if spans := Find(text, wednesday(t)); len(spans) != 0 {
			t.Errorf("%q names %v", text, spans)
		}
	}
}

// A language of recall needs no locale: its texts then name only dates in digits.
func TestEveryLanguageFindsDigits(t *testing.T) {
	tags := []string{"xx"}
	for _, l := range lexical.Languages() {
		tags = append(tags, l.Tag())
	}
	for _, tag := range tags {
		for _, text := range []string{"", "2023-05-07", "kaj 2023-05-07 estis bona", "Καλημέρα 2023-05-07", "zat 3 dni 7. mai"} {
			spans := findIn(tag, text, wednesday(t))
			if wants := strings.Contains(text, "2023"); tag == "xx" && (len(spans) == 1) != wants {
				t.Errorf("%s: %q names %+v", tag, text, spans)
			}
		}
	}
}
