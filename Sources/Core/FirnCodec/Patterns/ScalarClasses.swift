import FirnValues

/// A numbering of characters that gives the same number to all characters that a program treats
/// alike.
struct ScalarClasses: Sendable {
    /// Characters beyond ASCII whose classes are known from the start.
    private static let others: [Unicode.Scalar] = [
        "é", "É", "中", "\u{663}", "\u{A0}", "\u{85}", "\u{2028}", "\u{301}", "€", "\u{2013}",
    ]

    /// The class of each ASCII character.
    private(set) var ofASCII: [UInt16] = []
    /// One character of each class.
    private(set) var examples: [Unicode.Scalar] = []
    private let sets: [ScalarSet]
    /// Whether a program can test for a word character before or after a position.
    private let dividesWords: Bool
    private var numbers: [[UInt64]: UInt16] = [:]
    /// The first characters of intervals of one class, ascending, and those classes; empty if a set
    /// selects characters by property.
    private var bounds: [UInt32] = []
    private var classesOfBounds: [UInt16] = []

    init(of program: PatternProgram) {
        sets = program.sets
        dividesWords = program.hasAssertions
        for byte in UInt8(0)..<128 { ofASCII.append(insert(Unicode.Scalar(byte))) }
        for scalar in Self.others { _ = insert(scalar) }
        makeIntervals()
    }

    private mutating func makeIntervals() {
        guard !dividesWords, sets.allSatisfy(\.isMadeOfRanges) else { return }
        var starts: Set<UInt32> = [0x80, 0xE000]
        for range in sets.lazy.flatMap(\.ranges) {
            starts.insert(range.lowerBound)
            starts.insert(range.upperBound &+ 1)
        }
        var classes: [UInt16] = []
        var firsts: [UInt32] = []
        for start in starts.sorted() where start >= 0x80 {
            guard let scalar = Unicode.Scalar(start) else { continue }
            classes.append(insert(scalar))
            firsts.append(start)
        }
        (bounds, classesOfBounds) = (firsts, classes)
    }

    /// Returns the class of a character beyond ASCII, as determined by its interval.
    private func numberByInterval(of scalar: Unicode.Scalar) -> UInt16? {
        var (low, high) = (0, bounds.count)
        while low < high {
            let middle = (low + high) / 2
            if bounds[middle] <= scalar.value { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? classesOfBounds[low - 1] : nil
    }

    var count: Int { examples.count }

    /// Returns the class of a character, if it is known.
    func number(of scalar: Unicode.Scalar) -> Int? {
        if let number = numberByInterval(of: scalar) { return Int(number) }
        return numbers[signature(of: scalar)].map { Int($0) }
    }

    /// Returns the class of a character, which may be a new one.
    mutating func insert(_ scalar: Unicode.Scalar) -> UInt16 {
        if let number = numberByInterval(of: scalar) { return number }
        let signature = signature(of: scalar)
        if let number = numbers[signature] { return number }
        // Sets and words divide the characters into far fewer classes than there are numbers.
        let number = UInt16(truncatingIfNeeded: examples.count)
        numbers[signature] = number
        examples.append(scalar)
        return number
    }

    /// Returns one bit for each set, set if it contains a character, and one for word characters.
    private func signature(of scalar: Unicode.Scalar) -> [UInt64] {
        var bits = [UInt64](repeating: 0, count: sets.count / 64 + 1)
        for (index, set) in sets.enumerated() where set.contains(scalar) {
            bits[index / 64] |= 1 << UInt64(index % 64)
        }
        if dividesWords, ScalarSet.Property.word.holds(scalar) {
            bits[sets.count / 64] |= 1 << UInt64(sets.count % 64)
        }
        return bits
    }
}
