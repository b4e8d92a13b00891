import FirnValues

/// The strings (or other bytes) of a column that is being built.
///
/// They are stored as codes into distinct strings while enough of them repeat, and contiguously
/// after that.
///
/// If they exceed the limit of a page, no more are stored. `byteCount` shows this, and encoding
/// rejects the column.
struct StringCollector {
    private(set) var interner = StringInterner()
    /// The entry of each row, or `nullCode`, while `isInterned`.
    private(set) var codes: [UInt32] = []
    /// The plain form after interning was abandoned: row i ends at `ends[i]`.
    private(set) var ends: [UInt32] = []
    private(set) var bytes: [UInt8] = []
    private(set) var isInterned = true
    /// The total size of the strings of all rows, in bytes.
    private(set) var byteCount = 0

    static let nullCode = UInt32.max
    /// The number of entries up to which repetition is not evaluated.
    private static let trialEntries = 2_048

    var isTooLarge: Bool { byteCount > CodecLimits.pageRawBytesMax }
    /// The code of the last row, which can be passed to ``append(code:)`` for an equal string.
    var lastCode: UInt32? { isInterned ? codes.last : nil }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        byteCount += text.count
        if isTooLarge { return }
        guard isInterned else {
            bytes.append(contentsOf: text)
            ends.append(UInt32(bytes.count))
            return
        }
        if let last = codes.last, last != Self.nullCode, interner.isEntry(Int(last), text) {
            codes.append(last)
            return
        }
        codes.append(interner.entry(text))
        let entries = interner.count
        let repeats = entries <= Self.trialEntries || entries <= codes.count / 4 * 3
        if entries > CodecLimits.dictionaryEntriesMax || !repeats { giveUp() }
    }

    /// Appends the string of an entry, while `isInterned`.
    mutating func append(code: UInt32) {
        byteCount += interner.length(Int(code))
        codes.append(code)
    }

    mutating func appendNull() {
        if isTooLarge { return }
        if isInterned { codes.append(Self.nullCode) } else { ends.append(UInt32(bytes.count)) }
    }

    private mutating func giveUp() {
        (ends, bytes) = plain()
        isInterned = false
        codes.removeAll(keepingCapacity: true)
        interner.removeAll()
    }

    /// Returns the strings of all rows contiguously.
    ///
    /// Nulls are empty.
    func plain() -> (ends: [UInt32], bytes: [UInt8]) {
        if !isInterned { return (ends, bytes) }
        var ends: [UInt32] = []
        var bytes: [UInt8] = []
        ends.reserveCapacity(codes.count)
        bytes.reserveCapacity(byteCount)
        interner.bytes.withUnsafeBufferPointer { source in
            for code in codes {
                if code != Self.nullCode {
                    let start = Int(interner.offsets[Int(code)])
                    let end = Int(interner.offsets[Int(code) + 1])
                    bytes.append(contentsOf: source[start..<end])
                }
                ends.append(UInt32(bytes.count))
            }
        }
        return (ends, bytes)
    }

    mutating func removeAll() {
        interner.removeAll()
        codes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        isInterned = true
        byteCount = 0
    }
}
