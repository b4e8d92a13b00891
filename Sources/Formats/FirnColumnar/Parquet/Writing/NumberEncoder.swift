import FirnValues

/// Encodes integers, floating-point numbers, and decimals of up to 18 digits.
///
/// The first page of a row group decides between a dictionary, differences and plain numbers by
/// their size; compression is expected to save part of the plain ones.
final class NumberEncoder: ValueEncoder {
    private let type: ColumnarType
    private let width: Int
    private let isFloating: Bool
    private var pending: [Int64] = []
    private var indices: [UInt32] = []
    private var dictionary = NumberDictionary()
    private var mode = PageMode.undecided
    private var leastInteger = Int64.max
    private var greatestInteger = Int64.min
    private var leastNumber = Double.infinity
    private var greatestNumber = -Double.infinity

    init(_ type: ColumnarType) {
        self.type = type
        isFloating = type == .float || type == .double
        switch type.parquetPhysical {
        case .int32, .float: width = 4
        default: width = 8
        }
    }

    var pendingBytes: Int { pending.count * width }
    var dictionaryCount: Int { dictionary.values.count }

    func reset() {
        dictionary.removeAll()
        mode = .undecided
        leastInteger = .max
        greatestInteger = .min
        leastNumber = .infinity
        greatestNumber = -.infinity
    }

    // MARK: Values

    func append(_ entries: LeafEntries) {
        let start = pending.count
        let column = entries.column
        switch type {
        case .float: append(entries, column.doubles) { Int64(Float($0).bitPattern) }
        case .double: append(entries, column.doubles) { Int64(bitPattern: $0.bitPattern) }
        case .decimal: append(entries, column.decimals) { Int64(truncatingIfNeeded: $0) }
        default:
            if entries.positions == nil {
                pending.append(contentsOf: column.ints[..<entries.entryCount])
            } else {
                append(entries, column.ints) { $0 }
            }
        }
        if isFloating { boundNumbers(from: start) } else { boundIntegers(from: start) }
    }

    @inline(__always)
    private func append<T>(_ entries: LeafEntries, _ lane: [T], _ bits: (T) -> Int64) {
        pending.reserveCapacity(pending.count + entries.valueCount)
        lane.withUnsafeBufferPointer { lane in
            if let positions = entries.positions {
                for position in positions { pending.append(bits(lane[Int(position)])) }
            } else {
                for position in 0..<entries.entryCount { pending.append(bits(lane[position])) }
            }
        }
    }

    private func boundIntegers(from start: Int) {
        var least = leastInteger
        var greatest = greatestInteger
        for index in start..<pending.count {
            least = min(least, pending[index])
            greatest = max(greatest, pending[index])
        }
        leastInteger = least
        greatestInteger = greatest
    }

    private func boundNumbers(from start: Int) {
        for index in start..<pending.count {
            let number = number(pending[index])
            // Comparisons with NaN are false.
            if number < leastNumber { leastNumber = number }
            if number > greatestNumber { greatestNumber = number }
        }
    }

    private func number(_ bits: Int64) -> Double {
        width == 4
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            : Double(bitPattern: UInt64(bitPattern: bits))
    }

    var bounds: ParquetBounds? {
        if isFloating {
            guard leastNumber <= greatestNumber else { return nil }
            // A reader that compares bits must find both zeros.
            let least = leastNumber == 0 ? -0.0 : leastNumber
            let greatest = greatestNumber == 0 ? 0.0 : greatestNumber
            return ParquetBounds(least: stored(least), greatest: stored(greatest))
        }
        guard leastInteger <= greatestInteger else { return nil }
        return ParquetBounds(least: stored(leastInteger), greatest: stored(greatestInteger))
    }

    private func stored(_ number: Double) -> [UInt8] {
        width == 4
            ? stored(Int64(Float(number).bitPattern))
            : stored(Int64(bitPattern: number.bitPattern))
    }

    private func stored(_ bits: Int64) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: bits >> Int64(8 * $0)) }
    }

    // MARK: Pages

    func encodePage(to output: ByteOutput) -> ParquetEncoding {
        defer { pending.removeAll(keepingCapacity: true) }
        if mode == .undecided { decide() }
        if mode == .dictionary {
            let before = dictionary.values.count
            if dictionary.lookUp(pending, &indices) {
                let width = HybridEncoder.width(max: dictionary.values.count - 1)
                output.append(byte: UInt8(width))
                indices.withUnsafeBufferPointer {
                    HybridEncoder.encode($0, width: width, to: output)
                }
                return .rleDictionary
            }
            dictionary.truncate(to: before)
            mode = isFloating ? .plain : .delta
        }
        if mode == .delta {
            pending.withUnsafeBufferPointer {
                DeltaEncoder.encode($0, isNarrow: width == 4, to: output)
            }
            return .deltaBinaryPacked
        }
        encodePlain(pending, to: output)
        return .plain
    }

    func encodeDictionary(to output: ByteOutput) { encodePlain(dictionary.values, to: output) }

    private func encodePlain(_ numbers: [Int64], to output: ByteOutput) {
        let byteCount = numbers.count * width
        let target = output.room(byteCount)
        if width == 8 {
            numbers.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(
                    start: target, count: byteCount
                ).copyMemory(from: $0)
            }
        } else {
            for (index, number) in numbers.enumerated() {
                target.storeBytes(
                    of: UInt32(truncatingIfNeeded: number).littleEndian, toByteOffset: index * 4,
                    as: UInt32.self)
            }
        }
        output.advance(byteCount)
    }

    /// Chooses the mode of the row group by the sizes of the first page in bits per value.
    private func decide() {
        guard !pending.isEmpty else { return }
        let count = Double(pending.count)
        var dictionaryBits = Double.infinity
        if dictionary.lookUp(pending, &indices) {
            let entries = dictionary.values.count
            let indexBits = HybridEncoder.width(max: entries - 1)
            dictionaryBits = Double(entries * width * 8) / count + Double(indexBits)
        }
        let deltaBits = isFloating ? Double.infinity : deltaBits()
        // What compression leaves of plain numbers, whose highest bytes are often equal.
        let plainBits = Double(width * 8) * (isFloating ? 0.9 : 0.6)
        if dictionaryBits <= min(deltaBits, plainBits) {
            mode = .dictionary
        } else {
            mode = deltaBits < plainBits ? .delta : .plain
            dictionary.removeAll()
        }
    }

    /// Estimates the bits of a difference from every eighth block.
    private func deltaBits() -> Double {
        let blockSize = 32
        var blocks = 0
        var bits = 0
        var start = 1
        while start < pending.count {
            let end = min(start + blockSize, pending.count)
            var least = Int64.max
            var greatest = Int64.min
            for index in start..<end {
                let difference = pending[index] &- pending[index - 1]
                least = min(least, difference)
                greatest = max(greatest, difference)
            }
            bits += 64 - UInt64(bitPattern: greatest &- least).leadingZeroBitCount
            blocks += 1
            start += 8 * blockSize
        }
        return blocks == 0 ? .infinity : Double(bits) / Double(blocks)
    }
}
