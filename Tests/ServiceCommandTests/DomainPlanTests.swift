import ArgumentParser
import LNURL
import ResponderModel
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("The domains of a service that starts", .timeLimit(.minutes(5)))
struct DomainPlanTests {
    private let temporary = TemporaryFolder()

    private func domain(_ url: String, aliases: [String] = [], isMain: Bool = false) throws -> Domain {
        var settings = DomainSettings()
        settings.aliases = try aliases.map { try DomainName($0) }
        return Domain(publicURL: try PublicURL(url), settings: settings, isMain: isMain)
    }

    private func plan(_ publicURL: String, over stored: [Domain]) throws -> DomainPlan {
        let words = ["--data-directory", temporary.path + "/data", "--public-url", publicURL]
        return DomainPlan(of: try SettingOptions.parse(words).configuration(), over: stored)
    }

    @Test("A new public URL changes the main domain only: the others may be edited at the same time")
    func changed() throws {
        let stored = [
            try domain("https://a.example", aliases: ["www.a.example"], isMain: true),
            try domain("https://other.example", aliases: ["www.other.example"]),
        ]
        let plan = try plan("https://b.example", over: stored)
        #expect(
            plan.changed(stored) == [
                try domain("https://b.example", aliases: ["www.a.example", "a.example"], isMain: true)
            ])
        #expect(try self.plan("https://a.example", over: stored).changed(stored).isEmpty)
    }

    @Test("Before others are stored, only domains that lose aliases are, so that no former name comes back")
    func lostAliases() throws {
        let stored = [
            try domain("https://a.example", aliases: ["www.a.example"], isMain: true),
            try domain("https://other.example", aliases: ["www.other.example"]),
        ]
        #expect(try plan("https://b.example", over: stored).withoutLostAliases(stored).isEmpty)
        // The main domain takes an alias of its own as its name.
        #expect(
            try plan("https://www.a.example", over: stored).withoutLostAliases(stored).isEmpty)
    }
}
