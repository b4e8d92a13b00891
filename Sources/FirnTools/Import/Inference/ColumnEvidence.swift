import FirnValues

/// The common form of the values of one column so far.
///
/// A column gets a type only if every value prints again as exactly the same text. The first value
/// suggests a type, and each further value must agree with it. The first value that does not agree
/// makes the column text, and is kept for the report.
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
    /// For decimals: the places of the first value, and which of the two printed forms all values
    /// share.
    private(set) var places = 0
    private(set) var isFixed = true
    private(set) var isShortest = true
    /// The reason why the column is text.
    private(set) var reason = ""

    /// Counts a null.
    @inline(__always)
    mutating func seeNull() { nulls &+= 1 }

    /// Adds a value that is not null.
    ///
    /// - Parameters:
    ///   - text: the value in UTF-8; empty if it is in quotes.
    ///   - line: the line for the report.
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
        // The old forms are still needed for the report if no form remains.
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
