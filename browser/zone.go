package browser

import (
	_ "embed"
	"strings"
	"sync"
)

// zoneList has a line for each country: its code and the time zone that most of
// its people live in.
//
//go:embed zones.txt
var zoneList string

var zonesByCountry = sync.OnceValue(func() map[string]string {
	zones := map[string]string{}
	for line := range strings.Lines(zoneList) {
		country, zone, _ := strings.Cut(strings.TrimSpace(line), " ")
		zones[country] = zone
	}
	return zones
})

// TimeZone returns the time zone of a country.
func TimeZone(country string) string {
	if zone := zonesByCountry()[strings.ToUpper(country)]; zone != "" {
		return zone
	}
	return "America/New_York"
}
