import LightningCoding
import LightningCrypto
import OnionMessages
import OnionPeer

extension PeerStatus {
    /// One connection, as the operator sees it. Times are in seconds, rates in messages a minute.
    var json: JSONValue {
        let (word, seconds) = stateWords
        return [
            "nodeID": .string(nodeID.hexadecimal), "address": .string(host), "incoming": .bool(isIncoming),
            "key": .string(own.hexadecimal), "state": .string(word), "seconds": seconds.map { .integer($0) } ?? .null,
            "onionMessages": features.map { .bool($0.has(.onionMessages)) } ?? .null,
            "features": features.map { .array($0.bits.map { .integer($0) }) } ?? .null,
            "moreFeatures": features.map { .bool($0.hasMore) } ?? .null,
            "bytesIn": .unsigned(traffic.bytesIn), "bytesOut": .unsigned(traffic.bytesOut),
            "messagesIn": .unsigned(traffic.onionsIn), "messagesOut": .unsigned(traffic.onionsOut),
            "perMinuteIn": .unsigned(traffic.onionsInLastMinute),
            "perMinuteOut": .unsigned(traffic.onionsOutLastMinute),
            "waiting": .integer(waiting), "dropped": .object(dropped),
            "warning": .text(traffic.warning),
            "lastError": .text(lastEnd?.description),
        ]
    }

    private var stateWords: (String, seconds: Int?) {
        switch state {
        case .connecting: ("connecting", nil)
        case .open(let time): ("open", Int(time / .seconds(1)))
        case .waiting(let time): ("waiting", Int((time / .seconds(1)).rounded(.up)))
        }
    }

    private var dropped: JSONObject {
        traffic.dropped.sorted { $0.key.rawValue < $1.key.rawValue }.reduce(into: [:]) { object, entry in
            object.append(entry.key.rawValue, .unsigned(entry.value))
        }
    }
}
