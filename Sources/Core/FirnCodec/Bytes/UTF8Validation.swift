import FirnValues

/// Validates UTF-8 (Unicode table 3-7: no surrogates, no overlong forms).
package enum UTF8Validation {
    /// Returns the number of leading bytes below 0x80.
    ///
    /// Tests 8 bytes at a time.
    static func asciiPrefix(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        let count = bytes.count
        var at = 0
        while at <= count - 8, base.u64(at) & 0x8080_8080_8080_8080 == 0 { at += 8 }
        while at < count, bytes[at] < 0x80 { at += 1 }
        return at
    }

    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool { firstError(in: bytes) == nil }

    /// Returns the offset of the first malformed sequence, or `nil` if there is none.
    package static func firstError(in bytes: UnsafeRawBufferPointer) -> Int? {
        let count = bytes.count
        var at = 0
        while true {
            at += asciiPrefix(UnsafeRawBufferPointer(rebasing: bytes[at...]))
            // Non-ASCII text comes in runs, so the loop stays here until the run ends.
            while at < count, bytes[at] >= 0x80 {
                let length = sequenceLength(bytes, at)
                if length == 0 { return at }
                at += length
            }
            if at >= count { return nil }
        }
    }

    /// The result of a validation of concatenated strings.
    enum Verdict {
        case valid
        case notUTF8
        /// All of the text is valid, but a string starts inside a character.
        case splitCharacter
    }

    /// Validates concatenated strings.
    ///
    /// - Parameters:
    ///   - count: The number of strings.
    ///   - start: Returns the offset at which a string starts.
    @inline(__always)
    static func verdict(
        on bytes: UnsafeRawBufferPointer, stringCount count: Int, start: (Int) -> Int
    ) -> Verdict {
        if asciiPrefix(bytes) == bytes.count { return .valid }
        guard isValid(bytes) else { return .notUTF8 }
        for index in 0..<count {
            let start = start(index)
            if start < bytes.count, isContinuation(bytes[start]) { return .splitCharacter }
        }
        return .valid
    }

    /// Returns whether a byte continues a sequence.
    @inline(__always)
    static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// Returns the length of the sequence that starts with a byte of at least 0x80; 0 if it is
    /// malformed.
    private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int {
        let lead = bytes[at]
        let left = bytes.count - at
        guard left >= 2 else { return 0 }
        let second = bytes[at + 1]
        switch lead {
        case 0xC2...0xDF:
            return isContinuation(second) ? 2 : 0
        case 0xE0...0xEF:
            guard left >= 3, isContinuation(second), isContinuation(bytes[at + 2]) else { return 0 }
            if lead == 0xE0, second < 0xA0 { return 0 }
            if lead == 0xED, second >= 0xA0 { return 0 }
            return 3
        case 0xF0...0xF4:
            guard left >= 4, isContinuation(second), isContinuation(bytes[at + 2]),
                isContinuation(bytes[at + 3])
            else { return 0 }
            if lead == 0xF0, second < 0x90 { return 0 }
            if lead == 0xF4, second >= 0x90 { return 0 }
            return 4
        default:
            return 0
        }
    }
}
