import FirnValues

/// Finds the form of the numbers of a table from its beginning.
///
/// Only numbers that mean the same in one form count: `1,5` and `1.234,5` have decimal commas,
/// `1,234.5` has groups, and `1,234` may be either. Where numbers disagree, none is found. Only
/// groups with a separator of such a number are read as groups.
struct NumberFormSearch {
    private static let lineCountMax = 200

    private var hasCommas = false
    private var hasPoints = false
    private var hasGroupsBeforePoints = false
    /// The separators between the groups of numbers with a fraction.
    private var groups: Set<UInt8> = []
    /// The mark for every no-break space.
    private static let noBreakSpace: UInt8 = 0xA0

    /// - Parameters:
    ///   - text: the beginning of the rows.
    ///   - delimiter: the separator of the fields. Between commas, `1,5` may also be a list.
    static func form(
        of text: ArraySlice<UInt8>, delimiter: UInt8, quote: UInt8?
    ) -> NumberForm? {
        var search = NumberFormSearch()
        var lineCount = 0
        var isQuoted = false
        var field: [UInt8] = []
        for byte in text {
            if byte == quote {
                isQuoted.toggle()
                continue
            }
            let isEnd = byte == UInt8(ascii: "\n")
            guard !isQuoted, isEnd || byte == delimiter else {
                field.append(byte)
                continue
            }
            search.see(simplified(field))
            field.removeAll(keepingCapacity: true)
            if isEnd { lineCount += 1 }
            if lineCount == lineCountMax { break }
        }
        let comma = UInt8(ascii: ",")
        guard search.groups.count <= 1 else { return nil }
        let groups: NumberForm.Groups =
            switch search.groups.first {
            case nil: .none
            case noBreakSpace: .noBreakSpace
            case let mark?: .mark(mark)
            }
        if search.hasCommas {
            return search.hasPoints || delimiter == comma
                ? nil : NumberForm(decimal: comma, onlyGroups: groups)
        }
        return search.hasGroupsBeforePoints
            ? NumberForm(decimal: UInt8(ascii: "."), onlyGroups: groups) : nil
    }

    /// Returns a field with one byte for every no-break space.
    private static func simplified(_ field: [UInt8]) -> [UInt8] {
        guard field.contains(where: { $0 >= 0x80 }) else { return field }
        var bytes: [UInt8] = []
        var rest = field[...]
        while let byte = rest.first {
            if rest.starts(with: [0xC2, 0xA0]) {
                bytes.append(noBreakSpace)
                rest = rest.dropFirst(2)
            } else if rest.starts(with: [0xE2, 0x80, 0xAF]) {
                bytes.append(noBreakSpace)
                rest = rest.dropFirst(3)
            } else {
                // No other byte beyond ASCII is part of a number.
                bytes.append(byte < 0x80 ? byte : UInt8(ascii: "x"))
                rest = rest.dropFirst()
            }
        }
        return bytes
    }

    private mutating func see(_ field: [UInt8]) {
        var digits = field.drop { $0 == 0x20 }
        while let last = digits.last, last == 0x20 || last == 0x0D { digits.removeLast() }
        if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            digits.removeFirst()
        }
        // Most fields are not numbers, or have no separator.
        guard digits.count <= 40, let first = digits.first, first &- UInt8(ascii: "0") < 10 else {
            return
        }
        var marks: [UInt8] = []
        var runs = [0]
        for byte in digits {
            if byte &- UInt8(ascii: "0") < 10 {
                runs[runs.count - 1] += 1
            } else if ",. '".utf8.contains(byte) || byte == NumberFormSearch.noBreakSpace,
                runs.last != 0
            {
                marks.append(byte)
                runs.append(0)
            } else {
                return
            }
        }
        guard let mark = marks.last, let fraction = runs.last, fraction > 0 else { return }
        let isComma = mark == UInt8(ascii: ",")
        guard isComma || mark == UInt8(ascii: ".") else { return }
        if marks.count == 1 {
            // Three digits after up to three may be a group.
            let mayBeGroup = fraction == 3 && runs[0] <= 3 && first != UInt8(ascii: "0")
            if !mayBeGroup { if isComma { hasCommas = true } else { hasPoints = true } }
            return
        }
        let areGroups =
            Set(marks.dropLast()).count == 1 && marks.first != mark && runs[0] <= 3
            && runs.dropFirst().dropLast().allSatisfy { $0 == 3 }
        guard areGroups else { return }
        groups.formUnion(marks.dropLast())
        if isComma {
            hasCommas = true
        } else {
            hasPoints = true
            hasGroupsBeforePoints = true
        }
    }
}
