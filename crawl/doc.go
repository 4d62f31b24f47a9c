// Package crawl has the rules of a crawl, all of them pure: they work on
// addresses and bytes that others have fetched and perform no I/O.
//
//   - [Rules] decide which addresses belong to a crawl or a map, name the rule
//     that keeps an address out, and tell when two addresses are one page.
//   - [Robots] is what a site's robots.txt allows.
//   - [SitemapCandidates] says where sitemaps may be, and [ReadSitemap] reads
//     one, whatever its form.
//   - [Rank] orders the pages of a site by how well they fit some words.
//
// Everything read here comes from strangers, so time and memory are bounded
// whatever it holds, and what is broken is read as far as it makes sense.
package crawl
