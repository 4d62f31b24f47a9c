// Package extract gets structured data out of pages, with a language model or
// by rules.
//
// With a model, a page is cut into parts by its structure; the model reads all
// of them at once, and what it finds is merged. Three things are then done that
// no model can be trusted with:
//
//   - The page is data. It stands between marks that its author cannot know, the
//     rules of this package stand above all else, and whatever the model says, the
//     answer has the fields of the schema and no others.
//   - Every value is looked up in the page. One that stands there word for word is
//     verified, and the words around it are its quote: the evidence.
//   - Addresses, numbers and the like that the page does not have are taken out
//     where the schema allows it. A model invents them when it finds none.
//
// Several pages that answer one question are read one by one ([Extractor.Part]),
// put together ([Merge]) and made to fit the schema ([Extractor.Complete]).
//
// What else can be asked of a page goes the same way: all of it is a [Task] for
// [Extractor.Do].
//
// Without a model, data comes from what the page says for machines, summaries
// are the page's own sentences, and words about a crawl are read by rules. Every
// such answer has a warning, and what cannot be done honestly is [NoModel].
package extract
