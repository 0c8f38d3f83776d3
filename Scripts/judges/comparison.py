"""Counts what agrees and prints what does not."""


class Comparison:
    def __init__(self):
        self.agreed = 0
        self.differing = []

    def same(self, subject, ours, theirs):
        """Compares two readings of one thing, field by field."""
        different = [key for key in sorted(ours.keys() | theirs.keys()) if ours.get(key) != theirs.get(key)]
        for key in different:
            self._differs(f"{subject}: {key}: we say {ours.get(key)!r}, they say {theirs.get(key)!r}")
        self.agreed += len(ours.keys() | theirs.keys()) - len(different)
        if not different:
            names = ", ".join(ours) if len(ours) <= 4 else f"{len(ours)} values"
            print(f"  {subject}: {names}")

    def holds(self, subject, is_so):
        if is_so:
            self.agreed += 1
            print(f"  {subject}")
        else:
            self._differs(subject)

    def accepts(self, subject, read):
        """What reading returns; None, and a difference, where it is refused."""
        try:
            value = read()
        except Exception as refusal:  # whatever the judge objects to
            self._differs(f"{subject}: refused: {refusal}")
            return None
        self.agreed += 1
        print(f"  {subject}")
        return value

    def _differs(self, text):
        self.differing.append(text)
        print(f"✘ {text}")
