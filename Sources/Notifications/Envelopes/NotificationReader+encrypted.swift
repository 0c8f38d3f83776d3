import LightningCoding

extension NotificationReader {
    /// The encrypted payload of a push message: `aps.alert.payload`.
    func encrypted(in object: JSONObject) -> JSONObject? {
        object["aps"]?["alert"]?["payload"]?.object
    }

    /// Decrypts a payload. Failing to is not an envelope fault: someone must still be notified.
    func deciphered(_ payload: JSONObject, as type: NotificationType?, in form: MemberReader) -> DecodedEnvelope {
        do throws(DecipherFault) {
            guard let key else { throw .noKey }
            let plaintext = try EncryptedPayload(payload).opened(with: key)
            guard let object = plaintext.object else { throw .plaintext }
            return try envelope(of: object, as: type, in: form)
        } catch {
            return DecodedEnvelope(
                type: type ?? .undecipherable, payload: [:], event: .undecipherable(error),
                appData: form.value(names.appData), envelope: .encrypted)
        }
    }

    /// An encrypted payload holds a whole envelope, `{"type":…,"payload":{…}}`, or, when the type is outside, the
    /// payload alone.
    private func envelope(
        of object: JSONObject, as type: NotificationType?, in form: MemberReader
    ) throws(DecipherFault) -> DecodedEnvelope {
        if let type { return envelope(type, object, in: form) }
        do {
            if let inner = try self.envelope(in: object, insideBody: true), inner.envelope != .encrypted {
                return DecodedEnvelope(
                    type: inner.type, payload: inner.payload, appData: inner.appData ?? form.value(names.appData),
                    messageID: inner.messageID, envelope: .encrypted)
            }
        } catch {
            throw .plaintext
        }
        guard let name = object["type"]?.string, !name.isEmpty, name.utf8.count <= NotificationType.maximumCount else {
            throw .plaintext
        }
        return envelope(names.type(named: name), object["payload"]?.object ?? [:], in: form)
    }

    private func envelope(_ type: NotificationType, _ payload: JSONObject, in form: MemberReader) -> DecodedEnvelope {
        DecodedEnvelope(type: type, payload: payload, appData: form.value(names.appData), envelope: .encrypted)
    }
}
