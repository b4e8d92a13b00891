import FirnValues

/// The form of the fields of a table.
package struct CellForm: Hashable, Sendable {
    /// The form of numbers; `nil` for the plain form.
    var numbers: NumberForm?
}

/// The form of numbers in a table, such as `1.234,5`.
package struct NumberForm: Hashable, Sendable {
    package typealias Bytes = UnsafeBufferPointer<UInt8>

    /// The sign before the fraction: a point or a comma.
    ///
    /// The other one may separate groups of three digits, and so may a space, a no-break space or
    /// an apostrophe.
    let decimal: UInt8
    /// The separators between groups, if not all of them: those that were found in the table, so
    /// that `212 555` is not a number where no other has such groups.
    private let groups: Groups?

    /// One of the separators between groups; a no-break space represents every kind of no-break
    /// space.
    enum Groups: Hashable, Sendable {
        case none
        case mark(UInt8)
        case noBreakSpace
    }

    package init(decimal: UInt8) {
        self.decimal = decimal
        groups = nil
    }

    init(decimal: UInt8, onlyGroups groups: Groups) {
        self.decimal = decimal
        self.groups = groups
    }

    /// The sign, for messages.
    var sign: String { String(UnicodeScalar(decimal)) }

    private var group: UInt8 {
        decimal == UInt8(ascii: ",") ? UInt8(ascii: ".") : UInt8(ascii: ",")
    }

    /// The result of reading a field.
    enum Reading {
        /// The text is a number in plain form, or anything but a number.
        case plain
        /// The number in plain form is in the buffer.
        case converted
        /// The text would be a number in another form, which might mean another value.
        case foreign
    }

    /// Reads a field; a number in this form is written to `plain` with a point and without groups.
    func read(_ field: Bytes, into plain: inout [UInt8]) -> Reading {
        let text = FieldText.trimmed(field)
        guard text.count <= 64, text.contains(where: isSeparator) else { return .plain }
        if convert(text, into: &plain) { return .converted }
        return FieldText.double(text) == nil && NumberText.decimal(text) == nil ? .plain : .foreign
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case decimal, group, UInt8(ascii: " "), UInt8(ascii: "'"), 0xC2, 0xE2: true
        default: false
        }
    }

    /// - Returns: whether the text is a number in this form.
    private func convert(_ text: Bytes, into plain: inout [UInt8]) -> Bool {
        plain.removeAll(keepingCapacity: true)
        var rest = text[...]
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            if sign == UInt8(ascii: "-") { plain.append(sign) }
            rest = rest.dropFirst()
        }
        guard let separator = convertWhole(&rest, into: &plain) else { return false }
        guard let point = rest.first else { return true }
        guard point == decimal, separator != decimal else { return false }
        plain.append(UInt8(ascii: "."))
        rest = rest.dropFirst()
        let digits = rest.prefix(while: Self.isDigit)
        plain += digits
        rest = rest.dropFirst(digits.count)
        return !digits.isEmpty && convertExponent(&rest, into: &plain) && rest.isEmpty
    }

    /// Reads the digits before the fraction.
    ///
    /// - Returns: the first byte of the separator between groups, or 0; `nil` if they are not a
    ///   number.
    private func convertWhole(_ rest: inout Slice<Bytes>, into plain: inout [UInt8]) -> UInt8? {
        let digits = rest.prefix(while: Self.isDigit)
        guard !digits.isEmpty else { return nil }
        plain += digits
        rest = rest.dropFirst(digits.count)
        guard let separator = separator(rest) else { return 0 }
        guard digits.count <= 3 else { return nil }
        while rest.starts(with: separator) {
            let group = rest.dropFirst(separator.count).prefix(while: Self.isDigit)
            guard group.count == 3 else { return nil }
            plain += group
            rest = rest.dropFirst(separator.count + 3)
        }
        return separator.first
    }

    /// Returns the separator between groups at the start of a text.
    private func separator(_ rest: Slice<Bytes>) -> [UInt8]? {
        let noBreakSpaces: [[UInt8]] = [[0xC2, 0xA0], [0xE2, 0x80, 0xAF]]
        let separators: [[UInt8]] =
            switch groups {
            case nil: [[group], [UInt8(ascii: " ")], [UInt8(ascii: "'")]] + noBreakSpaces
            case .some(.none): []
            case .mark(let mark): [[mark]]
            case .noBreakSpace: noBreakSpaces
            }
        return separators.first { rest.starts(with: $0) }
    }

    private func convertExponent(_ rest: inout Slice<Bytes>, into plain: inout [UInt8]) -> Bool {
        guard let letter = rest.first else { return true }
        guard letter | 0x20 == UInt8(ascii: "e") else { return false }
        plain.append(letter)
        rest = rest.dropFirst()
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            plain.append(sign)
            rest = rest.dropFirst()
        }
        let digits = rest.prefix(while: Self.isDigit)
        plain += digits
        rest = rest.dropFirst(digits.count)
        return !digits.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
