package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension MessageCenter {
    /// A page of the messages of an owner, newest first:
    /// `{"data":[…],"next":"<cursor>","unread":7}`.
    package func messages(_ query: MessageQuery) async throws(MessageCenterRefusal) -> JSONObject {
        let page = try await MessageCenterRefusal.asking(await ledger.messages(query))
        let count = try await MessageCenterRefusal.asking(await ledger.messageCount(of: query.owner))
        return [
            "data": .array(page.elements.map { .object($0.json) }),
            "next": page.next.map { .string(String($0.position)) } ?? .null, "unread": .unsigned(count.unread),
        ]
    }

    /// How many messages of an owner are unread, and where the newest is.
    package func count(of owner: PublicKey) async throws(MessageCenterRefusal) -> MessageCount {
        try await MessageCenterRefusal.asking(await ledger.messageCount(of: owner))
    }

    /// Marks messages, as read or as unread.
    package func mark(
        _ selection: MessageSelection, read: Bool, of owner: PublicKey
    ) async throws(MessageCenterRefusal) {
        try await MessageCenterRefusal.asking(await ledger.mark(selection, of: owner, read: read, at: clock()))
    }

    /// Removes a message; nothing happens when there is none.
    package func removeMessage(_ id: MessageID, of owner: PublicKey) async throws(MessageCenterRefusal) {
        _ = try await MessageCenterRefusal.asking(await ledger.removeMessage(id, of: owner))
    }
}

extension MessageQuery {
    /// The query that the items of a URL ask for: `after`, `limit` from 1 to 100, `unread=1`, `type`.
    package init(of owner: PublicKey, items: [(name: String, value: String)]) throws(DeviceMemberFault) {
        self.init(of: owner)
        for (name, value) in items {
            switch name {
            case "after":
                guard let place = UInt64(digits: value), let position = Int64(exactly: place) else {
                    throw DeviceMemberFault(member: name, .malformed)
                }
                after = PageMark(position: position)
            case "limit":
                guard let limit = UInt64(digits: value), (1...100).contains(limit) else {
                    throw DeviceMemberFault(member: name, .malformed)
                }
                self.limit = Int(limit)
            case "unread":
                guard value.isExactly("1") || value.isExactly("0") else {
                    throw DeviceMemberFault(member: name, .malformed)
                }
                isUnread = value.isExactly("1")
            case "type":
                guard let type = MessageType(value) else { throw DeviceMemberFault(member: name, .malformed) }
                self.type = type
            default: continue
            }
        }
    }
}

extension JSONMembers<DeviceMemberFault> {
    /// Which messages are to be marked, and how: `{"ids":[…],"read":true}` or `{"read_up_to":<place>}`.
    package func marking() throws(DeviceMemberFault) -> (MessageSelection, read: Bool) {
        if has("read_up_to") { return (.upTo(try unsigned("read_up_to")), true) }
        return (.ids(try messageIDs("ids")), try flag("read"))
    }

    /// Up to 100 ids of messages.
    func messageIDs(_ key: String) throws(DeviceMemberFault) -> [MessageID] {
        let values = try array(key)
        guard values.count <= 100 else { throw fault(key) }
        return try values.map { value throws(DeviceMemberFault) in
            guard let id = value.string.flatMap(MessageID.init) else { throw fault(key) }
            return id
        }
    }
}

extension DeviceMessage {
    /// As an app reads it; times are in seconds since 1970.
    package var json: JSONObject {
        [
            "id": .string(content.id.text), "seq": .unsigned(sequence), "type": .string(content.type.text),
            "priority": .string(content.priority.rawValue), "title": .string(content.title),
            "body": .string(content.body),
            "link": content.link.map { ["type": .string($0.type.text), "target_id": .string($0.target)] } ?? .null,
            "created_at": .unsigned(content.createdAt.seconds),
            "read_at": readAt.map { .unsigned($0.seconds) } ?? .null,
        ]
    }
}

extension MessageCount {
    /// `{"unread":7,"seq":1234}`.
    package var json: JSONObject { ["unread": .unsigned(unread), "seq": .unsigned(newest)] }
}
