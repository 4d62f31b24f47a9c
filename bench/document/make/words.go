package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

var (
	places = strings.Split("Northern Region,Southern Region,Eastern District,West Coast,Alder County,Brook Valley,Castle Bay,Dunmore,Elmstead,Fairhaven,Greenfield,Harrow Hill,"+
		"Isle of Wend,Kingsbury,Lakeside,Marlow,Newbridge,Oakham,Port Ellis,Queensferry,Riverton,Stonegate,Thornbury,Upper Vale,Weston,Yarrow,Austria,Belgium,Czech Republic,Denmark,Estonia,"+
		"Finland,Greece,Hungary,Ireland,Latvia,Malta,Norway,Poland,Romania,Slovenia,Turkey,United Kingdom,Bosnia and Herzegovina,Rest of the world", ",")
	subjects = strings.Split("Employment,Household income,Agricultural production,Gross value added,School enrolment,Public health expenditure,Energy consumption,Housing completions,Road traffic,"+
		"Foreign trade,Crime,Tourism,Fisheries,Population,Waste treatment,Water quality,Pension payments,Research and development,Broadband access,Youth unemployment,Forest area,Rail freight", ",")
	stubs = strings.Split("Total,Men,Women,Under 25 years,25 to 54 years,55 years and over,Full-time employees,Part-time employees,Self-employed,Primary education,Secondary education,"+
		"Tertiary education,Cereals,Wheat,Barley,Rye and maslin,Fruit and vegetables,Livestock,Cattle,Pigs,Sheep and goats,Poultry,Manufacturing,Food products and beverages,Textiles and clothing,"+
		"Wood and wood products,Chemicals,Machinery and equipment,Motor vehicles,Construction,Wholesale and retail trade,Hotels and restaurants,Transport and storage,Financial services,"+
		"Real estate activities,Public administration and defence,Health and social work,Other community services,Urban areas,Rural areas,Owner-occupied dwellings,Rented dwellings,"+
		"Imports of goods and services,Exports of goods and services,Taxes less subsidies on products,Current transfers,Capital account,Net lending,Hospitals,General practitioners", ",")
	measures = strings.Split("Number,Percent,Change,Share,Index,Total,Rate,Estimate,Budget,Actual,Mean,Median,Standard error,Persons,Thousand tonnes,Million euro,Per capita,Target,Result,Weight,Growth rate,Amount", ",")
	words    = strings.Fields("the report shows that annual figures for member states have increased since previous survey was carried out and results differ between regions because local authorities apply different methods of " +
		"collection which makes comparison over time difficult however most indicators point to a steady recovery in demand while unemployment among young people remains above average level of last decade according to " +
		"national statistics office provisional data may be revised in later editions households with low income spend larger part on food housing and energy than others a detailed description of sources can be found at " +
		"end of this publication where changes in definitions are explained further measures will be taken to improve quality coverage and timeliness as required by regulation services under review include transport health education")
	actions = strings.Split("Review the current procedures,Publish quarterly figures,Train regional staff,Introduce an electronic register,Reduce response burden,Extend coverage to small enterprises,"+
		"Improve access for disabled users,Consult stakeholders,Harmonise definitions,Monitor implementation,Renew the sampling frame,Close outstanding audit recommendations", ",")
	names = strings.Fields("Adams Baker Clark Davies Evans Foster Grant Hughes Irwin Jensen Keller Lindqvist Moreau Novak Okafor Petrov Quinn Rossi Sato Tanaka Ueda Vargas Weber Young")
)

func sentence(random *rand.Rand) string {
	n := 8 + random.IntN(16)
	list := make([]string, n)
	for i := range list {
		list[i] = pick(random, words...)
	}
	if n > 12 {
		list[n/2] += ","
	}
	text := strings.Join(list, " ")
	if random.IntN(5) == 0 {
		text += fmt.Sprintf(" (%d.%d %%)", random.IntN(90), random.IntN(10))
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func passage(random *rand.Rand, sentences int) string {
	list := make([]string, sentences)
	for i := range list {
		list[i] = sentence(random)
	}
	return strings.Join(list, " ")
}

// phrase is a few words, without a full stop.
func phrase(random *rand.Rand, most int) string {
	list := make([]string, 2+random.IntN(most-1))
	for i := range list {
		list[i] = pick(random, words...)
	}
	text := strings.Join(list, " ")
	return strings.ToUpper(text[:1]) + text[1:]
}

func title(random *rand.Rand) string {
	return pick(random, subjects...) + pick(random, " in ", " by region, ", ": ", " and ") + pick(random, places...) + pick(random, "", fmt.Sprintf(" %d", 1990+random.IntN(30)), fmt.Sprintf(" %d-%d", 1990+random.IntN(10), 2001+random.IntN(20)))
}

// number is how the numbers of a column are written.
type number int

const (
	whole number = iota
	grouped
	decimal
	percent
	signed
	money
	spaced
	numbers
)

func (n number) write(random *rand.Rand) string {
	switch random.IntN(25) {
	case 0:
		return pick(random, "-", "..", "n.a.", "–", ":")
	case 1:
		return ""
	}
	v := random.IntN(pick(random, 10, 100, 1000))
	big := pick(random, 1, 10, 100) * (1000 + random.IntN(9000))
	switch n {
	case whole:
		return fmt.Sprint(v)
	case grouped:
		return fmt.Sprintf("%d,%03d", big/1000, big%1000)
	case decimal:
		return fmt.Sprintf("%d.%d", v, random.IntN(10))
	case percent:
		return fmt.Sprintf("%d.%d%%", v%100, random.IntN(10))
	case signed:
		return fmt.Sprintf(pick(random, "%d.%d", "-%d.%d", "(%d.%d)", "+%d.%d"), v%50, random.IntN(10))
	case money:
		return fmt.Sprintf("$%d,%03d", big/1000, big%1000)
	}
	return fmt.Sprintf("%d\u00a0%03d", big/1000, big%1000)
}
