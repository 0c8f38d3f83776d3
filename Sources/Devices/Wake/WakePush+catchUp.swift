public import Contracts
public import LightningCoding
public import LightningCrypto
public import Push

extension WakePush {
    /// The silent push message that makes an app fetch what is pending; nil for a device that cannot decrypt. It says
    /// nothing but that.
    ///
    /// - Parameters:
    ///   - device: who is woken.
    ///   - now: the time; it is useful until the next one may follow.
    ///   - secret: what collapse ids are made with.
    ///   - random: draws an id, a key and a nonce.
    public static func catchUp(
        of device: Device, at now: UnixTime, secret: SecretBytes, random: RandomSource
    ) throws(CryptoFault) -> PushMessage? {
        guard let key = device.profile.encryptionKey, let topic = WakeTopic("catch_up"),
            let id = WakeID("catch-up-" + Hexadecimal.encode(try random(8)))
        else { return nil }
        let expires = now.adding(seconds: CatchUp.interval)
        let wake = WakeMessage(id: id, topic: topic, urgency: .background, deadline: expires, payload: nil)
        let container = try WakeContainer(sealing: wake.plaintext, for: key, as: .current, random: random)
        let collapse = CollapseID(
            secret: secret, identity: device.id.description, topic: topic.text, key: "")
        return WakePush(
            .silent(container, isUrgent: false), about: id, topic: topic, collapse: collapse, expires: expires
        ).message(.catchUp)
    }
}
