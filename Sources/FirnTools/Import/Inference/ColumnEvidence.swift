import FirnValues

/// What the values of one column have in common so far.
///
/// A column gets a type only if every value prints again as exactly the same text, so the first
/// value makes a guess and each further one must agree with it; the first that does not makes the
/// column text, and is remembered for the report.
struct ColumnEvidence {
    enum Guess {
        /// No value yet.
        case nothing
        case int
        case decimal
        case date
        case dateTime
        case bool
        case string
    }

    private(set) var guess = Guess.nothing
    private(set) var nulls: UInt64 = 0
    private(set) var values: UInt64 = 0
    /// Decimals: the places of the first value, and which of the two printed forms all share.
    private(set) var places = 0
    private(set) var isFixed = true
    private(set) var isShortest = true
    /// Why the column is text.
    private(set) var reason = ""

    /// Counts a null.
    @inline(__always)
    mutating func seeNull() { nulls &+= 1 }

    /// Looks at a value that is not null.
    ///
    /// - Parameters:
    ///   - text: UTF-8; empty if it stood in quotes.
    ///   - line: for the report.
    @inline(__always)
    mutating func see(_ text: UnsafeBufferPointer<UInt8>, line: UInt64) {
        values &+= 1
        switch guess {
        case .string: break
        case .int: if NumberText.int(text) == nil { becomeText(text, line) }
        default: seeOther(text, line)
        }
    }

    private mutating func seeOther(_ text: UnsafeBufferPointer<UInt8>, _ line: UInt64) {
        let agrees =
            switch guess {
            case .nothing: guessFirst(text)
            case .decimal: seeDecimal(text)
            case .date: DateText.date(text) != nil
            case .dateTime: DateText.dateTime(text) != nil
            case .bool: ColumnEvidence.bool(text) != nil
            case .int, .string: true
            }
        if !agrees { becomeText(text, line) }
    }

    private mutating func guessFirst(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if NumberText.int(text) != nil {
            guess = .int
        } else if let decimal = NumberText.decimal(text) {
            guess = .decimal
            places = decimal.places
            isFixed = decimal.isFixed
            isShortest = decimal.isShortest
        } else if DateText.date(text) != nil {
            guess = .date
        } else if DateText.dateTime(text) != nil {
            guess = .dateTime
        } else if ColumnEvidence.bool(text) != nil {
            guess = .bool
        } else {
            return false
        }
        return true
    }

    private mutating func seeDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let decimal = NumberText.decimal(text) else { return false }
        let staysFixed = isFixed && decimal.isFixed && decimal.places == places
        let staysShortest = isShortest && decimal.isShortest
        // The old forms are still needed for the report if neither is left.
        guard staysFixed || staysShortest else { return false }
        isFixed = staysFixed
        isShortest = staysShortest
        return true
    }

    private mutating func becomeText(_ text: UnsafeBufferPointer<UInt8>, _ line: UInt64) {
        reason = TextReason.describe(text, after: self, line: line)
        guess = .string
    }

    static func bool(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
        if text.elementsEqual("true".utf8) { return true }
        if text.elementsEqual("false".utf8) { return false }
        return nil
    }
}
