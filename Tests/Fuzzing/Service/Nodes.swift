@testable import CoreLightning
@testable import HookBackend
@testable import LND
import LightningCoding
import LightningFuzzing
@testable import Phoenixd
import ResponderModel

extension FuzzTarget {
    static let nodes = [
        FuzzTarget("core-lightning") { bytes in
            try checkSplitter(bytes)
            guard let answer = answer(bytes) else { return }
            _ = try? NodeInfo(getinfo: answer)
            _ = try? PeerChannel.usable(in: answer)
            _ = try? ListedInvoice(answer).status
        },
        FuzzTarget("lnd") { bytes in
            try checkFilter(bytes)
            guard let answer = answer(bytes) else { return }
            _ = try? LNDInvoice(answer).status
            _ = try? LNDChannel(answer)
            _ = try? GatewayError(answer)
            _ = LND.SettlementFeed.report(answer, after: 1)
        },
        FuzzTarget("phoenixd") { bytes in
            guard let answer = answer(bytes) else { return }
            _ = try? IncomingPayment(answer).status
            _ = try? Phoenixd.NodeDescription(answer)
        },
        FuzzTarget("hook") { bytes in
            guard let answer = answer(bytes) else { return }
            _ = try? NodeInfo(answer)
            _ = try? ReceiveLimits(answer)
            _ = try? BackendInvoice(answer)
            _ = try? Settlement(answer)
            _ = try? answer.status()
            _ = try? answer.offer()
            _ = BackendFault(hookError: .object(answer.object))
            _ = try? NotificationHook.Answer(answer)
        },
    ]

    private static func answer(_ bytes: [UInt8]) -> NodeAnswer? {
        (try? JSONValue(parsing: bytes)).flatMap { try? NodeAnswer($0) }
    }

    /// Objects are the same however the stream is cut.
    private static func checkSplitter(_ bytes: [UInt8]) throws {
        var (whole, pieces) = (DocumentSplitter(limits: .default), DocumentSplitter(limits: .default))
        guard let documents = try? whole.take(bytes) else { return }
        let again = try bytes.map { try pieces.take(CollectionOfOne($0)) }.flatMap(\.self)
        try require(again == documents, "a stream is split at the same places however it arrives")
    }

    /// Of valid JSON the members that are kept are those that a parser of everything finds.
    private static func checkFilter(_ bytes: [UInt8]) throws {
        var filter = MemberFilter(limit: 1 << 20)
        filter.append(bytes)
        guard let object = try? JSONValue(parsing: bytes).object else { return }
        guard !filter.isTooLong, let kept = try? JSONValue(parsing: filter.kept) else {
            throw BrokenRule("what is kept of valid JSON is valid")
        }
        for key in ["r_hash", "r_preimage", "state", "settle_index", "amt_paid_msat"] {
            try require(kept[key] == object[key], "a member is kept as it is")
        }
    }
}
