package found

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/extract/notation"
)

// oneNumber is a text with one number in it: a sign or a currency before it, a
// currency, percent or unit behind it.
var oneNumber = regexp.MustCompile(`^(?:(?:` + currencies + `|[A-Z]{0,2}\p{Sc}|kr\.?)\s?)?([-+−]?)(?:\p{Sc}\s?)?` +
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
	parts := oneNumber.FindStringSubmatch(text)
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
	case "th", "st", "nd", "rd", "x":
		return true
	}
	return notation.Multiplies(unit) || attached && len(unit) == 1 && unit[0] >= 'a' && !strings.Contains("glvwhs", unit)
}

// decimal writes digits with separators as machines do. A single comma with three
// digits behind it divides thousands; a dot does only before a currency that has
// commas.
func decimal(digits, unit string) (string, bool) {
	digits = strings.TrimRight(strings.ReplaceAll(digits, "’", "'"), "., ")
	readings := notation.Whole(digits)
	switch {
	case len(readings) == 0:
		return "", false
	case len(readings) > 1 && !strings.Contains(digits, ",") && unit != "€" && unit != "EUR":
		return "", false // 1.299 is one number in English and another in German
	}
	return readings[0], true
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
