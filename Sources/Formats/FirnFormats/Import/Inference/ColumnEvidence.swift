import FirnValues

/// The common type of the values of one column so far.
///
/// The first value suggests a type, and each further value must agree with it or widen it: a column
/// of whole numbers becomes one of numbers, and a column of dates becomes one of points in time. The
/// first value that does neither makes the column text, and is kept for the report.
///
///     nothing ─┬─▶ int ───▶ double ─┬─▶ string
///              ├─▶ double           │
///              ├─▶ date ──▶ dateTime┤
///              ├─▶ dateTime         │
///              └─▶ bool ────────────┘
///
/// In exact mode, nothing is widened, and a column has a type other than text only if every value
/// prints again as exactly the same text. Times may be excepted: a program prints one value in ten with
/// fewer places, and others with an offset.
struct ColumnEvidence: Equatable, Sendable {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    enum Guess {
        /// No value yet.
        case nothing
        case int
        case double
        case date
        case dateTime
        case bool
        case string
    }

    let isExact: Bool
    /// Whether dates and times are read by their meaning.
    let readsTimes: Bool
    /// The input that is being read, if the column has several.
    var inputName: String?
    private(set) var guess = Guess.nothing
    private(set) var nulls: UInt64 = 0
    private(set) var values: UInt64 = 0
    /// The values that are null if the column does not become text, and the first of them.
    private(set) var nullWordCount: UInt64 = 0
    private(set) var firstNullWord = ""
    /// For numbers: whether every whole number is exactly representable as a Double.
    private(set) var fitsDouble = true
    /// For numbers: the places of the first value, and which of the two printed forms all values
    /// share.
    private(set) var places = 0
    private(set) var isFixed = true
    private(set) var isShortest = true
    /// For points in time: whether texts without an offset, and texts with one other than `Z`,
    /// were found.
    private(set) var hasLocalTimes = false
    private(set) var hasOffsets = false
    /// The first value of a type.
    private var first = ""
    /// The first text that the column prints differently in any case, and the first number that is
    /// not in its shortest form.
    private var firstRespelled: String?
    private var firstNotShortest: String?
    /// The reason why the column is text.
    private(set) var reason = ""
    /// Whether the values before that one were dates or times.
    private(set) var followsTimes = false

    init(isExact: Bool, readsTimes: Bool = false) {
        self.isExact = isExact
        self.readsTimes = readsTimes || !isExact
    }

    /// Counts nulls.
    @inline(__always)
    mutating func seeNull(_ count: UInt64 = 1) { nulls &+= count }

    /// Adds a value that is not null.
    ///
    /// - Parameters:
    ///   - text: the value in UTF-8; empty if it is in quotes.
    ///   - line: the line for the report.
    @inline(__always)
    mutating func see(_ text: Bytes, line: UInt64) {
        values &+= 1
        switch guess {
        case .string: break
        case .int:
            guard let value = NumberText.int(text) else { return seeOther(text, line) }
            if value.magnitude > 1 << 53 { fitsDouble = false }
        default: seeOther(text, line)
        }
    }

    /// Adds a number that is not in the form of the table, which makes the column text.
    mutating func see(foreignNumber text: Bytes, _ numbers: NumberForm, line: UInt64) {
        values &+= 1
        guard guess != .string else { return }
        reason = TextReason.describe(text, notInForm: numbers, in: inputName, line: line)
        guess = .string
    }

    /// Returns whether two states differ only in counts.
    func differsOnlyInCounts(from other: ColumnEvidence) -> Bool {
        var same = other
        (same.nulls, same.values, same.nullWordCount) = (nulls, values, nullWordCount)
        return same == self
    }

    /// Adds the counts since an earlier state.
    mutating func addCounts(of other: ColumnEvidence, since start: ColumnEvidence) {
        nulls += other.nulls - start.nulls
        values += other.values - start.values
        nullWordCount += other.nullWordCount - start.nullWordCount
    }

    /// Adds the values of another column to this one.
    mutating func formUnion(_ other: ColumnEvidence) {
        let (nulls, values) = (nulls + other.nulls, values + other.values)
        let nullWordCount = nullWordCount + other.nullWordCount
        if guess == .nothing {
            self = other
        } else if other.guess != .nothing {
            unite(with: other)
        }
        (self.nulls, self.values, self.nullWordCount) = (nulls, values, nullWordCount)
    }

    private mutating func unite(with other: ColumnEvidence) {
        if firstNullWord.isEmpty { firstNullWord = other.firstNullWord }
        let times: Set<Guess> = [.date, .dateTime]
        let numbers: Set<Guess> = [.int, .double]
        if guess == .string || other.guess == .string {
            if guess != .string { (reason, followsTimes) = (other.reason, other.followsTimes) }
            guess = .string
        } else if guess == other.guess {
            isFixed = isFixed && other.isFixed && places == other.places
            isShortest = isShortest && other.isShortest
        } else if times.isSuperset(of: [guess, other.guess]), readsTimes {
            widenToTime()
        } else if numbers.isSuperset(of: [guess, other.guess]), !isExact {
            widenToDouble()
        } else {
            reason = "values of several kinds"
            guess = .string
        }
        fitsDouble = fitsDouble && other.fitsDouble
        hasLocalTimes = hasLocalTimes || other.hasLocalTimes
        hasOffsets = hasOffsets || other.hasOffsets
        if firstRespelled == nil { firstRespelled = other.firstRespelled }
        if firstNotShortest == nil { firstNotShortest = other.firstNotShortest }
    }

    /// A value that an export prints differently, if there is one.
    var respelled: String? {
        switch guess {
        case .nothing, .string: nil
        case .double where decimalPlaces == nil: firstRespelled ?? firstNotShortest
        default: firstRespelled
        }
    }

    /// The number of places that all decimal numbers have.
    var decimalPlaces: Int? {
        guess == .double && isFixed && (1...15).contains(places) ? places : nil
    }

    // MARK: One value

    private mutating func seeOther(_ text: Bytes, _ line: UInt64) {
        if agrees(text) { return }
        if isExact, readsTimes, agreesByTime(text) { return }
        if !isExact {
            // The words differ from all numbers, dates and truth values.
            if FieldText.isNullWord(text) { return noteNullWord(text) }
            if agreesByMeaning(FieldText.trimmed(text)) {
                if firstRespelled == nil { firstRespelled = String(decoding: text, as: UTF8.self) }
                return
            }
        }
        reason = TextReason.describe(text, after: self, line: line)
        followsTimes = guess == .date || guess == .dateTime
        guess = .string
    }

    /// Returns whether the column may keep or get the type of times, to which this text belongs.
    private mutating func agreesByTime(_ text: Bytes) -> Bool {
        guard guess == .nothing || guess == .date || guess == .dateTime,
            FieldText.trimmed(text).count == text.count, seeTime(text)
        else { return false }
        if firstRespelled == nil { firstRespelled = String(decoding: text, as: UTF8.self) }
        return true
    }

    private mutating func noteNullWord(_ text: Bytes) {
        if nullWordCount == 0 { firstNullWord = String(decoding: text, as: UTF8.self) }
        nullWordCount &+= 1
    }

    /// Returns whether the column may keep or get a type in which the text prints unchanged.
    private mutating func agrees(_ text: Bytes) -> Bool {
        switch guess {
        case .nothing: return guessFirst(text)
        case .int: return !isExact && widens(toDouble: text)
        case .double: return seeDecimal(text)
        case .date:
            if DateText.date(text) != nil { return true }
            guard !isExact, DateText.dateTime(text) != nil else { return false }
            widenToTime()
            return true
        case .dateTime: return DateText.dateTime(text) != nil
        case .bool: return ColumnEvidence.bool(text) != nil
        case .string: return true
        }
    }

    private mutating func guessFirst(_ text: Bytes) -> Bool {
        if let value = NumberText.int(text) {
            guess = .int
            fitsDouble = value.magnitude <= 1 << 53
        } else if let decimal = NumberText.decimal(text) {
            guess = .double
            places = decimal.places
            isFixed = decimal.isFixed
            isShortest = decimal.isShortest
            if !isShortest { firstNotShortest = String(decoding: text, as: UTF8.self) }
        } else if DateText.date(text) != nil {
            guess = .date
        } else if DateText.dateTime(text) != nil {
            guess = .dateTime
        } else if ColumnEvidence.bool(text) != nil {
            guess = .bool
        } else {
            return false
        }
        first = String(decoding: text, as: UTF8.self)
        return true
    }

    // MARK: Numbers

    private mutating func widens(toDouble text: Bytes) -> Bool {
        guard fitsDouble, NumberText.decimal(text) != nil else { return false }
        widenToDouble()
        return seeDecimal(text)
    }

    private mutating func widenToDouble() {
        guess = .double
        (isFixed, isShortest) = (false, false)
        firstNotShortest = first
    }

    private mutating func seeDecimal(_ text: Bytes) -> Bool {
        guard let decimal = NumberText.decimal(text) else { return false }
        let staysFixed = isFixed && decimal.isFixed && decimal.places == places
        let staysShortest = isShortest && decimal.isShortest
        // The old forms are still needed for the report if no form remains.
        guard !isExact || staysFixed || staysShortest else { return false }
        isFixed = staysFixed
        isShortest = staysShortest
        if !decimal.isShortest, firstNotShortest == nil {
            firstNotShortest = String(decoding: text, as: UTF8.self)
        }
        return true
    }

    // MARK: Values by meaning

    /// Returns whether the column may keep or get a type that has this value, even if in another
    /// spelling.
    private mutating func agreesByMeaning(_ text: Bytes) -> Bool {
        switch guess {
        case .nothing: return guessByMeaning(text)
        case .int:
            if let value = FieldText.int(text) {
                if value.magnitude > 1 << 53 { fitsDouble = false }
                return true
            }
            guard fitsDouble, FieldText.double(text) != nil else { return false }
            widenToDouble()
            return true
        case .double:
            guard FieldText.double(text) != nil else { return false }
            (isFixed, isShortest) = (false, false)
            return true
        case .date, .dateTime: return seeTime(text)
        case .bool: return FieldText.bool(text) != nil
        case .string: return true
        }
    }

    private mutating func guessByMeaning(_ text: Bytes) -> Bool {
        if guessFirst(text) { return true }
        if FieldText.int(text) != nil {
            guess = .int
        } else if FieldText.double(text) != nil {
            guess = .double
            (isFixed, isShortest) = (false, false)
        } else if seeTime(text) {
            return true
        } else if FieldText.bool(text) != nil {
            guess = .bool
        } else {
            return false
        }
        first = String(decoding: text, as: UTF8.self)
        return true
    }

    private mutating func seeTime(_ text: Bytes) -> Bool {
        guard let time = FieldText.time(text) else { return false }
        if guess == .nothing {
            guess = time.hasTimeOfDay ? .dateTime : .date
            first = String(decoding: text, as: UTF8.self)
        } else if guess == .date, time.hasTimeOfDay {
            widenToTime()
        }
        guard time.hasTimeOfDay else { return true }
        if time.isLocal {
            hasLocalTimes = true
        } else if text.last.map({ $0 | 0x20 != UInt8(ascii: "z") }) ?? false {
            hasOffsets = true
        }
        return true
    }

    private mutating func widenToTime() {
        guess = .dateTime
        if firstRespelled == nil { firstRespelled = first }
    }

    static func bool(_ text: Bytes) -> Bool? {
        if text.elementsEqual("true".utf8) { return true }
        return text.elementsEqual("false".utf8) ? false : nil
    }
}
