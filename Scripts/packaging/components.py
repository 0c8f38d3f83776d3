"""Writes what the programs are made of: an SBOM (CycloneDX), the copyright file, and the notices that licenses demand.

components.py VERSION BUILD OUTPUT PROGRAM…: BUILD is the build folder, with the packages as they were compiled.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid
from urllib.parse import quote

HEAD = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: lightning-responder

Files: *
Copyright: lightning-responder contributors
License: Expat

"""
APACHE = """License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.

License: Apache-2.0 with Runtime Library Exception
 On Debian systems the text of Apache-2.0 is in /usr/share/common-licenses/Apache-2.0.
 .
 As an exception, if you use this Software to compile your source code and
 portions of this Software are embedded into the binary product as a result,
 you may redistribute such product without providing attribution as would
 otherwise be required by Sections 4(a), 4(b) and 4(d) of the License.
"""
# It comes with the compiler, whose installation has the license of Swift alone.
UUID = """Files: uuid
Copyright: 2004 Apple Computer, Inc. All rights reserved.
License: BSD-3-clause
 Redistribution and use in source and binary forms, with or without
 modification, are permitted provided that the following conditions
 are met:
 1. Redistributions of source code must retain the above copyright
    notice, and the entire permission notice in its entirety,
    including the disclaimer of warranties.
 2. Redistributions in binary form must reproduce the above copyright
    notice, this list of conditions and the following disclaimer in the
    documentation and/or other materials provided with the distribution.
 3. The name of the author may not be used to endorse or promote
    products derived from this software without specific prior
    written permission.
 .
 THIS SOFTWARE IS PROVIDED ``AS IS'' AND ANY EXPRESS OR IMPLIED
 WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES
 OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE, ALL OF
 WHICH ARE HEREBY DISCLAIMED.  IN NO EVENT SHALL THE AUTHOR BE
 LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
 CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT
 OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR
 BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF
 LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
 (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE
 USE OF THIS SOFTWARE, EVEN IF NOT ADVISED OF THE POSSIBILITY OF SUCH
 DAMAGE.
Comment: a part of Swift's Foundation, linked statically
"""


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def packages(build):
    """The Swift packages of Package.resolved, and the runtime that is linked in."""
    for pin in json.loads((build.parent / "Package.resolved").read_text())["pins"]:
        folder = build / "checkouts" / pathlib.PurePath(pin["location"]).name.removesuffix(".git")
        url = pin["location"].removesuffix(".git")
        if "Apache License" not in (folder / "LICENSE.txt").read_text()[:200]:
            raise SystemExit(f"{folder.name}: a license that is not known here")
        exception = "Runtime Library Exception" in (folder / "LICENSE.txt").read_text()
        yield folder, url, pin["state"]["version"], exception
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    yield None, "https://github.com/swiftlang/swift", version, True


def copyright_lines(folder):
    """The first notice with a year for each holder."""
    if folder is None:
        return ["2014-2026 Apple Inc. and the Swift project authors"]
    found = {}
    for file in [folder / "NOTICE.txt", *sorted(folder.glob("Sources/**/*.swift"))]:
        text = file.read_text(errors="replace")[:1500] if file.exists() else ""
        for years, holder in re.findall(r"Copyright (?:\(c\) )?(\d{4}[-0-9, ]*?),? ((?:the |The )?[A-Z][^\n]{3,60})", text):
            holder = re.sub(r"(and|&) (contributors|the Swift .*)$", r"and \2", holder.strip(" */"))
            found.setdefault(holder.split(".")[0], f"{years} {holder}")
        if len(found) > 2:
            break
    return sorted(found.values()) or [f"2017-2026 the authors of {folder.name}"]


def libraries(programs):
    """The Debian packages of the shared libraries that the programs name."""
    names = set()
    for program in programs:
        names |= set(re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "--dynamic", program)))
    owners = {line.split(":")[0] for line in output("dpkg-query", "--search", *(f"*/{name}" for name in sorted(names))).splitlines()}
    form = "${Package} ${Version} ${Architecture} ${source:Package}\n"
    for line in sorted(output("dpkg-query", "--show", f"--showformat={form}", *sorted(owners)).splitlines()):
        yield line.split()


def main():
    version, build, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    components, stanzas, notices = [], [], []
    for checkout, url, number, exception in packages(build):
        name = url.rpartition("/")[2]
        license = "Apache-2.0 with Runtime Library Exception" if exception else "Apache-2.0"
        expression = "Apache-2.0 WITH Swift-exception" if exception else "Apache-2.0"
        components.append({
            "type": "library", "bom-ref": f"swift:{name}", "name": name, "version": number,
            "licenses": [{"expression": expression}], "purl": f"pkg:swift/{url.removeprefix('https://')}@{number}",
        })
        holders = "\n           ".join(copyright_lines(checkout))
        stanzas.append(f"Files: {name}\nCopyright: {holders}\nLicense: {license}\nComment: {url} {number}, linked statically\n")
        if checkout is not None:
            inner = [file for file in checkout.glob("Sources/**/*") if re.match(r"(LICENSE|COPYING|NOTICE)", file.name)]
            for file in inner:
                text = file.read_text()
                holder = re.search(r"^Copyright (.+?)\.?$", text, flags=re.MULTILINE)
                if not holder or "Permission is hereby granted, free of charge" not in text:
                    raise SystemExit(f"{file}: a license that is not known here")
                stanzas.append(f"Files: {file.parent.name}\nCopyright: {holder[1]}\nLicense: Expat\nComment: a part of {name}\n")
            for file in sorted([*checkout.glob("NOTICE*"), *inner]):
                notices.append(f"{'=' * 70}\n{name}/{file.relative_to(checkout)}\n\n{file.read_text(errors='replace').strip()}\n")
    for name, number, architecture, source in libraries(sys.argv[4:]):
        components.append({
            "type": "library", "bom-ref": f"debian:{name}", "name": name, "version": number,
            "purl": f"pkg:deb/debian/{quote(name)}@{quote(number)}?arch={architecture}&upstream={source}",
        })

    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    subject = {"type": "application", "bom-ref": "lightning-responder", "name": "lightning-responder", "version": version,
               "licenses": [{"license": {"id": "MIT"}}]}
    bom = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, json.dumps([version, components]))}",
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": subject},
        "components": components,
        "dependencies": [{"ref": subject["bom-ref"], "dependsOn": [component["bom-ref"] for component in components]}],
    }
    (folder / f"lightning-responder-{version}.cdx.json").write_text(json.dumps(bom, indent=2) + "\n")

    terms = pathlib.Path(__file__).parents[2].joinpath("LICENSE").read_text().partition("contributors")[2].strip()
    expat = "License: Expat\n" + "".join(f" {line or '.'}\n" for line in terms.splitlines()) + "\n"
    (folder / "copyright").write_text(HEAD + "\n".join([*stanzas, UUID]) + "\n" + expat + APACHE)
    (folder / "NOTICE").write_text("\n".join(notices))


if __name__ == "__main__":
    main()
