/// How long the ledger keeps records.
package struct LedgerSettings: SettingGroup {
    package let keepExpired = Setting<UInt64>(
        "ledger.keep-expired",
        standard: 30,
        in: 1...36_500,
        "Days after which an invoice that was never paid is forgotten, counted from the end of its time."
    )
}
