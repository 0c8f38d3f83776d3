import HTTPTypes
import LedgerContract
import LightningCoding
import ResponderModel
import SQLiteLedger
import Testing

@Suite("Devices for the operator", .timeLimit(.minutes(5)))
struct DeviceAdminTests {
    @Test("Devices are listed, shown and removed, and no address is shown")
    func administered() async throws {
        let fixture = try await DeviceFixture()
        let (service, feature) = (fixture.service, fixture.sender)
        for number in 1...3 as ClosedRange<UInt8> {
            try await service.ledger.putDevice(number, of: number == 3 ? 2 : 1, "phone-\(number)", at: number)
        }
        let page = try await service.administer("/devices?limit=2", of: feature)
        #expect(try page.json()["devices"]?.array?.compactMap { $0["install"]?.string } == ["phone-3", "phone-2"])
        #expect(!page.body.contains(try Sample.address(2).token))
        let next = try #require(try page.json()["next"]?.string)
        let rest = try await service.administer("/devices?after=\(next)", of: feature).json()
        #expect(rest["devices"]?.array?.compactMap { $0["install"]?.string } == ["phone-1"])
        let owned = try await service.administer("/devices?owner=\(Sample.node(1))", of: feature).json()
        #expect(owned["devices"]?.array?.compactMap { $0["install"]?.string } == ["phone-1", "phone-2"])
        let id = try Sample.deviceID(1)
        #expect(try await service.administer("/devices/\(id)", of: feature).json()["state"] == "live")
        #expect(try await service.administer("/devices/\(id)", method: .delete, of: feature).status == 200)
        #expect(try await service.administer("/devices/\(id)", method: .delete, of: feature).status == 404)
        for path in ["/devices/x", "/devices?owner=02", "/devices?limit=0", "/devices?state=live"] {
            #expect(try await service.administer(path, of: feature).status == 400, "\(path)")
        }
    }
}
