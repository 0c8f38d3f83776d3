"""Other people's implementations, such as bolt11, lnurl, standardwebhooks and breez-sdk-liquid of PyPI, judge the binaries in a folder.

Usage: PYTHONPATH=Scripts python -m judges FOLDER
"""

import sys
import tempfile

from judges import (
    admin_api, bodies, contracts, devices, doctor, invoices, offers, page, payments, push, push_devices, urls, vectors,
    webhooks,
)
from judges.comparison import Comparison
from service import Service


def main(binaries):
    comparison = Comparison()
    judges = (
        urls, invoices, offers, bodies, payments, devices, contracts, webhooks, push, push_devices, page, admin_api, doctor, vectors,
    )
    with tempfile.TemporaryDirectory() as folder:
        service = Service(binaries, folder)
        service.environment |= devices.SETTINGS
        with service:
            service.put_account("judged", {"description": "Sats for the judge"})
            for judge in judges:
                print(judge.__doc__.splitlines()[0])
                judge.judge(service, comparison)
    for text in comparison.differing:
        print(f"✘ {text}", file=sys.stderr)
    print(f"{comparison.agreed} comparisons agree, {len(comparison.differing)} do not")
    return 1 if comparison.differing else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
