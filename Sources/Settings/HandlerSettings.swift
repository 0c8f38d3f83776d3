import LightningCoding
import Notifications

/// The keys of each type in `notifications.handlers`.
enum HandlerSettings {
    static let rows: [any SettingRow] = [
        Setting(NodeKeys.url.key, "The service; `/notification` is appended.", rule: NodeKeys.withoutQuery),
        HookAddress.tokenFile, NodeKeys.certificateFile,
    ]
    static let nested = [HookAddress.command]

    /// Reads `notifications.handlers`: who answers each type.
    ///
    /// - Parameter names: renamed types, which are known here by our name only.
    static func all(
        in section: SectionNode, _ names: EnvelopeNames
    ) throws(ConfigurationFaults) -> [NotificationType: HookAddress] {
        var handlers: [NotificationType: HookAddress] = [:]
        var faults: [ConfigurationFault] = []
        for (name, node) in try section.entries() {
            do throws(ConfigurationFaults) {
                let type = NotificationType(rawValue: name)
                if let ours = names.types[ExactText(name)], ours != type {
                    throw node.fault("is a sender's name for \(ours); use that one here")
                }
                guard type.allowsHandler else {
                    throw node.fault("is answered by the service only, since money depends on the answer")
                }
                if let money = Self.moneyType(named: type, names) {
                    throw node.fault("is also a name of \(money), which is answered by the service only")
                }
                guard (1...NotificationType.maximumCount).contains(name.utf8.count) else {
                    throw node.fault("must have 1 to \(NotificationType.maximumCount) bytes")
                }
                handlers[type] = try HookAddress(node.fields(rows, nested: nested))
            } catch {
                faults += error.faults
            }
        }
        guard faults.isEmpty else { throw ConfigurationFaults(faults: faults) }
        return handlers
    }

    /// The type without handlers that `notifications.names.types` turns into this one; nil for none.
    private static func moneyType(named type: NotificationType, _ names: EnvelopeNames) -> NotificationType? {
        names.types.filter { $0.value == type }.keys.lazy
            .map { EnvelopeNames().types[$0] ?? NotificationType(rawValue: $0.text) }
            .first { !$0.allowsHandler }
    }
}
