package import ResponderModel
package import LightningCoding

/// A request to push a notification: `POST /api/v1/notify?platform=ios|android|web&token=…&app_data=…`.
package struct NotifyRequest: Hashable, Sendable {
    package let platform: PushPlatform
    /// The device, as its registration names it: a token of its provider, or a handle of ours.
    package let token: String
    package let template: NotifyTemplate
    /// What the device is to read. Of an invoice request it lacks the reply URL.
    package let content: PushContent

    /// The longest accepted token, in bytes.
    package static let maximumToken = 4096
    /// The longest accepted data of the app, in bytes.
    package static let maximumAppData = 2048

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - query: the decoded items of the query; of several with one name the first counts.
    ///   - body: the body as received, whatever its content type.
    /// - Throws: ``NotifyFault``, which the sender gets as status 400 without a text.
    package init(query: [(name: String, value: String)], body: [UInt8]) throws(NotifyFault) {
        func item(_ name: String) -> String? { query.first { $0.name.isExactly(name) }?.value }
        guard let platform = item("platform").flatMap({ PushPlatform(exactly: $0) }) else { throw .platform }
        guard let token = item("token"), (1...Self.maximumToken).contains(token.utf8.count) else { throw .token }
        let appData = item("app_data")
        guard appData.map({ $0.utf8.count <= Self.maximumAppData }) ?? true else { throw .appData }
        let json = try rethrowing(JSONValue(parsing: body), as: { NotifyFault.json($0) })
        guard let (template, payload) = Self.notification(in: json) else { throw .notification }
        self.platform = platform
        self.token = token
        self.template = template
        content = PushContent(type: template.type, title: template.title, payload: payload, appData: appData)
    }

    /// The body, without what is not understood.
    package var body: JSONObject {
        [template.name.member: .string(template.name.value), "data": .object(template.data(of: content.payload))]
    }

    /// The first template that the body has the name and the members of.
    private static func notification(in json: JSONValue) -> (NotifyTemplate, JSONObject)? {
        guard let data = json["data"]?.object else { return nil }
        for template in NotifyTemplate.all {
            let (member, name) = template.name
            guard json[member]?.string.map({ $0.isExactly(name) }) ?? false else { continue }
            if let payload = template.payload(data) { return (template, payload) }
        }
        return nil
    }
}

package enum NotifyFault: Error, NamedRule, Hashable, Sendable, ReadableFault {
    /// The platform is missing or unknown.
    case platform
    /// The token is missing or too long.
    case token
    case appData
    /// The body is not JSON.
    case json(JSONFault)
    /// The body is none of the known notifications, or a member is missing or malformed.
    case notification

    /// The text for the log. The sender gets none.
    package var reason: String {
        switch self {
        case .platform: "platform must be ios, android or web"
        case .token: "token must have 1 to \(NotifyRequest.maximumToken) bytes"
        case .appData: "app_data has more than \(NotifyRequest.maximumAppData) bytes"
        case .json(let fault): "the body is not JSON: \(fault.reason)"
        case .notification: "the body is not a known notification, or a member of it is missing or malformed"
        }
    }
}
