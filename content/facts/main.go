package facts

import (
	"slices"
	"strings"

	"github.com/trawlhq/trawl/content/chars"
)

// How much a type says of the page that a thing is on.
const (
	aboutNothing = iota // a part of the site or of another thing
	aboutPage
	aboutSomebody // who made the page, or what it is about
	aboutPart     // a video in an article, a list of links
	aboutMain
)

// about returns how much the types of a thing say of the page.
func about(thing map[string]any) int {
	rank := aboutNothing
	for _, name := range Types(thing) {
		rank = max(rank, aboutType(name))
	}
	return rank
}

func aboutType(name string) int {
	switch name {
	case "WebSite", "BreadcrumbList", "ListItem", "ImageObject", "SearchAction", "ReadAction", "SiteNavigationElement", "WPHeader",
		"WPFooter", "WPSideBar", "ContactPoint", "PostalAddress", "AggregateRating", "Rating", "Offer", "Comment", "Answer", "Brand":
		return aboutNothing
	case "FAQPage", "QAPage":
		return aboutMain
	case "Person", "Organization", "Corporation", "NewsMediaOrganization", "EducationalOrganization", "NGO", "OnlineStore", "OnlineBusiness",
		"LocalBusiness", "Store", "Restaurant", "FoodEstablishment", "Hotel", "LodgingBusiness", "ProfessionalService", "MedicalBusiness",
		"Dentist", "RealEstateAgent", "AutoDealer", "CollegeOrUniversity", "GovernmentOrganization":
		return aboutSomebody
	case "ItemList", "VideoObject", "AudioObject", "Review", "Question", "Thing", "CreativeWork", "Blog", "OfferCatalog":
		return aboutPart
	}
	if strings.HasSuffix(name, "Page") {
		return aboutPage
	}
	return aboutMain
}

// Subjects returns what the page is about, or may be about if it is not clear:
// those of its things that say most of it, or of them only those that go by the
// address, title or heading of the page, if there are any. Sites describe their
// owners on every page, so a person or organization is a subject only if it goes
// by those.
func (f *Facts) Subjects() []map[string]any {
	most := aboutPage
	for _, thing := range f.Things {
		most = max(most, about(thing))
	}
	var all, own []map[string]any
	for _, thing := range f.Things {
		if about(thing) != most {
			continue
		}
		if all = append(all, thing); f.own(thing) {
			own = append(own, thing)
		}
	}
	if len(own) > 0 || most == aboutSomebody {
		return own
	}
	return all
}

// order puts the things in order, what the page is about first.
func (f *Facts) order() {
	type standing struct {
		thing map[string]any
		rank  int
	}
	list := make([]standing, len(f.Things))
	for i, thing := range f.Things {
		list[i] = standing{thing, 2 * about(thing)}
		if f.own(thing) {
			list[i].rank++
		}
	}
	slices.SortStableFunc(list, func(a, b standing) int { return b.rank - a.rank })
	for i := range list {
		f.Things[i] = list[i].thing
	}
}

// own reports whether a thing goes by the address, title or heading of the page.
func (f *Facts) own(thing map[string]any) bool {
	for _, key := range []string{"url", "@id", "mainEntityOfPage"} {
		at := thing[key]
		if page, ok := at.(map[string]any); ok {
			at = page["@id"]
		}
		if link, ok := at.(string); ok && f.page != "" && sameAddress(link, f.page) {
			return true
		}
	}
	name := nameOf(thing)
	return name != "" && (strings.EqualFold(name, f.heading) || strings.EqualFold(name, f.Tags["og:title"]) ||
		strings.EqualFold(name, f.Title))
}

// nameOf returns the name of a thing.
func nameOf(thing map[string]any) string {
	for _, key := range []string{"headline", "name", "title"} {
		if name, ok := thing[key].(string); ok {
			return chars.Collapse(name)
		}
	}
	return ""
}

// sameAddress compares two addresses without fragment and last slash.
func sameAddress(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/")
}

// join adds the things of microdata to those of linked data. Pages often
// describe a thing both ways: one of the same type and name completes what is
// already known of it.
func (f *Facts) join(things []map[string]any) {
	linked := f.Things
	known := map[string]map[string]any{}
	for _, thing := range linked {
		for _, key := range identities(thing) {
			if known[key] == nil {
				known[key] = thing
			}
		}
	}
	for _, thing := range things {
		var twin map[string]any
		for _, key := range identities(thing) {
			if twin == nil {
				twin = known[key]
			}
		}
		if twin == nil {
			f.Things = append(f.Things, thing)
			continue
		}
		for key, value := range thing {
			if _, ok := twin[key]; !ok {
				twin[key] = value
			}
		}
	}
}

// identities returns what a thing is known by: its name with each of its types.
func identities(thing map[string]any) []string {
	name := strings.ToLower(nameOf(thing))
	if name == "" {
		return nil
	}
	types := Types(thing)
	for i := range types {
		types[i] += " " + name
	}
	return types
}
