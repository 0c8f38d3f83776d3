public import BlindedPaths
public import LightningCoding
public import LightningCrypto

extension OnionMessage {
    /// A message to the introduction node of `path`, and from there to its end.
    ///
    /// - `content`, `replyPath`, `unknownRecords`: for the last node. An answer must not carry a reply path: some
    ///   payers refuse it (Eclair issue 3322).
    /// - `size`: nil for the smallest that fits.
    /// - `sessionKey`: fresh and random.
    ///
    /// Throws `tooLong`, `invalidRecords` or `unusableKey`.
    public init(
        over path: BlindedPath, content: MessageContent?, replyPath: BlindedPath? = nil,
        unknownRecords: [TLVRecord] = [], size: OnionPacket.Size? = nil, sessionKey: SecretKey
    ) throws(OnionBuildingFault) {
        var layers: [OnionPacket.Layer] = []
        for (index, hop) in path.hops.enumerated() {
            var payload = MessagePayload(encryptedRecipientData: hop.encryptedRecipientData)
            if index == path.hops.count - 1 {
                payload.content = content
                payload.replyPath = replyPath
                payload.unknownRecords = unknownRecords
            }
            let bytes = try rethrowing(payload.encoded(), as: OnionBuildingFault.invalidRecords)
            layers.append(OnionPacket.Layer(blindedNodeID: hop.blindedNodeID, payload: bytes))
        }
        let packet = try OnionPacket(layers, size: size, sessionKey: sessionKey)
        self.init(pathKey: path.firstPathKey, packet: packet)
    }
}
