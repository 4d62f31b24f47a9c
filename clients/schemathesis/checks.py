"""Which answers of the service are faults of its own.

Schemathesis loads this module, by SCHEMATHESIS_HOOKS.
"""

import schemathesis

# What the API says about others with a status of 5xx: sites, and what a server of this kind does not do.
NO_FAULTS = {
    "SCRAPE_DNS_RESOLUTION_ERROR": "most names that are generated are nobody's",
    "MAP_FAILED": "likewise, for a map",
    "NOT_IMPLEMENTED": "known and not served",
}


@schemathesis.check
def no_fault(ctx, response, case):
    if response.status_code < 500:
        return
    code = response.json().get("code")
    assert code in NO_FAULTS, f"{response.status_code} {code}: {response.text}"
