import FirnValues

extension ColumnarColumn {
    /// Appends a text, without counting it.
    @inline(__always)
    func append(
        _ text: UnsafeRawBufferPointer, _ limits: ColumnarLimits
    ) throws(ColumnarError) {
        guard text.count <= limits.batchBytesMax - bytes.count else {
            throw Self.tooLong(limits)
        }
        bytes.append(contentsOf: text)
        offsets.append(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// Appends a text, without counting it.
    func append(bytes text: [UInt8], _ limits: ColumnarLimits) throws(ColumnarError) {
        guard text.count <= limits.batchBytesMax - bytes.count else {
            throw Self.tooLong(limits)
        }
        bytes.append(contentsOf: text)
        offsets.append(UInt32(truncatingIfNeeded: bytes.count))
    }

    static func tooLong(_ limits: ColumnarLimits) -> ColumnarError {
        ColumnarError(
            .tooLarge,
            "the texts of \(limits.batchRowsMax) rows have more than \(limits.batchBytesMax) bytes")
    }

    /// Appends values of another column of the same type, without counting them.
    ///
    /// - Parameter indices: valid positions in the other column.
    func append(
        _ other: ColumnarColumn, at indices: [UInt32], _ limits: ColumnarLimits
    ) throws(ColumnarError) {
        if !other.nanoseconds.isEmpty { nanoseconds.gather(other.nanoseconds, at: indices) }
        if !other.ints.isEmpty { ints.gather(other.ints, at: indices) }
        if !other.doubles.isEmpty { doubles.gather(other.doubles, at: indices) }
        if !other.decimals.isEmpty { decimals.gather(other.decimals, at: indices) }
        guard !other.offsets.isEmpty else { return }
        var total = bytes.count
        for index in indices {
            total += Int(other.offsets[Int(index) + 1] - other.offsets[Int(index)])
        }
        guard total <= limits.batchBytesMax else { throw Self.tooLong(limits) }
        offsets.reserveCapacity(offsets.count + indices.count)
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: total - start))
        bytes.withUnsafeMutableBytes { target in
            other.bytes.withUnsafeBytes { source in
                guard let target = target.baseAddress, let source = source.baseAddress else {
                    for _ in indices { offsets.append(UInt32(truncatingIfNeeded: start)) }
                    return
                }
                var end = start
                for index in indices {
                    let from = Int(other.offsets[Int(index)])
                    let size = Int(other.offsets[Int(index) + 1]) - from
                    (target + end).copyMemory(from: source + from, byteCount: size)
                    end += size
                    offsets.append(UInt32(truncatingIfNeeded: end))
                }
            }
        }
    }
}

extension Array {
    /// Appends elements that a closure initialises.
    @inline(__always)
    mutating func append(
        _ count: Int, _ body: (UnsafeMutablePointer<Element>) -> Void
    ) where Element: FixedWidthNumber {
        let start = self.count
        append(contentsOf: repeatElement(Element.zero, count: count))
        withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { body(base + start) }
        }
    }

    /// Appends the elements of another array at valid positions.
    mutating func gather(_ source: [Element], at indices: [UInt32])
    where Element: FixedWidthNumber {
        source.withUnsafeBufferPointer { source in
            append(indices.count) { target in
                for (position, index) in indices.enumerated() {
                    target[position] = source[Int(index)]
                }
            }
        }
    }
}
