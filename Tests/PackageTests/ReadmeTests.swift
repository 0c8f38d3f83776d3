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
        let folder = Repository.sources.appending(path: "Installing/Configuration")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let settings = try names.filter { $0.hasPrefix("SettingTable") }.flatMap { name in
            try Repository.text(folder.appending(path: name))
                .matches(of: /Setting(?:<[^(]*>|Section)\(\s*"([\w.-]+)"/).map { String($0.1) }
        }
        #expect(settings.count > 20)
        for setting in settings {
            #expect(readme.contains("`\(setting)`"), "\(setting)")
        }
    }
}
