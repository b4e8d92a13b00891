import FirnValues

/// Adds rows whose storage is then filled directly.
extension ColumnVector {
    /// Marks a row as null.
    mutating func insertNull(_ row: Int) {
        while nulls.count <= row >> 6 { nulls.append(0) }
        nulls[row >> 6] |= 1 << UInt64(row & 63)
    }

    /// Adds integers and fills them.
    @inline(__always)
    mutating func appendInts(_ added: Int, _ fill: (UnsafeMutablePointer<Int64>) -> Void) {
        let start = ints.count
        ints.append(contentsOf: repeatElement(0, count: added))
        ints.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { fill(base + start) }
        }
    }

    @inline(__always)
    mutating func appendNanoseconds(_ added: Int, _ fill: (UnsafeMutablePointer<Int32>) -> Void) {
        let start = nanoseconds.count
        nanoseconds.append(contentsOf: repeatElement(0, count: added))
        nanoseconds.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { fill(base + start) }
        }
    }

    @inline(__always)
    mutating func appendDoubles(_ added: Int, _ fill: (UnsafeMutablePointer<Double>) -> Void) {
        let start = doubles.count
        doubles.append(contentsOf: repeatElement(0, count: added))
        doubles.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { fill(base + start) }
        }
    }

    /// Adds strings: first their lengths, then their bytes in one operation.
    @inline(__always)
    mutating func appendStrings(
        _ added: Int, _ string: (Int) -> UnsafeBufferPointer<UInt8>
    ) {
        var end = bytes.count
        let first = offsets.count
        offsets.append(contentsOf: repeatElement(0, count: added))
        offsets.withUnsafeMutableBufferPointer { offsets in
            for index in 0..<added {
                end += string(index).count
                // A vector of more than 4 GiB is a programming error of the caller.
                offsets[first + index] = UInt32(end)
            }
        }
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: end - start))
        bytes.withUnsafeMutableBufferPointer { target in
            guard var next = target.baseAddress.map({ $0 + start }) else { return }
            for index in 0..<added {
                let text = string(index)
                guard let base = text.baseAddress else { continue }
                next.update(from: base, count: text.count)
                next += text.count
            }
        }
    }
}
