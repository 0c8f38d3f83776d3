import LightningCoding

extension CodingFault {
    var explanation: String {
        let place = " (character \(offset + 1))"
        return switch kind {
        case .truncated, .empty: "it is too short"
        case .trailingBytes, .tooLong, .oddLength: "it is too long"
        case .notMinimal, .leadingZero, .outOfRange: "a number in it is not written as it must be"
        case .invalidCharacter, .invalidContinuation: "a character does not belong there" + place
        case .mixedCase: "it mixes upper and lower case" + place
        case .missingSeparator: "it has no separator, the digit 1"
        case .emptyHumanReadablePart: "nothing stands before its separator"
        case .badChecksum: "its checksum does not match, so that a character must be wrong"
        case .badPadding: "its last bits are not zero"
        case .outOfOrder, .duplicate: "its parts are not in order"
        case .invalidUTF8: "it is not UTF-8"
        }
    }
}

extension URLFault {
    var explanation: String {
        switch self {
        case .unknownScheme: "it begins with neither https:// nor http://"
        case .userInfo: "it carries a user name"
        case .emptyHost: "it has no host"
        case .invalidHost: "its host is no host name or address"
        case .notASCII: "it has letters beyond ASCII"
        case .invalidPort: "its port is not a number from 1 to 65535"
        case .fragment: "it has a fragment, behind #"
        case .invalidCharacter(let offset): "character \(offset + 1) does not belong there"
        case .tooLong: "it is too long"
        }
    }
}
