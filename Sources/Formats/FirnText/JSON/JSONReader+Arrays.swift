import FirnPlatform
import FirnValues

extension JSONReader {
    /// The part of the input that decides; the rest is assumed to have the same form.
    private static let searchBytesMax = 8 << 20

    /// Returns the names of the members if the object at ``position`` is the whole input, and its
    /// members are arrays of objects; `nil` for any other object, which is a record.
    ///
    /// Nothing is read past ``position``.
    mutating func namesOfArrays() throws(InputError) -> [String]? {
        var search = ArraySearch()
        var count = 0
        while true {
            // The start moves when more is read.
            while position + count < buffer.end {
                let byte = buffer.base[position + count]
                count += 1
                guard search.see(byte) else { return nil }
            }
            if count >= JSONReader.searchBytesMax { return search.foundNames }
            guard try readMore() else { return search.isComplete ? search.foundNames : nil }
        }
    }

    /// Reads more bytes after those in the buffer.
    ///
    /// - Returns: whether there may be more.
    private mutating func readMore() throws(InputError) -> Bool {
        if !buffer.isAtEnd { charactersBefore += charactersAtHand(to: buffer.rowStart) }
        do {
            guard let moved = try buffer.refill(from: source) else { return false }
            position -= moved
            return true
        } catch { throw InputError(error, name: name) }
    }
}

/// Decides byte by byte whether an input is one object of arrays of objects.
private struct ArraySearch {
    private enum Expected {
        case start
        case name
        case colon
        case array
        /// A comma or the end of the object.
        case next
        /// An element, a comma or the end of an array.
        case element
        /// Inside an element.
        case inside
        /// Only white space.
        case end
    }

    private var expected = Expected.start
    /// The open arrays and objects of an element.
    private var depth = 0
    private var isString = false
    private var isEscaped = false
    private var name: [UInt8] = []
    private var names: [String] = []
    private var hasObjects = false

    var isComplete: Bool { expected == .end }

    /// The names, if there is an array with an object.
    var foundNames: [String]? { hasObjects ? names : nil }

    /// - Returns: `false` if the input is of another form.
    @inline(__always)
    mutating func see(_ byte: UInt8) -> Bool {
        if isString {
            seeText(byte)
            return true
        }
        return byte <= 0x20 || seeMark(byte)
    }

    private mutating func seeText(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isString = false
            if expected == .name {
                names.append(String(decoding: name, as: UTF8.self))
                expected = .colon
            }
            return
        }
        if expected == .name { name.append(byte) }
    }

    private mutating func seeMark(_ byte: UInt8) -> Bool {
        switch (expected, byte) {
        case (.start, UInt8(ascii: "{")): expected = .name
        case (.name, UInt8(ascii: "\"")):
            isString = true
            name.removeAll()
        case (.colon, UInt8(ascii: ":")): expected = .array
        case (.array, UInt8(ascii: "[")): expected = .element
        case (.next, UInt8(ascii: ",")): expected = .name
        case (.next, UInt8(ascii: "}")): expected = .end
        case (.element, UInt8(ascii: "{")):
            hasObjects = true
            depth = 1
            expected = .inside
        case (.element, UInt8(ascii: ",")): break
        case (.element, UInt8(ascii: "]")): expected = .next
        case (.inside, _): seeInside(byte)
        default: return false
        }
        return true
    }

    private mutating func seeInside(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 0 { expected = .element }
        default: break
        }
    }
}
