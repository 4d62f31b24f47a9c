"""Lets parts of large packages be imported alone.

The readers of LlamaIndex and the tools of CrewAI are packages of dozens of modules for
as many services, each with libraries of its own. Here such a package is a folder of
modules, of which those are loaded that somebody asks for.

CrewAI itself is not installed: it takes a gigabyte, and of it the tools need the class
that they derive from, which is described here as far as they use it.
"""

import loopback  # noqa: F401, first, so that no client exists without it

import importlib
import importlib.util
import os
import sys
import types

from pydantic import BaseModel


def _loosen(package, homes):
    """Makes a package a folder of modules, with names that lead to some of them."""
    spec = importlib.util.find_spec(package)
    module = types.ModuleType(package)
    module.__spec__, module.__path__ = spec, list(spec.submodule_search_locations)

    def lookup(name):
        if name not in homes:
            raise AttributeError(name)
        return getattr(importlib.import_module(f"{package}.{homes[name]}"), name)

    module.__getattr__ = lookup
    sys.modules[package] = module


class _BaseTool(BaseModel):
    def run(self, **arguments):
        return self._run(**arguments)


class _EnvVar(BaseModel):
    name: str
    description: str
    required: bool = True


_loosen("llama_index.readers.web", {"FireCrawlWebReader": "firecrawl_web.base"})
_loosen("crewai_tools", {
    "FirecrawlScrapeWebsiteTool": "tools.firecrawl_scrape_website_tool.firecrawl_scrape_website_tool",
    "FirecrawlCrawlWebsiteTool": "tools.firecrawl_crawl_website_tool.firecrawl_crawl_website_tool",
    "FirecrawlSearchTool": "tools.firecrawl_search_tool.firecrawl_search_tool",
})
_loosen("crewai_tools.tools", {})
_crewai, _tools = types.ModuleType("crewai"), types.ModuleType("crewai.tools")
_crewai.tools, _tools.BaseTool, _tools.EnvVar = _tools, _BaseTool, _EnvVar
sys.modules["crewai"], sys.modules["crewai.tools"] = _crewai, _tools
# The site of the tests is on this machine, which the tools refuse to read.
os.environ["CREWAI_TOOLS_ALLOW_UNSAFE_PATHS"] = "true"

SITE, KEY, SERVICE = os.environ["SITE_URL"], os.environ["TRAWL_KEY"], os.environ["TRAWL_URL"]
