import LNURL
import Contracts
import SQLiteStorage

extension AccountID {
    /// The two parameters that `number(_:_:)` refers to.
    var values: [Value] { [.text(name.text), .text(domain.text)] }

    /// A query for an account's number, or NULL when it never existed.
    ///
    /// - Parameters:
    ///   - name: the placeholder of the name.
    ///   - domain: the placeholder of the domain's name.
    static func number(_ name: String, _ domain: String) -> String {
        """
        (SELECT account.id FROM domain JOIN account ON account.domain = domain.id
        WHERE domain.name = \(domain) AND account.name = \(name))
        """
    }

    /// A query for the text of the account that a row of a table refers to.
    static func text(in table: String) -> String {
        """
        (SELECT account.name || '@' || domain.name FROM account JOIN domain ON domain.id = account.domain
        WHERE account.id = \(table).account) AS account
        """
    }
}
