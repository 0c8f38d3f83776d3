/// The features of a node in `init` (BOLT 9): bits in pairs, the even one requiring what the odd one offers. A bitmap
/// of any length is stored in a few bytes.
public struct PeerFeatures: Hashable, Sendable {
    /// A pair of bits, named by its even one.
    public enum Feature: Int, CaseIterable, Hashable, Sendable {
        /// `option_data_loss_protect`
        case dataLossProtect = 0
        /// `option_upfront_shutdown_script`
        case upfrontShutdownScript = 4
        /// `gossip_queries`
        case gossipQueries = 6
        /// `var_onion_optin`
        case variableOnion = 8
        /// `gossip_queries_ex`
        case extendedGossipQueries = 10
        /// `option_static_remotekey`
        case staticRemoteKey = 12
        /// `payment_secret`
        case paymentSecret = 14
        /// `basic_mpp`
        case multiPart = 16
        /// `option_support_large_channel`
        case largeChannel = 18
        /// `option_anchors`
        case anchors = 22
        /// `option_route_blinding`
        case routeBlinding = 24
        /// `option_shutdown_anysegwit`
        case shutdownAnySegwit = 26
        /// `option_dual_fund`
        case dualFund = 28
        /// `option_quiesce`
        case quiesce = 34
        /// `option_attribution_data`
        case attributionData = 36
        /// `option_onion_messages`
        case onionMessages = 38
        /// `option_provide_storage`
        case provideStorage = 42
        /// `option_channel_type`
        case channelType = 44
        /// `option_scid_alias`
        case scidAlias = 46
        /// `option_payment_metadata`
        case paymentMetadata = 48
        /// `option_zeroconf`
        case zeroConf = 50
        /// `option_simple_close`
        case simpleClose = 60
        /// `option_splice`
        case splice = 62
    }

    /// How many of the lowest bits are kept. Those of BOLT 9 are below 64, experimental ones below 300.
    public static let keptBits = 512

    /// The shortest bitmap of the kept bits, big-endian, bit 0 the lowest of the last byte.
    public let bitmap: [UInt8]
    /// Whether bits beyond those were set.
    public let hasMore: Bool
    /// The lowest set even bit that is unknown here, kept or not; with such a peer the connection must be closed (BOLT
    /// 1, "The `init` Message").
    public let unknownDemand: Int?

    /// The features that a node without channels must offer: some implementations disconnect from peers without channel
    /// features. `gossip_queries` is omitted, since it would attract queries.
    public static let ofMessenger = PeerFeatures(
        offering: [.dataLossProtect, .variableOnion, .staticRemoteKey, .paymentSecret, .onionMessages])

    /// The features with their odd bits.
    public init(offering features: [Feature]) {
        let bits = features.map { $0.rawValue + 1 }
        var bytes = [UInt8](repeating: 0, count: bits.max().map { $0 / 8 + 1 } ?? 0)
        for bit in bits { bytes[bytes.count - 1 - bit / 8] |= 1 << (bit % 8) }
        bitmap = bytes
        hasMore = false
        unknownDemand = nil
    }

    /// The bits of one or more bitmaps, big-endian, bit 0 the lowest of the last byte.
    public init(bitmaps: [some BidirectionalCollection<UInt8>]) {
        var kept: [UInt8] = []
        var hasMore = false
        var unknown: Int?
        for bitmap in bitmaps {
            for (index, byte) in bitmap.reversed().enumerated() where byte != 0 {
                if index * 8 < unknown ?? .max, let bit = Self.unknownDemand(in: byte, at: index) {
                    unknown = min(bit, unknown ?? bit)
                }
                guard index < Self.keptBits / 8 else {
                    hasMore = true
                    continue
                }
                while kept.count <= index { kept.append(0) }
                kept[index] |= byte
            }
        }
        bitmap = kept.reversed()
        self.hasMore = hasMore
        unknownDemand = unknown
    }

    private static func unknownDemand(in byte: UInt8, at index: Int) -> Int? {
        for bit in stride(from: 0, to: 8, by: 2) where byte >> bit & 1 == 1 && Feature(rawValue: index * 8 + bit) == nil
        {
            return index * 8 + bit
        }
        return nil
    }

    /// The kept bits that are set, ascending.
    public var bits: [Int] { (0..<bitmap.count * 8).filter(contains) }

    /// Whether a feature is offered or required.
    public func has(_ feature: Feature) -> Bool {
        contains(feature.rawValue) || contains(feature.rawValue + 1)
    }

    private func contains(_ bit: Int) -> Bool {
        bit / 8 < bitmap.count && bitmap[bitmap.count - 1 - bit / 8] >> (bit % 8) & 1 == 1
    }
}
