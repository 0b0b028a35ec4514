package lexical

import "unicode"

// japanese words are pairs of neighbouring characters, so its tables hold pairs, and a pair is its own stem: the forms
// of a verb share the pair at their root.
var japanese = &Language{
	tag:    "ja",
	script: func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) },
	stop: set(`です でし ます まし した して ても てい いる いた いま って った から まで より この その あの どの これ それ
		あれ ここ そこ どこ こと もの ない なか かっ たい なの のは のが のを には では とは ので のに けど でも だよ だね
		よね ると れる られ せん だっ ある あり あっ なる なっ する すか たか の は が を に へ と も で や か ね よ だ た て
		何 なに なん だれ 誰が どん んな ます すか いつ いく くつ くら`),
	stem: func(w word) string { return w.folded },
	times: set(`昨日 今日 明日 一昨 先日 先週 今週 来週 先月 今月 来月 去年 昨年 今年 来年 毎日 毎週 今朝 今夜 昨夜 週末 曜日
		月曜 火曜 水曜 木曜 金曜 土曜 日曜 時に 年前 月前 週間 日前 春に 夏に 秋に 冬に 日に 月に 年に 時間 最近`),
	numbers: set(`一 二 三 四 五 六 七 八 九 十 百 千 万 一人 二人 三人 四人 五人 一つ 二つ 三つ 四つ 五つ 一匹 二匹 三匹
		四匹 五匹 一冊 二冊 三冊 一回 二回 三回 一本 二本 三本`),
	asksWhen: phrases("いつ", "何日", "何月", "何年", "何時", "何曜"),
	asksHowMany: phrases("いくつ", "いくら", "何人", "何匹", "何歳", "何回", "何個", "何本", "何冊", "何枚", "何台", "何度", "何才",
		"どのくらい", "どれくらい"),
	first: set(`私は 私の 私が 私も 私に 私を 僕は 僕の 僕が 僕も 僕に 僕を 俺は 俺の 俺が 俺も`),
}
