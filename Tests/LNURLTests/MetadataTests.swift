import LNURL
import LightningCoding
import Testing

@Suite("Metadata (LUD-06, LUD-16, LUD-20)", .timeLimit(.minutes(5)))
struct MetadataTests {
    @Test("The string of an account has its texts raw, and its hash is that of these bytes")
    func build() throws {
        let text = PayMetadata.build(
            for: try LightningAddress("alice@example.com"),
            description: "Café ⚡ \"quoted\" / slash"
        )
        #expect(
            text == #"[["text/plain","Café ⚡ \"quoted\" / slash"],["text/identifier","alice@example.com"]]"#
        )
        #expect(
            Hexadecimal.encode(try PayMetadata(parsing: text).hash)
                == "8f389a7a04b0bfbc733bacab43b3dd754111b8a2ec59b8558518495095dff8d2"
        )
    }

    @Test("Every entry that is built is read again")
    func buildAndRead() throws {
        let image = try PayMetadata.Image(format: .jpeg, bytes: [0xff, 0xd8, 0xff])
        let text = PayMetadata.build(
            for: try LightningAddress("alice+rent@example.com"),
            isMailbox: true,
            description: "Rent",
            longDescription: "The rent\nof the house",
            image: image
        )
        let metadata = try PayMetadata(parsing: text)
        #expect(metadata.text == text)
        #expect(metadata.plainText == "Rent")
        #expect(metadata.longDescription == "The rent\nof the house")
        #expect(metadata.email == "alice@example.com")
        #expect(metadata.identifier == nil)
        #expect(metadata.image == image)
        #expect(metadata.image?.base64 == "/9j/")
        #expect(metadata.tag == nil)
    }

    @Test("A tag is spliced in before the last bracket, and nothing before it changes")
    func tagged() throws {
        let stored = PayMetadata.build(for: try LightningAddress("alice@example.com"), description: "Hi ]")
        let tagged = PayMetadata.adding(tag: "rent", to: stored)
        #expect(tagged == String(stored.dropLast()) + #",["text/tag","rent"]]"#)
        let metadata = try PayMetadata(parsing: tagged)
        #expect(metadata.tag == "rent")
        #expect(metadata.identifier == "alice@example.com")
        #expect(metadata.hash != PayMetadata.descriptionHash(of: stored))
    }

    @Test("A stored string that ends in white space is spliced at its bracket; one without a bracket is left alone")
    func taggedOddly() {
        #expect(
            PayMetadata.adding(tag: "a\"b", to: "[[\"text/plain\",\"x\"]] \n")
                == "[[\"text/plain\",\"x\"],[\"text/tag\",\"a\\\"b\"]] \n")
        #expect(PayMetadata.adding(tag: "rent", to: "") == "")
    }

    @Test(
        "The hash is over the bytes as served: white space and escapes count",
        arguments: [
            (
                #"[["text/plain", "lorem ipsum blah blah"]]"#,
                "f7d6f565d86b0065d2d2af771106de4f8477f1f14b4cca4c009c0d53bb9be25f"
            ),
            (
                #"[["text/plain","lorem ipsum blah blah"]]"#,
                "d824d0ea606c5a9665279c31cf185528a8df2875ea93f1f75e501e354b33e90a"
            ),
            (
                #"[["text/plain","Café ⚡ \"quoted\" \/ slash"],["text/identifier","alice@example.com"]]"#,
                "302001656ba714ce32698643fa5c69ee611ca2a4e402ab18fd98826afc92d870"
            ),
        ]
    )
    func hash(text: String, hash: String) throws {
        let metadata = try PayMetadata(parsing: text)
        #expect(metadata.text == text)
        #expect(Hexadecimal.encode(metadata.hash) == hash)
    }

    @Test("Unknown entries are passed over, whatever they hold")
    func unknownEntries() throws {
        let text = #"[["application/x",{"a":[1]},null],["text/plain","x","more"],["y"]]"#
        #expect(try PayMetadata(parsing: text).plainText == "x")
    }

    @Test(
        "Metadata that break a rule are refused",
        arguments: [
            (#"{"text/plain":"x"}"#, .notAnArray),
            ("[]", .missingPlainText),
            (#"[["text/identifier","a@b.c"]]"#, .missingPlainText),
            (#"[["text/plain","x"],"y"]"#, .malformedEntry(at: 1)),
            (#"[["text/plain","x"],[]]"#, .malformedEntry(at: 1)),
            (#"[[1,"x"]]"#, .malformedEntry(at: 0)),
            (#"[["text/plain"]]"#, .contentNotText("text/plain")),
            (#"[["text/plain",1]]"#, .contentNotText("text/plain")),
            (#"[["text/plain","x"],["text/plain","y"]]"#, .repeated("text/plain")),
            (#"[["text/plain","x"],["text/tag","y"],["text/tag","y"]]"#, .repeated("text/tag")),
            (#"[["text/plain","x"],["text/long-desc",null]]"#, .contentNotText("text/long-desc")),
            (#"[["text/plain","x"],["image/png;base64",""],["image/png;base64",""]]"#, .severalImages),
            (#"[["text/plain","x"],["image/png;base64",""],["image/jpeg;base64",""]]"#, .severalImages),
        ] as [(String, MetadataFault)]
    )
    func refused(text: String, fault: MetadataFault) {
        #expect(throws: fault) { try PayMetadata(parsing: text) }
    }

    @Test("Metadata that are no JSON are refused")
    func notJSON() {
        #expect(throws: MetadataFault.json(JSONFault(.unexpectedEnd, at: 0))) { try PayMetadata(parsing: "") }
    }

    @Test("A picture has at most 136536 characters of base64")
    func imageLength() throws {
        let longest = String(repeating: "A", count: 136_536)
        func text(_ base64: String) -> String { #"[["text/plain","x"],["image/png;base64",""# + base64 + #""]]"# }
        #expect(try PayMetadata(parsing: text(longest)).image?.format == .png)
        #expect(throws: MetadataFault.imageTooLong) { try PayMetadata(parsing: text(longest + "A")) }
        #expect(try PayMetadata.Image(format: .png, bytes: Array(repeating: 0, count: 102_402)).base64.count == 136_536)
        #expect(throws: MetadataFault.imageTooLong) {
            try PayMetadata.Image(format: .png, bytes: Array(repeating: 0, count: 102_403))
        }
    }

    @Test("By its first text, LUD-18 lets the invoice commit to the payer data as received, behind the metadata")
    func legacyHash() {
        let metadata = #"[["text/plain", "description"], ["image/png;base64", "AAA=="]]"#
        let payerData =
            #"{"name":"bob","auth":{"key":"02c9323d02fc164f89c8f688dbfba8aad69a96fa8f6253ba8cce2c6f1546073fa3","sig":"#
            + #""2afd21794e2a801d0d516584ceebe1a24ed8991dd5ec708259aeaee5c0d2d1437542b689ee5d39e619a01a257142d49c18a4af3"#
            + #"088c46ce87e2d941a1bcc7210"},"identifier":"bob@bob.com","pubkey":"03ee58475055820fbfa52e356a8920f62f83161"#
            + #"29c39369dbdde3e5d0198a9e315"}"#
        #expect(
            Hexadecimal.encode(PayMetadata.descriptionHash(of: metadata))
                == "b5d77f8d3228c7f015fbf0c3f0b2167cc1c1db6148517cf1a4c951f09d48954e"
        )
        #expect(
            Hexadecimal.encode(PayMetadata.descriptionHash(of: metadata, payerData: payerData))
                == "449be9db5a2d7eae50fa5a1b6f4ade66dbf5dbfd7fa6348d939370f008e16323"
        )
    }
}
