import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    private let readme: String

    init() throws {
        readme = try Repository.text(Repository.root.appending(path: "README.md"))
    }

    @Test("Every library is named")
    func librariesAreNamed() throws {
        for library in Manifest(try Repository.manifest()).libraries {
            #expect(readme.contains("`\(library)`"), "\(library)")
        }
    }

    @Test("Every setting is explained")
    func settingsAreExplained() throws {
        let table = Repository.sources.appending(path: "Installing/Configuration/SettingTable.swift")
        let settings = try Repository.text(table).matches(of: /Setting(?:<[^(]*>|Section)\(\s*"([\w.-]+)"/).map {
            String($0.1)
        }
        #expect(settings.count > 10)
        for setting in settings {
            #expect(readme.contains("`\(setting)`"), "\(setting)")
        }
    }
}
