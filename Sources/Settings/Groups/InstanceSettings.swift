package import Contracts

/// This run of the service, among several on one ledger.
package struct InstanceSettings: SettingGroup {
    package let name = Setting<InstanceName?>(
        "instance.name",
        "The name under which this instance is listed beside others on the same ledger; by default the host name."
    )
}

/// How the service leaves a load balancer.
package struct DrainSettings: SettingGroup {
    package let time = Setting<UInt64?>(
        "drain.time",
        "Seconds, up to 600, for which the service still serves everybody when it stops, while `/health/ready` says that it is not ready: two checks of a load balancer. By default 5 where several instances can share the ledger, else 0.",
        rule: { $0 > 600 ? "must be between 0 and 600" : nil }
    )
}

extension InstanceName: SettingValue {
    package static var form: String { "1 to 64 of A-Z a-z 0-9 . - _" }

    package init?(setting text: String) { self.init(text) }

    package var settingText: String { description }
}
