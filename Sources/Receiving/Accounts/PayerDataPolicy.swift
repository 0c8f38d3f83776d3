public import LNURL

/// What an account asks payers about themselves (LUD-18), field by field.
public struct PayerDataPolicy: Hashable, Sendable {
    /// How much a field is wanted.
    public enum Requirement: String, CaseIterable, Hashable, Sendable {
        /// The field is not in the question.
        case notAsked = "no"
        /// A payer may leave it out.
        case optional
        /// Without it there is no invoice.
        case mandatory
    }

    /// A name, free text.
    public var name: Requirement
    /// A public key, 33 bytes.
    public var pubkey: Requirement
    /// A Lightning address.
    public var identifier: Requirement
    /// An e-mail address.
    public var email: Requirement
    /// A signature over our challenge (LUD-04).
    public var auth: Requirement

    /// A policy; asks nothing unless told to.
    public init(
        name: Requirement = .notAsked,
        pubkey: Requirement = .notAsked,
        identifier: Requirement = .notAsked,
        email: Requirement = .notAsked,
        auth: Requirement = .notAsked
    ) {
        self.name = name
        self.pubkey = pubkey
        self.identifier = identifier
        self.email = email
        self.auth = auth
    }

    /// Whether no field is wanted at all.
    public var asksNothing: Bool {
        [name, pubkey, identifier, email, auth].allSatisfy { $0 == .notAsked }
    }
}
