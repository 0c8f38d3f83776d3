"""A node's REST interface."""

from service import free_port

# What the service needs, and nothing else.
METHODS = ("getinfo", "listpeerchannels", "invoice", "listinvoices", "waitanyinvoice", "delinvoice")


class RESTClient:
    """clnrest at a free port, with certificates of its own; the node gets it by `options`."""

    def __init__(self, plugin, folder):
        self.folder = folder / "clnrest"
        self.folder.mkdir()
        self.url = f"https://127.0.0.1:{(port := free_port())}"
        self.rune = self.folder / "rune"
        self.certificate = self.folder / "ca.pem"
        self.options = (
            *(() if plugin == "installed" else (f"--plugin={plugin}",)),
            f"--clnrest-port={port}", "--clnrest-host=127.0.0.1", "--clnrest-protocol=https",
            f"--clnrest-certs={self.folder}",
        )

    def open(self, node):
        """Has the node make a rune for the commands that are needed."""
        rune = node("createrune", restrictions=[[f"method={method}" for method in METHODS]])["rune"]
        self.rune.touch(mode=0o600)
        self.rune.write_text(rune + "\n")

    @property
    def settings(self):
        return {"url": self.url, "rune-file": self.rune, "certificate-file": self.certificate}

    @property
    def variables(self):
        """For the contract of every backend."""
        return {
            "JUDGE_PAYEE_URL": self.url, "JUDGE_PAYEE_RUNE_FILE": str(self.rune),
            "JUDGE_PAYEE_CERTIFICATE_FILE": str(self.certificate),
        }
