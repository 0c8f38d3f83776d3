/// How long the ledger keeps records.
package struct LedgerSettings: SettingGroup {
    package let keepExpired = Setting<UInt64>(
        "ledger.keep-expired",
        standard: 30,
        in: 1...36_500,
        "Days after its expiry until an unpaid invoice is deleted."
    )
}
