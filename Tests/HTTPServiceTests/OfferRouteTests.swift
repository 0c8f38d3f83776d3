import Bolt12
import HTTPTypes
import LNURL
import LightningCoding
import ResponderCore
import ResponderModel
import Testing

@Suite("Offers on the admin listener", .timeLimit(.minutes(5)))
struct OfferRouteTests {
    private static let introduction = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

    private func create(_ service: TestService, _ body: String) async throws -> Answer {
        try await service.administer("/offers", method: .post, body: body)
    }

    @Test("An offer is created, listed, shown and disabled")
    func life() async throws {
        let service = try await TestService()
        try await service.put("bob", AccountSettings(description: "Pay Bob", backend: .embedded))
        let made = try await create(
            service,
            #"{"account":"Alice","amount":21000,"description":"Tea","issuer":"a@b.c","quantityMax":0,"expiresIn":60}"#)
        #expect(made.status == 200)
        let json = try made.json()
        let offer = try Offer(json["offer"]?.string ?? "")
        #expect(offer.amount == 21_000)
        #expect(offer.quantityMax == 0)
        #expect(offer.absoluteExpiry == service.clock.now.adding(seconds: 60))
        #expect(json["id"]?.string == offer.id.hexadecimal)
        #expect(json["state"] == "open")
        #expect(json["maximumPayments"] == .null)
        #expect(
            json["reach"]?["forwarder"]?["webhook"]?.string
                == service.secrets.url(of: try AddressName("alice"), in: service.domain).text)
        _ = try await create(service, #"{"account":"bob","maximumPayments":1}"#)
        #expect(
            try await service.administer("/offers").json()["offers"]?.array?.map { $0["account"] } == ["bob", "alice"])
        #expect(try await service.administer("/offers?account=alice").json() == ["offers": [json]])
        #expect(try await service.administer("/offers/\(offer.id)").json() == json)
        let disabled = try await service.administer("/offers/\(offer.id)/disable", method: .post).json()
        #expect(disabled["state"] == "disabled")
        #expect(disabled["reach"]?["forwarder"]?["now"] == false)
    }

    @Test("An offer with an introduction node has a path, with or without its issuer id")
    func introduction() async throws {
        let service = try await TestService()
        let withKey = try await create(
            service, #"{"account":"alice","introduction":"\#(Self.introduction)"}"#
        ).json()
        #expect(withKey["paths"] == 1)
        #expect(withKey["issuerID"]?.string?.count == 66)
        #expect(withKey["reach"]?["forwarder"]?["overLightning"] == true)
        let without = try await create(
            service, #"{"account":"alice","issuerID":false,"introduction":"\#(Self.introduction)"}"#
        ).json()
        #expect(without["paths"] == 1)
        #expect(without["issuerID"] == .null)
    }

    @Test("An offer with several introduction nodes has as many paths")
    func introductions() async throws {
        let service = try await TestService()
        let list = #""\#(Self.introduction)","\#(Self.introduction.replacing("0279", with: "0379"))""#
        let offer = try await create(service, #"{"account":"alice","introduction":[\#(list)]}"#).json()
        #expect(offer["paths"] == 2)
        let many = Array(repeating: #""\#(Self.introduction)""#, count: 9).joined(separator: ",")
        for introduction in ["[]", "[\(many)]", "[7]", #"["\#(Self.introduction)","02"]"#] {
            let body = #"{"account":"alice","introduction":\#(introduction)}"#
            #expect(try await create(service, body).status == 400)
        }
    }

    @Test(
        "Invalid terms are refused",
        arguments: [
            "[]", "{}", #"{"account":"al ice"}"#, #"{"account":"alice","color":"red"}"#,
            #"{"account":"alice","amount":0}"#, #"{"account":"alice","amount":"21"}"#,
            #"{"account":"alice","amount":21000}"#, #"{"account":"alice","description":7}"#,
            #"{"account":"alice","expiresIn":0}"#, #"{"account":"alice","maximumPayments":0}"#,
            #"{"account":"alice","introduction":"02"}"#, #"{"account":"alice","issuerID":false}"#,
            #"{"account":"alice","issuerID":"no"}"#, #"{"account":"alice","description":null}"#,
            #"{"account":"alice","introduction":null}"#,
        ])
    func badTerms(body: String) async throws {
        let service = try await TestService()
        #expect(try await create(service, body).status == 400)
    }

    @Test("Unknown offers are not found, and without the token every request is refused")
    func notFound() async throws {
        let service = try await TestService()
        let nothing = String(repeating: "0", count: 64)
        #expect(try await create(service, #"{"account":"carol"}"#).status == 404)
        #expect(try await service.administer("/offers/\(nothing)").status == 404)
        #expect(try await service.administer("/offers/\(nothing)/disable", method: .post).status == 404)
        #expect(try await service.administer("/offers/0").status == 400)
        #expect(try await service.administer("/offers?color=red").status == 400)
        for path in ["/offers", "/offers/\(nothing)"] {
            #expect(try await service.administer(path, token: nil).status == 401)
        }
    }
}
