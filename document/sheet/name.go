package sheet

import (
	"strconv"
	"strings"
	"time"
)

// language has the names of months and days, from January and Sunday on, long
// and short.
type language struct{ months, short, days, brief []string }

// languages are those that formats name most, by the number that Windows has for
// them. All others are shown in English.
var languages = map[int64]language{
	0x07: {
		strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
		strings.Fields("Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez"),
		strings.Fields("Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag"), strings.Fields("So Mo Di Mi Do Fr Sa"),
	},
	0x0A: {
		strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
		strings.Fields("ene feb mar abr may jun jul ago sep oct nov dic"),
		strings.Fields("domingo lunes martes miércoles jueves viernes sábado"), strings.Fields("dom lun mar mié jue vie sáb"),
	},
	0x0C: {
		strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
		strings.Fields("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
		strings.Fields("dimanche lundi mardi mercredi jeudi vendredi samedi"), strings.Fields("dim. lun. mar. mer. jeu. ven. sam."),
	},
	0x10: {
		strings.Fields("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
		strings.Fields("gen feb mar apr mag giu lug ago set ott nov dic"),
		strings.Fields("domenica lunedì martedì mercoledì giovedì venerdì sabato"), strings.Fields("dom lun mar mer gio ven sab"),
	},
	0x13: {
		strings.Fields("januari februari maart april mei juni juli augustus september oktober november december"),
		strings.Fields("jan feb mrt apr mei jun jul aug sep okt nov dec"),
		strings.Fields("zondag maandag dinsdag woensdag donderdag vrijdag zaterdag"), strings.Fields("zo ma di wo do vr za"),
	},
	0x16: {
		strings.Fields("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
		strings.Fields("jan fev mar abr mai jun jul ago set out nov dez"),
		strings.Fields("domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado"), strings.Fields("dom seg ter qua qui sex sáb"),
	},
}

// languageOf returns the language of a locale as formats name it: a hexadecimal
// number whose lowest ten bits are that of the language.
func languageOf(locale string) language {
	n, _ := strconv.ParseInt(locale, 16, 64)
	return languages[n&0x3FF]
}

// month returns the name of a month from 1 on.
func (l language) month(n int, short bool) string {
	switch {
	case l.months == nil && short:
		return time.Month(n).String()[:3]
	case l.months == nil:
		return time.Month(n).String()
	case short:
		return l.short[n-1]
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
