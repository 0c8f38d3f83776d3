package import LightningCoding
import PostgreSQLLedger
package import ResponderModel

/// Where the ledger is, and how long it keeps records.
package struct LedgerSettings: SettingGroup {
    package let url = Setting<String?>(
        "ledger.url",
        "The PostgreSQL server of the ledger: postgresql://host/database; several hosts, separated by commas, are tried in "
            + "turn. Without it the ledger is a file in the data folder. What the URL leaves out comes from the usual PG… "
            + "variables. A server on another machine must have a certificate for its name, unless sslmode says otherwise."
    ) { url in
        do throws(LedgerFault) {
            _ = try ServerSettings(url: url)
            return nil
        } catch {
            return "cannot be used: \(error.reason)"
        }
    }
    package let passwordFile = Setting<String?>(
        "ledger.password-file", "A file (mode 0600) with the password of the PostgreSQL server."
    )
    package let connections = Setting<UInt64>(
        "ledger.connections",
        standard: 8,
        in: 2...64,
        "The maximum number of connections with the PostgreSQL server; one more waits for changes of accounts."
    )
    package let timeout = Setting<UInt64>(
        "ledger.timeout",
        standard: 5,
        in: 1...60,
        "Seconds after which a call of the PostgreSQL server fails, and for which a payer waits for it at most, over all "
            + "calls that an answer takes."
    )
    package let keepExpired = Setting<UInt64>(
        "ledger.keep-expired",
        standard: 30,
        in: 1...36_500,
        "Days after its expiry until an unpaid invoice is deleted."
    )
}

package struct EmbeddedSettings: SettingGroup {
    package let network = Setting<Network>(
        "embedded.network",
        standard: .regtest,
        "The chain of the embedded node's invoices. The node has no network, so they cannot be paid."
    )
    package let database = Setting<String?>(
        "embedded.database",
        "The path of the embedded node's database, which several services on one machine may share; by default a file in the data folder."
    )
    package let allowMainnet = Setting<Bool>(
        "embedded.allow-mainnet",
        standard: false,
        "Allows the embedded node on mainnet, where its invoices look real but can never be paid."
    )
}

extension InstanceName: SettingValue {
    package static var form: String { "1 to 64 of A-Z a-z 0-9 . - _" }

    package init?(setting text: String) { self.init(text) }
}
