package when

import (
	"strings"
	"time"

	"familiar/internal/lazyregexp"
	"familiar/memory/lexical"
)

// words returns a set of normalized words. "_" is a space within a phrase.
func words(list string) map[string]bool {
	all := strings.Fields(lexical.Normalize(list))
	set := make(map[string]bool, len(all))
	for _, w := range all {
		set[strings.ReplaceAll(w, "_", " ")] = true
	}
	return set
}

// table maps each word of lists[i] to values[i].
func table[V any](values []V, lists ...string) map[string]V {
	m := map[string]V{}
	for i, list := range lists {
		for w := range words(list) {
			m[w] = values[i]
		}
	}
	return m
}

// The values of the tables below, in the order of their lists.
var (
	dayOrder   = []int{-2, -1, 0, 1, 2}
	shiftOrder = []int{-1, 0, 1}
	unitOrder  = []unit{minute, hour, day, week, month, year}
	weekOrder  = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}
	monthOrder = []time.Month{
		time.January, time.February, time.March, time.April, time.May, time.June,
		time.July, time.August, time.September, time.October, time.November, time.December,
	}
	countOrder = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
)

// Words in the past tense.
var (
	germanPast     = lazyregexp.New(`^(war|waren|warst|wurden?|hatten?|ging|kam|gab|\pL{0,4}ge\pL{2,}(t|en))$`)
	spanishPast    = lazyregexp.New(`^(fue|fui|fuimos|fueron|era|estuve|estuvo|hizo|hice|tuve|tuvo|\pL+(aron|ieron|aste|iste)|\pL{3,}[éó])$`)
	frenchPast     = lazyregexp.New(`^(était|étaient|étais|avait|avaient|fut|\pL{3,}és?)$`)
	portuguesePast = lazyregexp.New(`^(foi|fui|foram|era|estava|teve|tive|fez|fiz|\pL{3,}(ou|aram|eram|iram|ei)|\pL{2,}(eu|iu))$`)
	italianPast    = lazyregexp.New(`^(era|erano|ero|fu|\pL{3,}(at|ut|it)[aoie])$`)
	dutchPast      = lazyregexp.New(`^(was|waren|had|hadden|ging|kwam|werd|werden|ge\pL{2,}(d|t|en))$`)
	russianPast    = lazyregexp.New(`^\pL{2,}(л|ла|ло|ли|лся|лась|лось|лись)$`)
)

func german() *locale {
	return &locale{
		days: table(dayOrder, "vorgestern", "gestern", "heute heute_morgen heute_abend", "morgen", "übermorgen"),
		shifts: table(shiftOrder, "letzte letzten letzter letztes letztem vorige vorigen voriges vergangene vergangenen vergangenes",
			"diese diesen dieser dieses diesem", "nächste nächsten nächster nächstes nächstem kommende kommenden kommendes"),
		units: table(unitOrder, "minute minuten", "stunde stunden", "tag tage tagen", "woche wochen wochenende",
			"monat monate monaten", "jahr jahre jahren"),
		weekends: words("wochenende"),
		weekdays: table(weekOrder, "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag sonnabend", "sonntag"),
		months: table(monthOrder, "januar jänner", "februar", "märz", "april", "mai", "juni", "juli", "august", "september",
			"oktober", "november", "dezember"),
		numbers: table(countOrder, "ein eine einem einer einen", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
		ago:     words("vor"), ahead: words("in"), agoAfter: words("her"),
		prepositions: words("im in seit ab bis"),
		every:        words("jeden jede jedes jedem"), dayPart: words("am den jeden guten"),
		past: germanPast,
	}
}

func spanish() *locale {
	return &locale{
		days: table(dayOrder, "anteayer antes_de_ayer", "ayer anoche", "hoy", "mañana", "pasado_mañana"),
		shifts: table(shiftOrder, "pasado pasada", "este esta",
			"próximo próxima que_viene"),
		units:    table(unitOrder, "minuto minutos", "hora horas", "día días", "semana semanas", "mes meses", "año años"),
		weekdays: table(weekOrder, "lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
		months: table(monthOrder, "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre setiembre",
			"octubre", "noviembre", "diciembre"),
		numbers: table(countOrder, "un una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"),
		ago:     words("hace"), ahead: words("dentro_de en"), agoAfter: words("atrás"),
		prepositions: words("en desde hasta"), connectors: words("de del"),
		every: words("cada todos todas"), dayPart: words("la cada esta"),
		past: spanishPast,
	}
}

func french() *locale {
	return &locale{
		days:   table(dayOrder, "avant-hier", "hier", "aujourd'hui", "demain", "après-demain"),
		shifts: table(shiftOrder, "dernier dernière passé passée", "ce cette cet", "prochain prochaine"),
		units: table(unitOrder, "minute minutes", "heure heures", "jour jours", "semaine semaines week-end weekend", "mois",
			"an ans année années"),
		weekends: words("week-end weekend"),
		weekdays: table(weekOrder, "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
		months: table(monthOrder, "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
			"novembre", "décembre"),
		numbers: table(countOrder, "un une", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
		ago:     words("il_y_a"), ahead: words("dans"), agoAfter: words("plus_tôt"),
		prepositions: words("en depuis dès"), connectors: words("de"),
		every: words("chaque tous toutes"),
		past:  frenchPast,
	}
}

func portuguese() *locale {
	return &locale{
		days:   table(dayOrder, "anteontem", "ontem", "hoje", "amanhã", "depois_de_amanhã"),
		shifts: table(shiftOrder, "passado passada", "este esta neste nesta", "próximo próxima que_vem"),
		units:  table(unitOrder, "minuto minutos", "hora horas", "dia dias", "semana semanas", "mês meses", "ano anos"),
		weekdays: table(weekOrder, "segunda segunda-feira", "terça terça-feira", "quarta quarta-feira", "quinta quinta-feira",
			"sexta sexta-feira", "sábado", "domingo"),
		months: table(monthOrder, "janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro",
			"novembro", "dezembro"),
		numbers: table(countOrder, "um uma", "dois duas", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"),
		ago:     words("há faz"), ahead: words("daqui_a em"), agoAfter: words("atrás"),
		prepositions: words("em desde até"), connectors: words("de"),
		every: words("cada todos todas toda todo"),
		past:  portuguesePast,
	}
}

func italian() *locale {
	return &locale{
		days:     table(dayOrder, "l'altro_ieri altro_ieri", "ieri", "oggi stasera stamattina", "domani", "dopodomani"),
		shifts:   table(shiftOrder, "scorso scorsa passato passata", "questo questa", "prossimo prossima"),
		units:    table(unitOrder, "minuto minuti", "ora ore", "giorno giorni", "settimana settimane weekend", "mese mesi", "anno anni"),
		weekends: words("weekend"),
		weekdays: table(weekOrder, "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
		months: table(monthOrder, "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre",
			"ottobre", "novembre", "dicembre"),
		numbers: table(countOrder, "un una", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci"),
		ahead:   words("tra fra"), agoAfter: words("fa"),
		prepositions: words("a in nel da dal"), connectors: words("di"),
		every: words("ogni tutti tutte"),
		past:  italianPast,
	}
}

func dutch() *locale {
	return &locale{
		days:     table(dayOrder, "eergisteren", "gisteren", "vandaag vanavond", "morgen", "overmorgen"),
		shifts:   table(shiftOrder, "vorige vorig afgelopen", "deze dit", "volgende volgend komende komend"),
		units:    table(unitOrder, "minuut minuten", "uur uren", "dag dagen", "week weken weekend", "maand maanden", "jaar jaren"),
		weekends: words("weekend"),
		weekdays: table(weekOrder, "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"),
		months: table(monthOrder, "januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober",
			"november", "december"),
		numbers: table(countOrder, "een één", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien"),
		ahead:   words("over"), agoAfter: words("geleden"),
		prepositions: words("in sinds vanaf tot"),
		every:        words("elke elk iedere ieder"), dayPart: words("de"),
		past: dutchPast,
	}
}

func russian() *locale {
	return &locale{
		days: table(dayOrder, "позавчера", "вчера", "сегодня", "завтра", "послезавтра"),
		shifts: table(shiftOrder, "прошлый прошлая прошлой прошлом прошлого прошлую прошлое прошлые",
			"этот эта это этой этом эту эти", "следующий следующая следующей следующем следующую будущем будущей"),
		units: table(unitOrder, "минуту минуты минут", "час часа часов", "день дня дней", "неделя неделю недели неделе недель выходные",
			"месяц месяца месяце месяцев", "год года году лет"),
		weekends: words("выходные"),
		weekdays: table(weekOrder, "понедельник", "вторник", "среда среду", "четверг", "пятница пятницу", "суббота субботу",
			"воскресенье"),
		months: table(monthOrder, "январь января январе", "февраль февраля феврале", "март марта марте", "апрель апреля апреле",
			"май мая мае", "июнь июня июне", "июль июля июле", "август августа августе", "сентябрь сентября сентябре",
			"октябрь октября октябре", "ноябрь ноября ноябре", "декабрь декабря декабре"),
		numbers: table(countOrder, "один одну", "два две", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять"),
		ahead:   words("через"), agoAfter: words("назад"),
		prepositions: words("в во с до"), bareOne: true,
		every: words("каждый каждая каждую каждое"),
		past:  russianPast,
	}
}
