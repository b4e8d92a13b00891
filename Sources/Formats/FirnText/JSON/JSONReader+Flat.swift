import FirnCodec
import FirnValues

extension JSONReader {
    /// Reads the next record of a stream or of an array if it is a flat object that is in the buffer
    /// as a whole.
    ///
    /// - Returns: whether it was read; if not, ``next()`` reads it.
    package mutating func nextFlat(_ object: inout FlatObject) throws(InputError) -> Bool {
        guard try flatRecordStart() == UInt8(ascii: "{") else { return false }
        object.position = here
        object.members.removeAll(keepingCapacity: true)
        var scan = FlatScan(
            UnsafePointer(buffer.base), from: position, to: buffer.end, line: line)
        guard scan.readObject(into: &object.members) else { return false }
        noteFlatRecord()
        position = scan.index
        if let start = scan.lineStart {
            line = scan.line
            lineOffset = buffer.bytesBefore &+ UInt64(start)
            charactersBefore = 0
        }
        return true
    }
}

/// A scan of the bytes of one flat object; it stops at everything that needs more care.
private struct FlatScan {
    private let base: UnsafePointer<UInt8>
    private(set) var index: Int
    private let end: Int
    /// The line of ``index``, and its start; `nil` for the line on which the object begins.
    private(set) var line: UInt64
    private(set) var lineStart: Int?

    init(_ base: UnsafePointer<UInt8>, from index: Int, to end: Int, line: UInt64) {
        self.base = base
        self.index = index
        self.end = end
        self.line = line
    }

    /// - Returns: whether the object is flat; ``index`` is then after it.
    mutating func readObject(into members: inout [FlatObject.Member]) -> Bool {
        index &+= 1
        guard skipSpaces() == UInt8(ascii: "\"") else { return false }
        while true {
            guard let name = readText(), skipSpaces() == UInt8(ascii: ":") else { return false }
            index &+= 1
            guard let first = skipSpaces() else { return false }
            let line = line
            guard let (kind, text) = readValue(first) else { return false }
            members.append(FlatObject.Member(name: name, kind: kind, text: text, line: line))
            switch skipSpaces() {
            case UInt8(ascii: ","): index &+= 1
            case UInt8(ascii: "}"):
                index &+= 1
                return true
            default: return false
            }
            guard skipSpaces() == UInt8(ascii: "\"") else { return false }
        }
    }

    /// - Returns: the next byte that is not white space.
    @inline(__always)
    private mutating func skipSpaces() -> UInt8? {
        while index < end {
            let byte = base[index]
            if byte > 0x20 { return byte }
            index &+= 1
            switch byte {
            case 0x20, 0x09, 0x0D: break
            case 0x0A:
                line &+= 1
                lineStart = index
            // No JSON; the reader of trees reports it.
            default: return nil
            }
        }
        return nil
    }

    @inline(__always)
    private mutating func readValue(
        _ first: UInt8
    ) -> (FlatObject.Kind, UnsafeBufferPointer<UInt8>)? {
        switch first {
        case UInt8(ascii: "\""): return readText().map { (.string, $0) }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return readNumber().map { (.number, $0) }
        case UInt8(ascii: "n"): return readWord("null").map { (.null, $0) }
        case UInt8(ascii: "t"): return readWord("true").map { (.bool, $0) }
        case UInt8(ascii: "f"): return readWord("false").map { (.bool, $0) }
        default: return nil
        }
    }

    private func text(from start: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + start, count: index &- start)
    }

    private mutating func readWord(_ word: StaticString) -> UnsafeBufferPointer<UInt8>? {
        let start = index
        guard end &- index >= word.utf8CodeUnitCount else { return nil }
        for offset in 0..<word.utf8CodeUnitCount {
            guard base[index &+ offset] == word.utf8Start[offset] else { return nil }
        }
        index &+= word.utf8CodeUnitCount
        return text(from: start)
    }

    /// Reads a text, starting at its quote.
    @inline(__always)
    private mutating func readText() -> UnsafeBufferPointer<UInt8>? {
        index &+= 1
        let start = index
        var seen: UInt8 = 0
        while index < end {
            let byte = base[index]
            if byte == UInt8(ascii: "\"") {
                let text = text(from: start)
                index &+= 1
                guard seen >= 0x80 else { return text }
                let isValid =
                    UTF8Validation.firstError(in: UnsafeRawBufferPointer(text)) == nil
                return isValid ? text : nil
            }
            guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return nil }
            seen |= byte
            index &+= 1
        }
        return nil
    }

    @inline(__always)
    private mutating func readNumber() -> UnsafeBufferPointer<UInt8>? {
        let start = index
        if base[index] == UInt8(ascii: "-") { index &+= 1 }
        let firstDigit = index
        let count = skipDigits()
        guard count > 0, count == 1 || base[firstDigit] != UInt8(ascii: "0") else { return nil }
        if index < end, base[index] == UInt8(ascii: ".") {
            index &+= 1
            guard skipDigits() > 0 else { return nil }
        }
        // Exponents are rare, and so are numbers of more digits than any type has.
        guard index < end, base[index] | 0x20 != UInt8(ascii: "e"), index &- start <= 64 else {
            return nil
        }
        return text(from: start)
    }

    @inline(__always)
    private mutating func skipDigits() -> Int {
        let start = index
        while index < end, base[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
        return index &- start
    }
}
