import FirnValues

/// Encodes texts, and values of a fixed number of bytes.
final class TextEncoder: ValueEncoder {
    private static let boundBytesMax = 64

    private let type: ColumnarType
    /// Whether the values have no lengths.
    private let isFixed: Bool
    private let pending = ByteOutput(capacity: 1 << 20)
    private var ends: [UInt32] = []
    private var indices: [UInt32] = []
    private var dictionary = TextDictionary()
    private var mode = PageMode.undecided
    private var least: [UInt8]?
    private var greatest: [UInt8] = []

    init(_ type: ColumnarType) {
        self.type = type
        isFixed = type.parquetPhysical == .fixedByteArray
    }

    var pendingBytes: Int { pending.count + (isFixed ? 0 : 4 * ends.count) }
    var dictionaryCount: Int { dictionary.count }

    func reset() {
        dictionary = TextDictionary()
        mode = .undecided
        least = nil
        greatest = []
    }

    // MARK: Values

    func append(_ entries: LeafEntries) {
        if type.lane == .decimals { return appendDecimals(entries) }
        let column = entries.column
        column.bytes.withUnsafeBytes { bytes in
            if let positions = entries.positions {
                for position in positions { append(column, Int(position), bytes) }
            } else {
                for position in 0..<entries.entryCount { append(column, position, bytes) }
            }
        }
    }

    @inline(__always)
    private func append(
        _ column: ColumnarColumn, _ position: Int, _ bytes: UnsafeRawBufferPointer
    ) {
        let start = Int(column.offsets[position])
        let end = Int(column.offsets[position + 1])
        pending.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        ends.append(UInt32(truncatingIfNeeded: pending.count))
    }

    /// Appends each value as 16 bytes, highest byte first.
    private func appendDecimals(_ entries: LeafEntries) {
        let positions = entries.positions ?? (0..<Int32(entries.entryCount)).map(\.self)
        for position in positions {
            pending.append(entries.column.decimals[Int(position)].bigEndian)
            ends.append(UInt32(truncatingIfNeeded: pending.count))
        }
    }

    private func text(_ index: Int) -> UnsafeRawBufferPointer {
        let start = index == 0 ? 0 : Int(ends[index - 1])
        return UnsafeRawBufferPointer(rebasing: pending.bytes[start..<Int(ends[index])])
    }

    // MARK: Pages

    func encodePage(to output: ByteOutput) -> ParquetEncoding {
        defer {
            pending.removeAll()
            ends.removeAll(keepingCapacity: true)
        }
        if mode == .undecided { decide() }
        if mode == .dictionary {
            let before = dictionary.count
            if dictionary.lookUp(UnsafeRawPointer(pending.base), ends, &indices) {
                bound(from: before)
                let width = HybridEncoder.width(max: dictionary.count - 1)
                output.append(byte: UInt8(width))
                indices.withUnsafeBufferPointer {
                    HybridEncoder.encode($0, width: width, to: output)
                }
                return .rleDictionary
            }
            dictionary.truncate(to: before)
            mode = .plain
        }
        for index in ends.indices {
            let text = text(index)
            bound(text)
            if !isFixed { output.append(UInt32(text.count)) }
            output.append(text)
        }
        return .plain
    }

    private func decide() {
        guard !ends.isEmpty else { return }
        mode = .plain
        guard dictionary.lookUp(UnsafeRawPointer(pending.base), ends, &indices) else {
            dictionary = TextDictionary()
            return
        }
        let entryBytes = dictionary.bytes.count + (isFixed ? 0 : 4 * dictionary.count)
        let indexBits = HybridEncoder.width(max: dictionary.count - 1)
        // Compression finds repeated texts too, and saves part of the plain ones.
        if (entryBytes + ends.count * indexBits / 8) * 2 <= pendingBytes {
            mode = .dictionary
            // The values of the first page are new once more.
            bound(from: 0)
        } else {
            dictionary = TextDictionary()
        }
    }

    func encodeDictionary(to output: ByteOutput) {
        dictionary.bytes.withUnsafeBytes { bytes in
            for index in 0..<dictionary.count {
                let range = Int(dictionary.offsets[index])..<Int(dictionary.offsets[index + 1])
                if !isFixed { output.append(UInt32(range.count)) }
                output.append(UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
        }
    }

    // MARK: Bounds

    /// Includes the texts that are new in the dictionary.
    private func bound(from first: Int) {
        dictionary.bytes.withUnsafeBytes { bytes in
            for index in first..<dictionary.count {
                let range = Int(dictionary.offsets[index])..<Int(dictionary.offsets[index + 1])
                bound(UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
        }
    }

    @inline(__always)
    private func bound(_ text: UnsafeRawBufferPointer) {
        guard let least else {
            least = Array(text)
            greatest = Array(text)
            return
        }
        if Self.isLess(text, least) {
            self.least = Array(text)
        } else if Self.isLess(greatest, text) {
            greatest = Array(text)
        }
    }

    @inline(__always)
    private static func isLess(_ text: UnsafeRawBufferPointer, _ other: [UInt8]) -> Bool {
        // Most texts differ in the first byte.
        if let first = text.first, let second = other.first, first != second {
            return first < second
        }
        return text.lexicographicallyPrecedes(other)
    }

    @inline(__always)
    private static func isLess(_ text: [UInt8], _ other: UnsafeRawBufferPointer) -> Bool {
        if let first = text.first, let second = other.first, first != second {
            return first < second
        }
        return text.lexicographicallyPrecedes(other)
    }

    /// The bounds of the values: texts are shortened; decimals have none, because their order
    /// differs from that of bytes.
    var bounds: ParquetBounds? {
        guard let least, type.lane == .bytes else { return nil }
        guard least.count > Self.boundBytesMax || greatest.count > Self.boundBytesMax else {
            return ParquetBounds(least: least, greatest: greatest)
        }
        var shortLeast = Array(least.prefix(Self.boundBytesMax))
        var shortGreatest = Array(greatest.prefix(Self.boundBytesMax))
        // A text ends between two characters.
        while let last = shortLeast.last, last >= 0x80 { shortLeast.removeLast() }
        if greatest.count > Self.boundBytesMax {
            while let last = shortGreatest.last, last >= 0x7F { shortGreatest.removeLast() }
            guard let last = shortGreatest.popLast() else { return nil }
            shortGreatest.append(last + 1)
        }
        return ParquetBounds(least: shortLeast, greatest: shortGreatest, isExact: false)
    }
}
