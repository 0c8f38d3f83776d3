import HookBackend
import LightningCoding
import Platform
import ResponderCore
import ResponderModel

extension HookAddress {
    static let tokenFile = Setting<String?>("token-file", "A file with the token for the hook.")
    static let command = "command"
    private static let commandWord = Setting<String?>(command, "The program, or one of its arguments.")

    /// Reads `url`, with `token-file` and `certificate-file`, or `command`.
    init(_ fields: SectionFields) throws(ConfigurationFaults) {
        switch (fields[NodeKeys.url], fields[nested: Self.command]) {
        case (let url?, nil):
            self = .service(
                fields[Self.tokenFile] == nil ? url : try fields.urlOfNode(), tokenPath: fields[Self.tokenFile],
                certificateAuthorities: fields[NodeKeys.certificateFile])
        case (nil, let command?):
            try fields.refuse([Self.tokenFile, NodeKeys.certificateFile], "applies only with url")
            self = .program(try Self.words(of: command), environment: ProcessEnvironment.forPrograms)
        default: throw fields.section.fault("needs one of url and command")
        }
    }

    private static func words(of command: SectionNode) throws(ConfigurationFaults) -> [String] {
        var words: [String] = []
        for element in try command.elements() {
            if let word = try element.value(as: commandWord) { words.append(word) }
        }
        guard !words.isEmpty else { throw command.fault("must name a program") }
        return words
    }

    /// Answers notifications by this hook. It is not called yet, and may start later.
    func handler() throws(BackendFault) -> NotificationHandler {
        let hook = try NotificationHook(at: self)
        return { notification, account, deadline in
            do throws(NotificationHook.Fault) {
                return NotificationAnswer(
                    try await hook.answer(
                        notification.type.rawValue, notification.payload, appData: notification.appData,
                        messageID: notification.messageID, for: account,
                        within: max(deadline - MonotonicTime.now, .zero)))
            } catch {
                return NotificationAnswer(error, ofHandlerFor: notification.type)
            }
        }
    }
}

extension NotificationAnswer {
    fileprivate init(_ answer: NotificationHook.Answer) {
        let news = answer.text.map {
            NotificationNews.text(NotificationText(title: $0.title, body: $0.body, lifetime: .dismissible))
        }
        guard let json = answer.reply else {
            self = .done(news: news)
            return
        }
        // The two forms of an error: LUD-06, and that of BOLT12 over webhooks.
        let isError = json["status"] == "ERROR" || !(json["error"]?.isNull ?? true)
        self = .reply(Reply(.object(json), isError: isError))
        self.news = news
    }

    fileprivate init(_ fault: NotificationHook.Fault, ofHandlerFor type: NotificationType) {
        let (isRefused, reason): (Bool, String) =
            switch fault {
            case .refused(let text): (true, "refused it" + (text.isEmpty ? "" : ": \(text)"))
            case .unsupported: (true, "does not know the type")
            case .failed(.unreachable(let text)): (false, "cannot be reached: \(text)")
            case .failed(.timedOut): (false, "did not answer in time")
            case .failed(.overloaded): (false, "has too many calls waiting")
            case .failed(.malformedAnswer(let text)): (false, "gave a wrong answer: \(text)")
            case .failed(.refused(let text)): (false, "failed: \(text)")
            case .failed: (false, "failed")
            }
        self.init(
            .none(isRefused ? .refused : .transient), outcome: isRefused ? .refused : .failed,
            cause: "the handler of \(type) \(reason)")
    }
}

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
        try section.forEachEntry { name, node throws(ConfigurationFaults) in
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
            handlers[type] = try node.fields(rows, nested: nested) { fields throws(ConfigurationFaults) in
                try HookAddress(fields)
            }
        }
        return handlers
    }

    /// The type without handlers that `notifications.names.types` turns into this one; nil for none.
    private static func moneyType(named type: NotificationType, _ names: EnvelopeNames) -> NotificationType? {
        names.types.filter { $0.value == type }.keys.lazy
            .map { EnvelopeNames().types[$0] ?? NotificationType(rawValue: $0.text) }
            .first { !$0.allowsHandler }
    }
}
