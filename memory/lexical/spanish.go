package lexical

import stemmer "github.com/blevesearch/snowballstem/spanish"

var spanish = &Language{
	tag: "es",
	stop: set(`a al algo alguien ante antes aquel aquella aquí así aunque cada como con cual cuál cuáles cuando cuándo cuánta
		cuántas cuánto cuántos de del desde donde dónde durante e el él ella ellas ello ellos en entre era eran eres es esa
		esas ese eso esos esta está están estas estaba estamos este esto estos estoy fue fueron fui ha había hace hacia han
		has hasta hay he hemos la las le les lo los más me mi mí mío mía mis mucho mucha muy nada ni no nos nosotros nuestra
		nuestro o os otra otro para pero poco por porque pues que qué quien quién quiénes se sea ser será si sí sido sin
		sobre solo sólo somos son soy su sus también tan tanto te tengo ti tiene tienen tienes todo todos tu tú tus un una
		unas uno unos va vas voy y ya yo`),
	stem: snowball(stemmer.Stem),
	times: set(`ayer anteayer hoy mañana anoche pronto antes recientemente hace pasado pasada próximo próxima semana
		semanas mes meses año años día días lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril
		mayo junio julio agosto septiembre setiembre octubre noviembre diciembre verano invierno primavera otoño noche
		tarde cumpleaños`),
	numbers: set(`dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta docena par varios varias cien
		ciento mil primero primera segundo segunda tercero tercera vez medio`),
	asksWhen:    phrases("cuándo", "qué día", "qué fecha", "qué mes", "qué año", "a qué hora", "cuánto tiempo", "desde cuándo"),
	asksHowMany: phrases("cuánto", "cuánta", "cuántos", "cuántas", "qué edad", "cada cuánto"),
	first:       set(`yo me mi mí mis mío mía míos mías conmigo`),
}
