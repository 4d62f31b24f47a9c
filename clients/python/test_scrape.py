"""Scrapes in every format, and with the options that shape them."""

import unittest
import urllib.request

from firecrawl.v2.types import (
    BrandingProfile,
    ClickAction,
    ExecuteJavascriptAction,
    HighlightsFormat,
    JsonFormat,
    Location,
    MenuProfile,
    PDFAction,
    PDFParser,
    PressAction,
    ProductProfile,
    QueryFormat,
    QuestionFormat,
    ScrapeAction,
    ScreenshotAction,
    ScreenshotFormat,
    ScrollAction,
    Viewport,
    WaitAction,
    WriteAction,
)
from pydantic import BaseModel

from support import PATIENCE, Case, answers, site, unique

PNG = b"\x89PNG\r\n\x1a\n"


def fetch(url):
    with urllib.request.urlopen(url) as response:
        return response.read()


class Texts(Case):
    """Formats that a page is turned into without a model."""

    def test_markdown_is_the_default(self):
        doc = self.client.scrape(site("/a"))
        self.assert_document(doc, site("/a"))
        self.assertIn("# ", doc.markdown)
        self.assertIsNone(doc.html)
        self.assertEqual(doc.metadata.title, "Apples")
        self.assertTrue(doc.metadata.scrape_id)
        self.assertEqual(doc.metadata.proxy_used, "basic")
        self.assertEqual(doc.metadata.credits_used, 1)

    def test_all_texts_at_once(self):
        doc = self.client.scrape(
            site("/"), formats=["markdown", "html", "raw_html", "links", "images"], only_main_content=False
        )
        self.assert_document(doc, site("/"))
        self.assertIn("<h1", doc.html)
        self.assertIn("<title", doc.raw_html.lower())
        self.assertIn(site("/a"), doc.links)
        self.assertIsInstance(doc.images, list)
        self.assertIn("# ", doc.markdown)

    def test_main_content_and_tags(self):
        doc = self.client.scrape(site("/a"), formats=["html"], include_tags=["h1"], exclude_tags=["p"])
        self.assertIn("<h1", doc.html)
        self.assertNotIn("<p", doc.html)

    def test_missing_page_is_a_document(self):
        doc = self.client.scrape(site("/missing"))
        self.assert_document(doc, site("/missing"), status=404)

    def test_cache(self):
        url = site("/a?" + unique("cache"))
        self.assertEqual(self.client.scrape(url).metadata.cache_state, "miss")
        again = self.client.scrape(url, max_age=3600_000)
        self.assertEqual(again.metadata.cache_state, "hit")
        self.assertTrue(again.metadata.cached_at)
        fresh = self.client.scrape(url, max_age=0)
        self.assertNotEqual(fresh.metadata.cache_state, "hit")

    def test_options(self):
        doc = self.client.scrape(
            site("/a"),
            formats=["markdown"],
            headers={"X-Fixture": "yes"},
            timeout=PATIENCE,
            wait_for=10,
            mobile=True,
            location=Location(country="DE", languages=["de"]),
            skip_tls_verification=True,
            remove_base64_images=True,
            fast_mode=False,
            block_ads=True,
            proxy="basic",
            store_in_cache=False,
            integration="fixture",
        )
        self.assert_document(doc, site("/a"))

    def test_attributes(self):
        # The client's document has no such field, so the answer is looked at.
        with answers() as bodies:
            self.client.scrape(
                site("/"),
                formats=[{"type": "attributes", "selectors": [{"selector": "a", "attribute": "href"},
                                                              {"selector": ".none", "attribute": "id"}]}],
                only_main_content=False,
            )
        links, none = bodies[0]["data"]["attributes"]
        self.assertEqual((links["selector"], links["attribute"]), ("a", "href"))
        self.assertIn("/a", links["values"])
        self.assertEqual(none["values"], [])

    def test_raw_base64(self):
        with answers() as bodies:
            self.client.scrape(site("/a"), formats=[{"type": "rawBase64"}])
        self.assertTrue(bodies[0]["data"]["rawBase64"])


class Files(Case):
    def test_pdf(self):
        doc = self.client.scrape(site("/doc.pdf"), parsers=[PDFParser(max_pages=1, pages=True)], timeout=PATIENCE)
        self.assert_document(doc, site("/doc.pdf"))
        self.assertTrue(doc.markdown)
        self.assertEqual(doc.metadata.num_pages, 1)
        self.assertEqual([page.page_number for page in doc.pages], [1])

    def test_word(self):
        doc = self.client.scrape(site("/doc.docx"))
        self.assert_document(doc, site("/doc.docx"))
        self.assertTrue(doc.markdown)


class Browser(Case):
    """Formats and actions that need a rendered page."""

    def test_screenshot(self):
        doc = self.client.scrape(site("/a"), formats=["screenshot"])
        self.assertTrue(fetch(doc.screenshot).startswith(PNG))

    def test_screenshot_options(self):
        doc = self.client.scrape(
            site("/a"),
            formats=["markdown", ScreenshotFormat(full_page=True, viewport=Viewport(width=320, height=240))],
        )
        picture = fetch(doc.screenshot)
        self.assertTrue(picture.startswith(PNG))
        self.assertEqual(int.from_bytes(picture[16:20], "big"), 320)
        self.assertIn("# ", doc.markdown)

    def test_actions(self):
        doc = self.client.scrape(
            site("/form"),
            formats=["markdown", "html"],
            only_main_content=False,
            actions=[
                WaitAction(milliseconds=10),
                WaitAction(selector="input"),
                ClickAction(selector="input"),
                WriteAction(text="Ada"),
                PressAction(key="Tab"),
                ClickAction(selector="button"),
                ScrollAction(direction="down"),
                ExecuteJavascriptAction(script="document.title"),
                ScreenshotAction(full_page=True),
                ScrapeAction(),
                PDFAction(format="A4", landscape=False),
            ],
        )
        self.assertIn("Ada", doc.markdown)
        self.assertTrue(fetch(doc.actions["screenshots"][0]).startswith(PNG))
        self.assertIn("Ada", doc.actions["scrapes"][0]["html"])
        self.assertEqual(doc.actions["javascriptReturns"][0]["type"], "string")
        self.assertTrue(fetch(doc.actions["pdfs"][0]).startswith(b"%PDF"))

    def test_branding(self):
        doc = self.client.scrape(site("/brand"), formats=["branding"])
        self.assertIsInstance(doc.branding, BrandingProfile)
        self.assertEqual(doc.branding.color_scheme, "light")
        self.assertEqual(doc.branding.brand_name, "Potters")
        self.assertEqual((doc.branding.logo, doc.branding.images["logo"]), (site("/logo.png"),) * 2)
        self.assertEqual(doc.branding.colors["primary"], "#336699")
        self.assertEqual(doc.branding.fonts[0]["family"], "Georgia")
        typography, button = doc.branding.typography, doc.branding.components["buttonPrimary"]
        self.assertEqual((typography["fontSizes"]["h1"], button["borderRadius"]), ("40px", "8px"))
        # The client checks the types of the other fields itself.
        for texts in (typography["fontFamilies"], typography["fontSizes"], typography["lineHeights"], button):
            self.assertEqual({type(value) for value in texts.values()}, {str})


class Understanding(Case):
    """Formats that a model answers."""

    def test_summary(self):
        doc = self.client.scrape(site("/blog/1"), formats=["summary"])
        self.assertIn("article number 1", doc.summary)

    def test_json_by_schema(self):
        schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
        doc = self.client.scrape(site("/product"), formats=[{"type": "json", "schema": schema}])
        self.assertEqual(doc.json, {"name": "Kettle"})

    def test_json_by_model_and_prompt(self):
        class Product(BaseModel):
            name: str

        doc = self.client.scrape(
            site("/product"), formats=["markdown", JsonFormat(schema=Product, prompt="The product's name.")]
        )
        self.assertEqual(Product.model_validate(doc.json).name, "Kettle")
        self.assertTrue(doc.markdown)

    def test_question(self):
        doc = self.client.scrape(site("/product"), formats=[QuestionFormat(question="What is sold here?")])
        self.assertIn("A kettle of steel", doc.answer)

    def test_highlights(self):
        doc = self.client.scrape(
            site("/blog/1"), formats=["markdown", HighlightsFormat(query="What is the article about?")]
        )
        self.assertIn(doc.highlights, doc.markdown)
        self.assertIn("article number 1", doc.highlights)

    def test_query(self):
        doc = self.client.scrape(site("/product"), formats=[QueryFormat(prompt="What is sold here?")])
        self.assertIn("A kettle of steel", doc.answer)
        doc = self.client.scrape(
            site("/product"), formats=[QueryFormat(prompt="What is sold here?", mode="directQuote")]
        )
        self.assertIn("A kettle of steel", doc.highlights)

    def test_product(self):
        doc = self.client.scrape(site("/product"), formats=["product"])
        self.assertIsInstance(doc.product, ProductProfile)
        self.assertEqual(doc.product.title, "Kettle")
        self.assertEqual(doc.product.variants[0].price.amount, 39.9)

    def test_menu(self):
        doc = self.client.scrape(site("/menu"), formats=["menu"])
        self.assertIsInstance(doc.menu, MenuProfile)
        self.assertEqual((doc.menu.merchant.name, doc.menu.sections[0].name), ("The Ladle", "Soups"))
        soup = doc.menu.sections[0].items[0]
        self.assertEqual((soup.name, soup.price.amount, soup.price.currency), ("Leek soup", 6.5, "EUR"))


if __name__ == "__main__":
    unittest.main()
