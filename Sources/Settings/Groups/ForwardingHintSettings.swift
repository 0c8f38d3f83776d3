/// What nodes tell payers' wallets of their peers. It needs no provider of push messages: a group of its own.
package struct ForwardingHintSettings: SettingGroup {
    package let tokenFile = Setting<String?>(
        "forwarding-hint.token-file",
        "A file (mode 0600) with the token, of at least 32 characters, that wallets show to learn why a payment to a peer of a "
            + "node was not forwarded. Without it nobody is told."
    )
    package let requests = Setting<UInt64>(
        "forwarding-hint.requests",
        standard: 60,
        in: 0...1_000_000,
        "Such questions per minute from one client network; 0 for unlimited."
    )
}
