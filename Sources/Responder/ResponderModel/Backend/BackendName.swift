/// The name of a backend in the configuration and in the ledger: `embedded`, `main-node`.
///
/// 1 to 64 characters of `a-z 0-9 - _`.
package struct BackendName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// The backend of an installation that configures none.
    package static let embedded = BackendName(unchecked: "embedded")

    /// The backend of accounts that name none: the only one configured; nil when there are several.
    package static func standard(among names: some Collection<BackendName>) -> BackendName? {
        names.count == 1 ? names.first : nil
    }

    /// Reads a name; nil when a character or the length is not allowed.
    package init?(_ text: String) {
        guard text.isWord(upTo: 64, or: "-_") else { return nil }
        self.init(unchecked: text)
    }

    private init(unchecked text: String) {
        description = text
    }
}
