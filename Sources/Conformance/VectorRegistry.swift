/// The available runners.
public struct VectorRegistry: Sendable {
    /// Every runner of this package, by standard.
    public static let all = VectorRegistry([
        Bech32DecodeRunner(),
        Bech32EncodeRunner(),
        Bech32RegroupRunner(),
        BigSizeDecodeRunner(),
        BigSizeEncodeRunner(),
        BlindedPathReadRunner(),
        BlindedPayinfoReadRunner(),
        BlindRunner(),
        UnblindRunner(),
        MessageInstructionRunner(),
        PaymentInstructionRunner(),
        MessagePathRunner(),
        PaymentPathRunner(),
        OnionPacketRunner(),
        OnionMessageSendRunner(),
        OnionMessagePeelRunner(),
        Bolt11DecodeRunner(),
        Bolt11SignRunner(),
        LNURLDecodeRunner(),
        LNURLRecogniseRunner(),
        MetadataRunner(),
        PayRequestRunner(),
        CallbackRunner(),
        CallbackURLRunner(),
        PayInvoiceRunner(),
        SuccessActionRunner(),
        AESSealRunner(),
        AESOpenRunner(),
        CommentRunner(),
        AddressRunner(),
        PathSegmentRunner(),
        TagRunner(),
        SchemeDecodeRunner(),
        SchemeEncodeRunner(),
        PayerDataRunner(),
        DescriptionHashRunner(),
        VerifyRunner(),
        PostCallbackRunner(),
        Bolt12AnswerRunner(),
        Bolt12InvoiceErrorRunner(),
        Bolt12InvoiceRequestRunner(),
        Bolt12InvoiceRunner(),
        Bolt12MakeInvoiceRequestRunner(),
        Bolt12MerkleRootRunner(),
        Bolt12OfferRunner(),
        Bolt12TextRunner(),
        InitiateRunner(),
        RespondRunner(),
        FrameRunner(),
        ReadFrameRunner(),
        NotificationReadRunner(),
        ReplyRunner(),
        TLVStreamRunner(),
        TruncatedIntegerRunner(),
    ])

    private let runners: [any VectorRunner]

    /// Creates a registry.
    public init(_ runners: [any VectorRunner]) {
        self.runners = runners
    }

    /// The supported folders and subjects: `bolt-11, decode`.
    public var subjects: Set<String> {
        Set(runners.map { "\(type(of: $0).standard), \(type(of: $0).subject)" })
    }

    /// Runs every file of a folder. An invalid file fails; the others still run. Throws `unreadable`.
    public func run(_ folder: VectorFolder) async throws(VectorFault) -> VectorReport {
        var files: [VectorFileReport] = []
        for path in try folder.paths() { files.append(await run(path, of: folder)) }
        return VectorReport(files: files)
    }

    /// Runs one file. Without a runner for its folder and subject, all its cases fail.
    public func run(_ file: VectorFile) async -> VectorFileReport {
        let runner = runners.first { type(of: $0).standard == file.folder && type(of: $0).subject == file.subject }
        let unknown = VectorResult.Outcome.failed(reason: "no runner for \(file.folder), \(file.subject)")
        var results: [VectorResult] = []
        for vector in file.cases {
            results.append(VectorResult(name: vector.name, outcome: await runner?.judge(vector) ?? unknown))
        }
        return VectorFileReport(path: file.path, results: results, fault: nil)
    }

    private func run(_ path: String, of folder: VectorFolder) async -> VectorFileReport {
        do {
            return await run(try folder.file(path))
        } catch {
            return VectorFileReport(path: path, results: [], fault: error)
        }
    }
}
