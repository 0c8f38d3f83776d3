public import Contracts

extension SettingsFault {
    /// The text for the operator.
    public var reason: String {
        switch problem {
        case .notAnObject: key.isEmpty ? "the settings must be a JSON object" : "\(key) must be a JSON object"
        case .unknown: "\(key) is not an account setting"
        case .missing: "\(key) is missing"
        case .wrongType(let expected): "\(key) must be \(expected)"
        case .outOfRange(let range): "\(key) must be from \(range.lowerBound) to \(range.upperBound)"
        case .tooLong(let maximum): "\(key) has more than \(maximum) bytes"
        case .aboveMaximum: "\(key) is above the maximum"
        case .zero: "\(key) must not contain U+0000"
        case .malformed: "\(key) is malformed"
        }
    }
}
