package found

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// notation is a text with one number in it: a sign or a currency before it, a
// currency, percent or unit behind it.
var notation = regexp.MustCompile(`^(?:(?:` + currencies + `|[A-Z]{0,2}\p{Sc}|kr\.?)\s?)?([-+−]?)(?:\p{Sc}\s?)?` +
	`(\d[\d.,'’ ]*?)(\s?)(%|\p{Sc}|[\p{L}°²³/]{1,12}\.?)?$`)

const currencies = `AED|AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|ILS|INR|JPY|KRW|MXN|NOK|NZD|PLN|RON|RUB|SEK|SGD|THB|TRY|USD|ZAR`

// exact is a number as machines write it.
var exact = regexp.MustCompile(`^-?\d+(\.\d+)?$`)

// asNumber returns a value as a number, nil if it is none or could be read as
// two different ones. An integer has to be whole.
func asNumber(value any, whole bool) any {
	text := plain(value)
	if _, ok := value.(bool); ok || text == "" || len(text) > 40 {
		return nil
	}
	if number, ok := value.(json.Number); ok {
		return canonical(number.String(), whole)
	}
	text = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ").Replace(text)
	if exact.MatchString(text) {
		return canonical(text, whole)
	}
	parts := notation.FindStringSubmatch(text)
	if parts == nil || misleading(parts[4], parts[3] == "") {
		return nil
	}
	digits, ok := decimal(strings.TrimSpace(parts[2]), parts[4])
	if !ok {
		return nil
	}
	if parts[1] == "-" || parts[1] == "−" {
		digits = "-" + digits
	}
	return canonical(digits, whole)
}

// misleading reports whether what is behind a number makes it another one, such
// as 1.2k, or a name, such as 12a.
func misleading(unit string, attached bool) bool {
	switch unit = strings.ToLower(strings.TrimSuffix(unit, ".")); unit {
	case "k", "m", "b", "bn", "mn", "mio", "mrd", "million", "millions", "billion", "billions", "thousand", "tsd", "lakh", "crore",
		"th", "st", "nd", "rd", "x":
		return true
	}
	return attached && len(unit) == 1 && unit[0] >= 'a' && !strings.Contains("glvwhs", unit)
}

// decimal writes digits with separators as machines do. The last separator is
// the decimal one if there are two kinds; a single one with three digits behind
// it divides thousands, but for a dot without a currency that has commas.
func decimal(digits, unit string) (string, bool) {
	digits = strings.TrimRight(strings.NewReplacer(" ", "", "'", "", "’", "").Replace(digits), ".,")
	dot, comma := strings.LastIndexByte(digits, '.'), strings.LastIndexByte(digits, ',')
	switch {
	case dot >= 0 && comma >= 0:
		point, group := ".", ","
		if comma > dot {
			point, group = group, point
		}
		whole, fraction, _ := strings.Cut(digits, point)
		return strings.ReplaceAll(whole, group, "") + "." + fraction,
			grouped(whole, group) && !strings.Contains(fraction, point) && !strings.Contains(fraction, group)
	case comma >= 0:
		if grouped(digits, ",") && digits[0] != '0' {
			return strings.ReplaceAll(digits, ",", ""), true
		}
		return strings.Replace(digits, ",", ".", 1), strings.Count(digits, ",") == 1
	case dot >= 0:
		switch {
		case !grouped(digits, ".") || digits[0] == '0':
			return digits, strings.Count(digits, ".") == 1
		case strings.Count(digits, ".") > 1 || unit == "€" || unit == "EUR":
			return strings.ReplaceAll(digits, ".", ""), true
		}
		return "", false // 1.299 is one number in English and another in German
	}
	return digits, true
}

// grouped reports whether separators stand before every three digits.
func grouped(digits, separator string) bool {
	groups := strings.Split(digits, separator)
	for i, group := range groups {
		if i > 0 && len(group) != 3 || i == 0 && (group == "" || len(group) > 3 && len(groups) > 1) {
			return false
		}
	}
	return true
}

// canonical returns a number in its shortest notation.
func canonical(digits string, whole bool) any {
	if strings.ContainsAny(digits, "eE") {
		if _, err := strconv.ParseFloat(digits, 64); whole || err != nil {
			return nil
		}
		return json.Number(digits)
	}
	r, ok := new(big.Rat).SetString(digits)
	if !ok {
		return nil
	}
	return fraction(r, whole)
}

// fraction returns a number in decimal notation, nil if that has no end.
func fraction(r *big.Rat, whole bool) any {
	if r.IsInt() {
		return json.Number(r.Num().String())
	}
	if _, ends := r.FloatPrec(); whole || !ends {
		return nil
	}
	return json.Number(strings.TrimRight(r.FloatString(20), "0"))
}
