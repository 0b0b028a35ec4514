package lexical

import stemmer "github.com/blevesearch/snowballstem/portuguese"

var portuguese = &Language{
	tag: "pt",
	stop: set(`a à ao aos aquela aquele aqui aquilo as às até bem cada com como da das de dela dele deles depois do dos e é
		ela elas ele eles em então entre era eram és essa essas esse esses esta está estão estas estava este estes estou eu
		foi for foram fui há isso isto já la lá lhe lhes mais mas me meu meus mim minha minhas muito muita na nada não nas
		nem no nos nós nossa nosso num numa o onde os ou para pela pelo pelos por porque pois pra qual quais quando quanta
		quantas quanto quantos que quê quem se sem ser será seu seus só sobre somos sou sua suas são também tão te tem têm
		tenho tens teu tinha toda todas todo todos tu tua um uma umas uns vai vou você vocês`),
	stem: snowball(stemmer.Stem),
	times: set(`ontem anteontem hoje amanhã logo breve antes recentemente passado passada próximo próxima semana semanas
		mês meses ano anos dia dias segunda terça quarta quinta sexta feira sábado domingo janeiro fevereiro março abril
		maio junho julho agosto setembro outubro novembro dezembro verão inverno primavera outono manhã tarde noite
		aniversário desde atrás`),
	numbers: set(`dois duas três quatro cinco seis sete oito nove dez onze doze vinte trinta dúzia par vários várias cem
		cento mil vez vezes primeiro primeira segundo terceiro terceira meio`),
	asksWhen: phrases("quando", "que dia", "qual dia", "que data", "que mês", "que ano", "a que horas", "que horas",
		"quanto tempo", "desde quando"),
	asksHowMany: phrases("quanto", "quanta", "quantos", "quantas", "que idade", "qual a idade"),
	first:       set(`eu me mim meu meus minha minhas comigo`),
}
