/// What a node says of itself when a connection begins (BOLT 9): bits in pairs, the even one of which demands what the odd one
/// offers.
public struct PeerFeatures: Hashable, Sendable {
    /// A pair of bits, named by its even one.
    public enum Feature: Int, CaseIterable, Hashable, Sendable {
        /// `option_data_loss_protect`
        case dataLossProtect = 0
        /// `gossip_queries`
        case gossipQueries = 6
        /// `var_onion_optin`
        case variableOnion = 8
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
        /// `option_splice`
        case splice = 62
    }

    /// The bits that are set.
    public let bits: Set<Int>

    /// What a node without channels offers so that other implementations keep the connection: some hang up on who does not
    /// know the features of channels. `gossip_queries` is left out, which would bring queries.
    public static let ofMessenger = PeerFeatures(
        offering: [.dataLossProtect, .variableOnion, .staticRemoteKey, .paymentSecret, .onionMessages])

    /// The features with their odd bits.
    public init(offering features: [Feature]) {
        bits = Set(features.map { $0.rawValue + 1 })
    }

    /// The bits of one or more bitmaps, big-endian, bit 0 the lowest of the last byte.
    public init(bitmaps: [some Collection<UInt8>]) {
        bits = bitmaps.reduce(into: []) { bits, bitmap in
            for (index, byte) in bitmap.reversed().enumerated() where byte != 0 {
                for bit in 0..<8 where byte >> bit & 1 == 1 { bits.insert(index * 8 + bit) }
            }
        }
    }

    /// The shortest bitmap.
    public var bitmap: [UInt8] {
        guard let highest = bits.max() else { return [] }
        var bytes = [UInt8](repeating: 0, count: highest / 8 + 1)
        for bit in bits { bytes[bytes.count - 1 - bit / 8] |= 1 << (bit % 8) }
        return bytes
    }

    /// Whether a feature is offered or demanded.
    public func has(_ feature: Feature) -> Bool {
        bits.contains(feature.rawValue) || bits.contains(feature.rawValue + 1)
    }

    /// The lowest even bit that is set and known to no one here; who sets it must not be talked to (BOLT 1, "The `init`
    /// Message").
    public var unknownDemand: Int? {
        bits.filter { $0 % 2 == 0 && Feature(rawValue: $0) == nil }.min()
    }
}
