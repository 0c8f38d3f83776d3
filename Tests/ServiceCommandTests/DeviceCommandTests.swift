import ArgumentParser
import ServiceSetup
import LedgerContract
import LightningCoding
import LightningCrypto
import ResponderModel
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("Commands for registered devices", .timeLimit(.minutes(5)))
struct DeviceCommandTests: CommandFixture {
    let temporary = TemporaryFolder()

    /// Registers devices, as the service would.
    private func prepare() async throws {
        _ = try await run(AccountAdd.self, "operator")
        let ledger = try await installation().ledger
        for number in 1...3 as ClosedRange<UInt8> {
            try await ledger.putDevice(number, of: number == 3 ? 2 : 1, "phone-\(number)", at: number)
        }
        _ = try await ledger.dropAddress(
            of: Sample.deviceID(2), setBefore: Sample.start.adding(seconds: 1),
            because: "its provider does not know it",
            at: Sample.start)
    }

    @Test("Devices are listed newest first, of one owner or all, page by page, without their tokens")
    func listing() async throws {
        try await prepare()
        let all = try await run(DeviceList.self)
        #expect(all.json["devices"]?.array?.map { $0["install"] } == ["phone-3", "phone-2", "phone-1"])
        let token = try Sample.address(1).token
        #expect(!all.text.contains(token) && !all.json.serialized().contains(token))
        #expect(all.text.split(separator: "\n")[1].contains("  phone-2  dropped  seen "))
        let first = try await run(DeviceList.self, "--limit", "2")
        let next = try #require(first.json["next"]?.string)
        let rest = try await run(DeviceList.self, "--after", next)
        #expect(rest.json["devices"]?.array?.map { $0["install"] } == ["phone-1"])
        let owned = try await run(DeviceList.self, "--owner", Sample.node(1).hexadecimal)
        #expect(owned.json["devices"]?.array?.map { $0["install"] } == ["phone-1", "phone-2"])
        await #expect(throws: CommandFailure.self) { try await run(DeviceList.self, "--owner", "02") }
        await #expect(throws: CommandFailure.self) { try await run(DeviceList.self, "--limit", "0") }
    }

    @Test("A device is shown with the reason for which it cannot be reached, and is removed by its id")
    func one() async throws {
        try await prepare()
        let id = try Sample.deviceID(2).description
        let shown = try await run(DeviceShow.self, id)
        #expect(shown.json["state"] == "dropped" && shown.json["platform"] == .null)
        #expect(shown.text.contains("its provider does not know it"))
        #expect(try await run(DeviceRemove.self, id).json["removed"] == shown.json)
        await #expect(throws: CommandFailure.self) { try await run(DeviceRemove.self, id) }
        await #expect(throws: CommandFailure.self) { try await run(DeviceShow.self, "phone") }
    }

    @Test("An account's owner is set, shown and cleared")
    func owner() async throws {
        _ = try await run(AccountAdd.self, "alice")
        let key = try Sample.node(1).hexadecimal
        let set = try await run(AccountSet.self, "alice", "--owner", key)
        #expect(set.json["owner"] == .string(key))
        #expect(try await run(AccountShow.self, "alice").text.contains(key))
        #expect(try await run(AccountSet.self, "alice", "--owner", "none").json["owner"] == nil)
        await #expect(throws: CommandFailure.self) { try await run(AccountSet.self, "alice", "--owner", "02") }
    }
}
