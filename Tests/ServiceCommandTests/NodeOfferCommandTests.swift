import ArgumentParser
import Bolt12
import Foundation
import ServiceSetup
import LightningCoding
import LightningCrypto
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("Commands for a node's own offers", .timeLimit(.minutes(5)))
struct NodeOfferCommandTests {
    private let temporary = TemporaryFolder()
    private let offer: Offer
    private static let node = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

    /// A hook for a node with one offer, for alice. With a file `fault`, it returns this error when an offer is to be
    /// disabled.
    private static let hook = """
        while read -r line; do
          id=${line#*:}; id=${id%%,*}
          case $line in
            *'"info"'*) answer='"result":{"version":1,"nodeID":"NODE","network":"regtest","blockHeight":1,"synchronized":true,"public":true,"capabilities":{"precision":"msat","preimage":false,"cancel":true,"offers":"own","textLimit":639}}' ;;
            *'"offer"'*) answer='"result":{"offer":"OFFER"}' ;;
            *'"disable-offer"'*)
              if read -r code < "$0"; then answer='"error":{"code":"'$code'"}'; else answer='"result":{}'; fi ;;
            *) answer='"error":{"code":"refused"}' ;;
          esac
          echo "{\\"id\\":$id,$answer}"
        done
        """

    init() async throws {
        var fields = OfferFields()
        fields.chains = [ChainHash(.regtest)]
        fields.description = "Pay Alice"
        fields.issuerID = try SecretKey(Array(repeating: 8, count: 32)).publicKey
        offer = try Offer(fields)
        let script = Self.hook.replacing("NODE", with: Self.node).replacing("OFFER", with: offer.text)
        let words = ["/bin/sh", "-c", script, temporary.path + "/fault"].map { JSONValue.string($0).serialized() }
        let file = "backends:\n  shop:\n    kind: hook\n    command: [\(words.joined(separator: ", "))]\n"
        try file.write(toFile: temporary.path + "/responder.yaml", atomically: true, encoding: .utf8)
        try say(nil)
        _ = try await run(AccountAdd.self, "alice", "--description", "Pay Alice")
    }

    /// Sets the hook's error for disabling an offer; nil for success.
    private func say(_ fault: String?) throws {
        try (fault.map { $0 + "\n" } ?? "").write(toFile: temporary.path + "/fault", atomically: true, encoding: .utf8)
    }

    private func run<Command: ReportingCommand>(_: Command.Type, _ arguments: String...) async throws -> CommandResult {
        let data = ["--data-directory", temporary.path + "/data", "--config", temporary.path + "/responder.yaml"]
        return try await Command.parse(arguments + data).perform()
    }

    private func disable() async throws -> CommandFailure? {
        do {
            _ = try await run(OfferDisable.self, offer.text)
            return nil
        } catch let failure as CommandFailure {
            return failure
        }
    }

    @Test("The node that made an offer is named when it is created, shown and listed")
    func made() async throws {
        let made = try await run(OfferCreate.self, "alice")
        #expect(made.json["offer"]?.string == offer.text)
        #expect(made.json["madeBy"] == "shop")
        #expect(made.json["madeByNode"]?.string == Self.node)
        let shown = try await run(OfferShow.self, offer.text)
        #expect(shown.json == made.json)
        #expect(shown.text.contains("madeBy: shop\nmadeByNode: \(Self.node)\n"))
        #expect(shown.text.contains("through the node: shop answers requests for it"))
        let list = try await run(OfferList.self)
        #expect(list.text.hasSuffix("  alice@127.0.0.1:8080  \"Pay Alice\"  made by shop\n"))
        #expect(list.json["offers"] == [made.json])
    }

    @Test(
        "Disabling it reaches the node; a failure of the node has its own exit code, and the consequence is stated"
    )
    func disabled() async throws {
        _ = try await run(OfferCreate.self, "alice")
        try say("unsupported")
        let cannot = try #require(try await disable())
        #expect(cannot.status == .no)
        #expect(cannot.reasons.first?.contains("the offer stays enabled: shop cannot disable its offers") == true)
        #expect(try await run(OfferShow.self, offer.text).json["state"] == "open")
        try say("unavailable")
        let silent = try #require(try await disable())
        #expect(silent.status == .unavailable)
        #expect(silent.reasons.first?.contains("disabled here, but still enabled at shop") == true)
        let shown = try await run(OfferShow.self, offer.text)
        #expect(shown.json["state"] == "disabled" && shown.json["disabledAtNodeAt"] == .null)
        #expect(shown.text.contains("still through the node: shop answers requests for it until `offer disable`"))
        try say(nil)
        #expect(try await disable() == nil)
        let off = try await run(OfferShow.self, offer.text)
        #expect(off.json["disabledAtNodeAt"]?.string != nil)
        #expect(off.text.contains("not reachable: requests for it are no longer answered"))
    }
}
