import Bolt11
import LightningCoding
import Testing

@Suite("Hostile texts", .timeLimit(.minutes(5)))
struct HostileTests {
    @Test("Cut short at any position, an invoice is refused")
    func truncated() {
        for count in 0..<donation.count {
            #expect(throws: Bolt11Fault.self) { try Bolt11Invoice(donation.prefix(count)) }
        }
    }

    @Test("With one character changed at any position, an invoice is refused by its spelling")
    func flipped() {
        let characters = Array(donation)
        for index in characters.indices {
            for replacement in "qpl71bA é" where replacement != characters[index] {
                var changed = characters
                changed[index] = replacement
                #expect(isSpellingFault(String(changed)), "\(index) \(replacement)")
            }
        }
    }

    private func isSpellingFault(_ text: String) -> Bool {
        do throws(Bolt11Fault) {
            _ = try Bolt11Invoice(text)
        } catch {
            if case .encoding = error { return true }
        }
        return false
    }

    @Test("With any group changed and a right checksum, an invoice is refused or has another payee")
    func changedGroups() throws {
        let text = try Bech32.decode(donation, checksum: .bech32)
        let payee = try publishedNode()
        for index in text.groups.indices {
            for bit in 0..<5 {
                var groups = text.groups
                groups[index] ^= 1 << bit
                let changed = Bech32.Text(humanReadablePart: text.humanReadablePart, groups: groups)
                let read = try? Bolt11Invoice(Bech32.encode(changed, checksum: .bech32))
                #expect(read?.payee != payee)
            }
        }
    }

    @Test("With any number of groups left out of the middle and a right checksum, an invoice is refused")
    func missingGroups() throws {
        let text = try Bech32.decode(donation, checksum: .bech32)
        for count in 1..<text.groups.count - 7 {
            let groups = Array(text.groups.prefix(7) + text.groups.dropFirst(7 + count))
            let changed = Bech32.Text(humanReadablePart: text.humanReadablePart, groups: groups)
            let read = try? Bolt11Invoice(Bech32.encode(changed, checksum: .bech32))
            #expect(read == nil)
        }
    }

    @Test(
        "A megabyte of anything is one fault",
        arguments: ["q", "1", "l", "9", "é", "\u{0}", "lnbc1"])
    func megabyte(unit: String) {
        let junk = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
        #expect(throws: Bolt11Fault.self) { try Bolt11Invoice(junk) }
        #expect(throws: Bolt11Fault.self) { try Bolt11Invoice("lnbc1" + junk) }
    }

    @Test("A megabyte of groups with a right checksum is one fault", arguments: [0, 1, 3, 31] as [UInt8])
    func megabyteOfGroups(group: UInt8) {
        let groups = [UInt8](repeating: group, count: 1_000_000)
        let text = Bech32.encode(Bech32.Text(humanReadablePart: "lnbc", groups: groups), checksum: .bech32)
        #expect(throws: Bolt11Fault.self) { try Bolt11Invoice(text) }
    }
}
