/// Where the ledger is, and how long it keeps records.
package struct LedgerSettings: SettingGroup {
    package let url = Setting<String?>(
        "ledger.url",
        "The PostgreSQL server of the ledger: postgresql://host/database; several hosts, separated by commas, are tried in "
            + "turn. Without it the ledger is a file in the data folder. What the URL leaves out comes from the usual PG… "
            + "variables. A server on another machine must have a certificate for its name, unless sslmode says otherwise."
    ) { url in
        url.hasPrefix("postgresql://") || url.hasPrefix("postgres://") ? nil : "must begin with postgresql://"
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
