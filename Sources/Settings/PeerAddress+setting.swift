package import OnionMessages

extension PeerAddress: SettingValue {
    package static var form: String { "<node id>@host:port" }

    package init?(setting text: String) {
        guard let address = try? PeerAddress(text) else { return nil }
        self = address
    }

    package var settingText: String { description }
}
