import FirnValues

extension JSONReader {
    /// Reads a number, starting at its minus sign or first digit, and advances past it.
    @inline(__always)
    mutating func readNumber() throws(InputError) -> String {
        let start = position &- buffer.rowStart
        if buffer.base[position] == UInt8(ascii: "-") { position &+= 1 }
        let firstDigit = position &- buffer.rowStart
        let digits = try skipDigits()
        if digits > 1, buffer.base[buffer.rowStart &+ firstDigit] == UInt8(ascii: "0") {
            position = buffer.rowStart + firstDigit
            throw syntaxError(
                "a number with a leading zero", remedy: "write it as a string, in quotes")
        }
        if try hasByte(), buffer.base[position] == UInt8(ascii: ".") {
            position &+= 1
            _ = try skipDigits()
        }
        if try hasByte(), buffer.base[position] | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if try hasByte(), isSign(buffer.base[position]) { position &+= 1 }
            _ = try skipDigits()
        }
        let count = position &- buffer.rowStart &- start
        guard count <= limits.numberBytesMax else {
            throw limitError("a number is longer than \(limits.numberBytesMax) bytes")
        }
        let base = buffer.base + (buffer.rowStart &+ start)
        return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    @inline(__always)
    private func isSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }

    /// Skips the digits at ``position``; there must be at least one.
    @inline(__always)
    private mutating func skipDigits() throws(InputError) -> Int {
        var count = 0
        while try hasByte(), buffer.base[position] &- UInt8(ascii: "0") < 10 {
            position &+= 1
            count &+= 1
        }
        guard count > 0 else { throw unexpected("a digit") }
        return count
    }
}
