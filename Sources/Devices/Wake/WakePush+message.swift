public import Push

extension WakePush {
    /// As it is sent, through any provider. Web Push encrypts the alert's text too.
    ///
    /// - Parameters:
    ///   - priority: who waits for it.
    ///   - replacesEarlier: whether messages with its collapse id follow each other.
    public func message(_ priority: PushPriority, replacesEarlier: Bool = true) -> PushMessage {
        let form = PushForm(
            apns: apnsBody, kind: isSilent ? .background : .alert, data: data, notification: notification, web: web,
            isUrgent: isUrgent)
        return PushMessage(
            form, priority, expires: expires, collapseID: apnsCollapse, replacesEarlier: replacesEarlier)
    }
}
