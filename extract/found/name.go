package found

import (
	"slices"
	"strings"
	"unicode"
)

// fold returns a name so that its ways to be written are the same: priceCurrency,
// price_currency, "Price currency:" and price-currencies.
func fold(name string) string {
	var b strings.Builder
	for _, word := range words(name) {
		b.WriteString(word)
	}
	return Singular(b.String())
}

// Singular takes the plural's ending off an English word.
func Singular(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies") && word != "series":
		return word[:len(word)-3] + "y"
	case len(word) > 4 && (strings.HasSuffix(word, "sses") || strings.HasSuffix(word, "xes") || strings.HasSuffix(word, "ches")):
		return word[:len(word)-2]
	case len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && word != "series":
		return word[:len(word)-1]
	}
	return word
}

// words splits a name where its parts meet, and writes them in lower case.
func words(name string) []string {
	var list []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			list = append(list, string(word))
			word = word[:0]
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			flush()
		}
		word = append(word, unicode.ToLower(r))
	}
	flush()
	return list
}

// synonyms are where schema.org keeps what people call by a name, the most usual
// place first. Names are folded.
var synonyms = map[string][]string{
	"name":             {"name", "headline", "title"},
	"title":            {"headline", "name", "title"},
	"headline":         {"headline", "name"},
	"jobtitle":         {"title", "jobTitle", "name"},
	"description":      {"description", "abstract"},
	"summary":          {"abstract", "description"},
	"text":             {"text", "articleBody", "reviewBody"},
	"content":          {"articleBody", "text"},
	"body":             {"articleBody", "reviewBody", "text"},
	"price":            {"price", "offers.price", "offers.priceSpecification.price"},
	"amount":           {"price", "offers.price", "value"},
	"cost":             {"price", "offers.price"},
	"priceamount":      {"offers.price", "price"},
	"pricevalue":       {"offers.price", "price"},
	"min":              {"minValue", "minPrice", "lowPrice"},
	"max":              {"maxValue", "maxPrice", "highPrice"},
	"lowprice":         {"offers.lowPrice"},
	"minprice":         {"offers.lowPrice", "priceSpecification.minPrice"},
	"highprice":        {"offers.highPrice"},
	"maxprice":         {"offers.highPrice", "priceSpecification.maxPrice"},
	"currency":         {"priceCurrency", "offers.priceCurrency", "offers.priceSpecification.priceCurrency", "currency", "salaryCurrency", "baseSalary.currency"},
	"currencycode":     {"priceCurrency", "offers.priceCurrency"},
	"availability":     {"availability", "offers.availability"},
	"instock":          {"availability", "offers.availability"},
	"isinstock":        {"availability", "offers.availability"},
	"available":        {"availability", "offers.availability"},
	"isavailable":      {"availability", "offers.availability"},
	"stock":            {"availability", "offers.availability"},
	"stockstatus":      {"availability", "offers.availability"},
	"condition":        {"itemCondition", "offers.itemCondition"},
	"seller":           {"seller.name", "offers.seller.name"},
	"image":            {"image", "thumbnailUrl", "photo"},
	"imageurl":         {"image", "thumbnailUrl"},
	"picture":          {"image"},
	"photo":            {"image", "photo"},
	"thumbnail":        {"thumbnailUrl", "thumbnail", "image"},
	"logo":             {"logo"},
	"logourl":          {"logo"},
	"url":              {"url"},
	"link":             {"url"},
	"website":          {"url"},
	"homepage":         {"url"},
	"rating":           {"aggregateRating.ratingValue", "ratingValue", "reviewRating.ratingValue", "starRating.ratingValue"},
	"ratingvalue":      {"ratingValue", "aggregateRating.ratingValue", "reviewRating.ratingValue"},
	"averagerating":    {"aggregateRating.ratingValue"},
	"score":            {"aggregateRating.ratingValue", "reviewRating.ratingValue"},
	"star":             {"starRating.ratingValue", "aggregateRating.ratingValue", "reviewRating.ratingValue"},
	"reviewcount":      {"aggregateRating.reviewCount", "aggregateRating.ratingCount"},
	"numberofreview":   {"aggregateRating.reviewCount", "aggregateRating.ratingCount"},
	"ratingcount":      {"aggregateRating.ratingCount", "aggregateRating.reviewCount"},
	"review":           {"review", "reviews"},
	"brand":            {"brand.name", "brand"},
	"brandname":        {"brand.name", "brand"},
	"manufacturer":     {"manufacturer.name", "manufacturer"},
	"gtin":             {"gtin", "gtin13", "gtin14", "gtin12", "gtin8"},
	"ean":              {"gtin13", "gtin", "ean"},
	"upc":              {"gtin12", "upc"},
	"model":            {"model.name", "model"},
	"author":           {"author.name", "author", "creator.name", "creator"},
	"authorname":       {"author.name", "author"},
	"writer":           {"author.name", "author"},
	"byline":           {"author.name", "author"},
	"publisher":        {"publisher.name", "publisher"},
	"publishername":    {"publisher.name", "publisher"},
	"date":             {"datePublished", "startDate", "datePosted", "uploadDate", "dateCreated", "dateModified"},
	"publisheddate":    {"datePublished", "uploadDate"},
	"publicationdate":  {"datePublished"},
	"publishdate":      {"datePublished", "uploadDate"},
	"publishedat":      {"datePublished", "uploadDate"},
	"publishedon":      {"datePublished"},
	"published":        {"datePublished"},
	"publishedtime":    {"datePublished"},
	"datepublished":    {"datePublished", "uploadDate"},
	"updatedat":        {"dateModified"},
	"updated":          {"dateModified"},
	"lastupdated":      {"dateModified"},
	"modified":         {"dateModified"},
	"modifiedat":       {"dateModified"},
	"modifieddate":     {"dateModified"},
	"lastmodified":     {"dateModified"},
	"createdat":        {"dateCreated"},
	"postedat":         {"datePosted"},
	"posteddate":       {"datePosted"},
	"dateposted":       {"datePosted"},
	"postdate":         {"datePosted", "datePublished"},
	"deadline":         {"validThrough", "applicationDeadline"},
	"expirydate":       {"validThrough", "expires"},
	"expiresat":        {"validThrough", "expires"},
	"start":            {"startDate"},
	"starttime":        {"startDate"},
	"startsat":         {"startDate"},
	"startdate":        {"startDate"},
	"end":              {"endDate"},
	"endtime":          {"endDate"},
	"endsat":           {"endDate"},
	"tag":              {"keywords", "articleTag"},
	"keyword":          {"keywords"},
	"category":         {"category", "articleSection", "recipeCategory", "genre", "occupationalCategory"},
	"section":          {"articleSection"},
	"wordcount":        {"wordCount"},
	"language":         {"inLanguage"},
	"company":          {"hiringOrganization.name", "hiringOrganization", "worksFor.name"},
	"companyname":      {"hiringOrganization.name", "hiringOrganization", "worksFor.name"},
	"employer":         {"hiringOrganization.name", "hiringOrganization"},
	"organization":     {"hiringOrganization.name", "publisher.name"},
	"salary":           {"baseSalary.value.value", "baseSalary.value", "baseSalary"},
	"minsalary":        {"baseSalary.value.minValue"},
	"salarymin":        {"baseSalary.value.minValue"},
	"maxsalary":        {"baseSalary.value.maxValue"},
	"salarymax":        {"baseSalary.value.maxValue"},
	"salarycurrency":   {"baseSalary.currency", "salaryCurrency"},
	"salaryunit":       {"baseSalary.value.unitText"},
	"remote":           {"jobLocationType"},
	"isremote":         {"jobLocationType"},
	"location":         {"jobLocation.address", "location.name", "location.address", "location", "address", "jobLocation"},
	"venue":            {"location.name"},
	"venuename":        {"location.name"},
	"organizer":        {"organizer.name", "organizer"},
	"performer":        {"performer.name", "performer"},
	"address":          {"address", "location.address", "jobLocation.address"},
	"street":           {"streetAddress", "address.streetAddress", "location.address.streetAddress", "jobLocation.address.streetAddress"},
	"streetaddress":    {"streetAddress", "address.streetAddress", "location.address.streetAddress", "jobLocation.address.streetAddress"},
	"city":             {"addressLocality", "address.addressLocality", "location.address.addressLocality", "jobLocation.address.addressLocality"},
	"town":             {"addressLocality", "address.addressLocality"},
	"state":            {"addressRegion", "address.addressRegion", "location.address.addressRegion", "jobLocation.address.addressRegion"},
	"region":           {"addressRegion", "address.addressRegion", "location.address.addressRegion", "jobLocation.address.addressRegion"},
	"zip":              {"postalCode", "address.postalCode", "location.address.postalCode", "jobLocation.address.postalCode"},
	"zipcode":          {"postalCode", "address.postalCode", "location.address.postalCode", "jobLocation.address.postalCode"},
	"postcode":         {"postalCode", "address.postalCode", "location.address.postalCode", "jobLocation.address.postalCode"},
	"postalcode":       {"postalCode", "address.postalCode", "location.address.postalCode", "jobLocation.address.postalCode"},
	"country":          {"addressCountry.name", "addressCountry", "address.addressCountry.name", "address.addressCountry", "location.address.addressCountry", "jobLocation.address.addressCountry"},
	"phone":            {"telephone", "contactPoint.telephone"},
	"phonenumber":      {"telephone", "contactPoint.telephone"},
	"telephone":        {"telephone", "contactPoint.telephone"},
	"email":            {"email", "contactPoint.email"},
	"latitude":         {"geo.latitude", "latitude", "location.geo.latitude"},
	"lat":              {"geo.latitude", "latitude", "location.geo.latitude"},
	"longitude":        {"geo.longitude", "longitude", "location.geo.longitude"},
	"lng":              {"geo.longitude", "longitude", "location.geo.longitude"},
	"openinghour":      {"openingHours"},
	"social":           {"sameAs"},
	"sociallink":       {"sameAs"},
	"ingredient":       {"recipeIngredient", "ingredients"},
	"instruction":      {"recipeInstructions"},
	"step":             {"recipeInstructions", "step"},
	"direction":        {"recipeInstructions"},
	"serving":          {"recipeYield"},
	"yield":            {"recipeYield"},
	"cuisine":          {"recipeCuisine"},
	"calory":           {"nutrition.calories"}, // calories
	"duration":         {"duration", "totalTime"},
	"variant":          {"hasVariant"},
	"question":         {"mainEntity", "name"},
	"faq":              {"mainEntity"},
	"answer":           {"acceptedAnswer.text", "acceptedAnswer"},
	"breadcrumb":       {"breadcrumb"},
	"isbn":             {"isbn"},
	"numberofpage":     {"numberOfPages"},
	"pagecount":        {"numberOfPages"},
	"sku":              {"sku", "offers.sku"},
	"id":               {"identifier.value", "identifier", "sku", "productID"},
	"weight":           {"weight"},
	"employmenttype":   {"employmentType"},
	"jobtype":          {"employmentType"},
	"founder":          {"founder.name", "founder"},
	"employee":         {"employee.name", "employee"},
	"numberofemployee": {"numberOfEmployees.value", "numberOfEmployees"},
}

// tagSynonyms are the meta tags for a name.
var tagSynonyms = map[string][]string{
	"name":          {"og:title"},
	"title":         {"og:title"},
	"headline":      {"og:title"},
	"description":   {"og:description", "description", "twitter:description"},
	"summary":       {"og:description", "description"},
	"image":         {"og:image", "twitter:image"},
	"imageurl":      {"og:image"},
	"thumbnail":     {"og:image"},
	"url":           {"og:url"},
	"link":          {"og:url"},
	"sitename":      {"og:site_name"},
	"site":          {"og:site_name"},
	"price":         {"product:price:amount", "og:price:amount"},
	"currency":      {"product:price:currency", "og:price:currency"},
	"availability":  {"product:availability", "og:availability"},
	"instock":       {"product:availability", "og:availability"},
	"available":     {"product:availability", "og:availability"},
	"brand":         {"product:brand", "og:brand"},
	"condition":     {"product:condition"},
	"sku":           {"product:retailer_item_id"},
	"author":        {"author", "article:author", "book:author"},
	"authorname":    {"author", "article:author"},
	"date":          {"article:published_time"},
	"publishedat":   {"article:published_time"},
	"publisheddate": {"article:published_time"},
	"publishdate":   {"article:published_time"},
	"published":     {"article:published_time"},
	"datepublished": {"article:published_time"},
	"publishedtime": {"article:published_time"},
	"updatedat":     {"article:modified_time"},
	"updated":       {"article:modified_time"},
	"lastupdated":   {"article:modified_time"},
	"datemodified":  {"article:modified_time"},
	"lastmodified":  {"article:modified_time"},
	"section":       {"article:section"},
	"category":      {"article:section", "product:category"},
	"tag":           {"article:tag", "keywords"},
	"keyword":       {"keywords", "article:tag"},
	"language":      {"og:locale"},
}

// typeNames are the types of schema.org behind the names that people give them.
var typeNames = map[string][]string{
	"product": {"Product", "ProductGroup", "IndividualProduct", "ProductModel"},
	"job":     {"JobPosting"}, "jobposting": {"JobPosting"}, "vacancy": {"JobPosting"}, "position": {"JobPosting"},
	"article":  {"Article", "NewsArticle", "BlogPosting", "TechArticle", "ScholarlyArticle", "Report"},
	"post":     {"BlogPosting", "Article", "NewsArticle", "SocialMediaPosting", "DiscussionForumPosting"},
	"blogpost": {"BlogPosting", "Article"}, "new": {"NewsArticle", "Article"}, "story": {"NewsArticle", "Article"},
	"event":   {"Event", "MusicEvent", "BusinessEvent", "SportsEvent", "TheaterEvent", "Festival", "EducationEvent", "ExhibitionEvent", "SocialEvent", "ComedyEvent", "ScreeningEvent"},
	"concert": {"MusicEvent"}, "recipe": {"Recipe"}, "book": {"Book"}, "movie": {"Movie"}, "film": {"Movie"},
	"company": {"Organization", "Corporation", "LocalBusiness", "OnlineStore", "OnlineBusiness", "Store", "Restaurant", "ProfessionalService"}, "organization": {"Organization", "Corporation", "NGO", "LocalBusiness"},
	"person": {"Person"}, "people": {"Person"}, "review": {"Review"}, "video": {"VideoObject"}, "course": {"Course"},
	"question": {"Question"}, "faq": {"Question"}, "restaurant": {"Restaurant"}, "place": {"Place", "LocalBusiness"},
	"software": {"SoftwareApplication", "WebApplication", "MobileApplication"}, "app": {"SoftwareApplication", "WebApplication", "MobileApplication"},
}

// isGeneric reports whether a name means something else in every thing: the name
// of a seller is not that of what they sell.
func isGeneric(name string) bool {
	switch name {
	case "name", "title", "headline", "url", "link", "description", "summary", "image", "id", "type", "text", "value", "date",
		"position", "identifier", "email", "phone", "telephone", "address", "website", "logo", "sameas", "content", "label":
		return true
	}
	return false
}

// isPicture reports whether a field holds the address of a picture.
func isPicture(name string) bool {
	switch name {
	case "image", "imageurl", "picture", "photo", "thumbnail", "thumbnailurl", "mainimage", "imagelink":
		return true
	}
	return false
}

// isShared reports whether several values for a field make one text.
func isShared(name string) bool {
	switch name {
	case "author", "authorname", "writer", "byline", "creator", "keyword", "tag", "category", "genre", "performer", "actor",
		"director", "artist", "organizer", "cuisine", "material", "employmenttype", "jobtype":
		return true
	}
	return false
}

// isType reports whether a thing is of what a name stands for.
func isType(name string, types []string) bool {
	for _, kind := range types {
		if fold(kind) == name || slices.Contains(typeNames[name], kind) {
			return true
		}
	}
	return false
}
