import LightningCoding
package import ResponderModel

/// What somebody who listens to an owner's messages is told: a pure machine over what the ledger says from time to time,
/// so that it does not matter which instance has added or marked a message.
package struct MessageFeed: Hashable, Sendable {
    /// The place of the newest message that the listener knows; nil before the first look.
    private var known: UInt64?
    private var unread: UInt64?

    /// How many messages are read at each look; what is more is a gap.
    package static let limit = 100

    /// A feed for a listener who knows the messages up to a place; nil for one who wants only what comes.
    package init(after place: UInt64? = nil) { known = place }

    /// Whether the newest messages must be read, given where the newest is.
    package func wantsMessages(_ count: MessageCount) -> Bool { known.map { count.newest > $0 } ?? false }

    /// What to tell after a look at the ledger, in order.
    ///
    /// - Parameters:
    ///   - count: how many messages are unread, and where the newest is.
    ///   - newest: the newest messages, newest first, ``limit`` at the most, read after the count; empty when they are not
    ///     wanted.
    package mutating func look(_ count: MessageCount, newest: [DeviceMessage]) -> [MessageEvent] {
        var events: [MessageEvent] = []
        let place = known ?? count.newest
        let missed = newest.filter { $0.sequence > place }
        let isCut = newest.count >= Self.limit && missed.count == newest.count
        // A place that nobody has given out belongs to another owner, or to a ledger that was restored from a backup.
        if isCut || place > count.newest {
            events = [.resync(count)]
            known = max(count.newest, newest.first?.sequence ?? 0)
        } else {
            events = missed.reversed().map { .notification($0) }
            known = max(place, count.newest, newest.first?.sequence ?? 0)
            if count.unread != unread { events.append(.read(count)) }
        }
        unread = count.unread
        return events
    }
}

package enum MessageEvent: Hashable, Sendable {
    case notification(DeviceMessage)
    /// So many messages are unread now; told first, and when that changes.
    case read(MessageCount)
    /// Messages were missed, more than are sent one by one: the listener must read the list again.
    case resync(MessageCount)

    /// As a server-sent event (HTML Standard, section 9.2); its id is the place up to which the listener knows the messages.
    package var text: String {
        let (name, place, data) =
            switch self {
            case .notification(let message): ("notification", message.sequence, message.json)
            case .read(let count): ("read", count.newest, count.json)
            case .resync(let count): ("resync", count.newest, count.json)
            }
        return "id: \(place)\nevent: \(name)\ndata: \(JSONValue.object(data).serialized())\n\n"
    }
}
