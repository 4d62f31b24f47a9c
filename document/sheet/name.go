package sheet

import (
	"strconv"
	"strings"
	"time"
)

// language is how dates are written in a language: names of months and days, from
// January and Sunday on, long and short.
type language struct {
	months, short, days, brief []string
	inDate                     []string // months after the number of a day, if they differ then
	slash                      string   // in place of the slash between numbers, if not that
}

// languages are those that formats name most, by the number that Windows has for
// them. All others are shown in English.
var languages = map[int64]language{
	0x04: {
		months: strings.Fields("一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月"),
		short:  strings.Fields("1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"),
		days:   strings.Fields("星期日 星期一 星期二 星期三 星期四 星期五 星期六"), brief: strings.Fields("周日 周一 周二 周三 周四 周五 周六"),
	},
	0x05: {
		months: strings.Fields("leden únor březen duben květen červen červenec srpen září říjen listopad prosinec"),
		short:  strings.Fields("led úno bře dub kvě čvn čvc srp zář říj lis pro"),
		days:   strings.Fields("neděle pondělí úterý středa čtvrtek pátek sobota"), brief: strings.Fields("ne po út st čt pá so"),
		inDate: strings.Fields("ledna února března dubna května června července srpna září října listopadu prosince"), slash: ".",
	},
	0x06: {
		months: strings.Fields("januar februar marts april maj juni juli august september oktober november december"),
		short:  strings.Fields("jan feb mar apr maj jun jul aug sep okt nov dec"),
		days:   strings.Fields("søndag mandag tirsdag onsdag torsdag fredag lørdag"), brief: strings.Fields("sø ma ti on to fr lø"), slash: "-",
	},
	0x07: {
		months: strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
		short:  strings.Fields("Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez"),
		days:   strings.Fields("Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag"), brief: strings.Fields("So Mo Di Mi Do Fr Sa"), slash: ".",
	},
	0x0A: {
		months: strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
		short:  strings.Fields("ene feb mar abr may jun jul ago sep oct nov dic"),
		days:   strings.Fields("domingo lunes martes miércoles jueves viernes sábado"), brief: strings.Fields("dom lun mar mié jue vie sáb"),
	},
	0x0B: {
		months: strings.Fields("tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu"),
		short:  strings.Fields("tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu"),
		days:   strings.Fields("sunnuntai maanantai tiistai keskiviikko torstai perjantai lauantai"), brief: strings.Fields("su ma ti ke to pe la"), slash: ".",
	},
	0x0C: {
		months: strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
		short:  strings.Fields("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
		days:   strings.Fields("dimanche lundi mardi mercredi jeudi vendredi samedi"), brief: strings.Fields("dim. lun. mar. mer. jeu. ven. sam."),
	},
	0x10: {
		months: strings.Fields("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
		short:  strings.Fields("gen feb mar apr mag giu lug ago set ott nov dic"),
		days:   strings.Fields("domenica lunedì martedì mercoledì giovedì venerdì sabato"), brief: strings.Fields("dom lun mar mer gio ven sab"),
	},
	0x11: {
		months: strings.Fields("1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月"), short: strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12"),
		days: strings.Fields("日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日"), brief: strings.Fields("日 月 火 水 木 金 土"),
	},
	0x12: {
		months: strings.Fields("1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월"), short: strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12"),
		days: strings.Fields("일요일 월요일 화요일 수요일 목요일 금요일 토요일"), brief: strings.Fields("일 월 화 수 목 금 토"), slash: "-",
	},
	0x13: {
		months: strings.Fields("januari februari maart april mei juni juli augustus september oktober november december"),
		short:  strings.Fields("jan feb mrt apr mei jun jul aug sep okt nov dec"),
		days:   strings.Fields("zondag maandag dinsdag woensdag donderdag vrijdag zaterdag"), brief: strings.Fields("zo ma di wo do vr za"), slash: "-",
	},
	0x14: {
		months: strings.Fields("januar februar mars april mai juni juli august september oktober november desember"),
		short:  strings.Fields("jan feb mar apr mai jun jul aug sep okt nov des"),
		days:   strings.Fields("søndag mandag tirsdag onsdag torsdag fredag lørdag"), brief: strings.Fields("sø ma ti on to fr lø"), slash: ".",
	},
	0x15: {
		months: strings.Fields("styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień"),
		short:  strings.Fields("sty lut mar kwi maj cze lip sie wrz paź lis gru"),
		days:   strings.Fields("niedziela poniedziałek wtorek środa czwartek piątek sobota"), brief: strings.Fields("N Pn Wt Śr Cz Pt So"),
		inDate: strings.Fields("stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"), slash: ".",
	},
	0x16: {
		months: strings.Fields("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
		short:  strings.Fields("jan fev mar abr mai jun jul ago set out nov dez"),
		days:   strings.Fields("domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado"), brief: strings.Fields("dom seg ter qua qui sex sáb"),
	},
	0x19: {
		months: strings.Fields("Январь Февраль Март Апрель Май Июнь Июль Август Сентябрь Октябрь Ноябрь Декабрь"),
		short:  strings.Fields("янв фев мар апр май июн июл авг сен окт ноя дек"),
		days:   strings.Fields("воскресенье понедельник вторник среда четверг пятница суббота"), brief: strings.Fields("Вс Пн Вт Ср Чт Пт Сб"),
		inDate: strings.Fields("января февраля марта апреля мая июня июля августа сентября октября ноября декабря"), slash: ".",
	},
	0x1D: {
		months: strings.Fields("januari februari mars april maj juni juli augusti september oktober november december"),
		short:  strings.Fields("jan feb mar apr maj jun jul aug sep okt nov dec"),
		days:   strings.Fields("söndag måndag tisdag onsdag torsdag fredag lördag"), brief: strings.Fields("sö må ti on to fr lö"), slash: "-",
	},
	0x1F: {
		months: strings.Fields("Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık"),
		short:  strings.Fields("Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara"),
		days:   strings.Fields("Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi"), brief: strings.Fields("Paz Pzt Sal Çar Per Cum Cmt"), slash: ".",
	},
}

// languageOf returns the language of a locale as formats name it: a hexadecimal
// number whose lowest ten bits are that of the language.
func languageOf(locale string) language {
	n, _ := strconv.ParseInt(locale, 16, 64)
	return languages[n&0x3FF]
}

// month returns the name of a month from 1 on. Some languages have another form of
// it for dates with a day.
func (l language) month(n int, short, inDate bool) string {
	switch {
	case l.months == nil && short:
		return time.Month(n).String()[:3]
	case l.months == nil:
		return time.Month(n).String()
	case short:
		return l.short[n-1]
	case inDate && l.inDate != nil:
		return l.inDate[n-1]
	}
	return l.months[n-1]
}

// day returns the name of a day of the week from 0 on.
func (l language) day(n int, short bool) string {
	switch {
	case l.days == nil && short:
		return time.Weekday(n).String()[:3]
	case l.days == nil:
		return time.Weekday(n).String()
	case short:
		return l.brief[n]
	}
	return l.days[n]
}
