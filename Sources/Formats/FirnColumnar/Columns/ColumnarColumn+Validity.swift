import FirnValues

extension ColumnarColumn {
    /// Moves the values, which exist only for rows that are not null, to the positions of their
    /// rows.
    ///
    /// - Parameters:
    ///   - validity: one bit per row, set if the row has the next value.
    ///   - count: the number of rows.
    func spread(_ validity: [UInt64], count: Int) {
        guard self.count < count else { return }
        let valueCount = self.count
        self.validity = validity
        self.count = count
        switch type.lane {
        case .ints:
            Self.spread(&ints, valueCount, validity, count)
            if !nanoseconds.isEmpty { Self.spread(&nanoseconds, valueCount, validity, count) }
        case .doubles: Self.spread(&doubles, valueCount, validity, count)
        case .decimals: Self.spread(&decimals, valueCount, validity, count)
        case .bytes: spreadOffsets(valueCount)
        case .elements, .parts, .nothing: break
        }
    }

    /// Moves values from the last to the first, so that none is overwritten before it moves.
    private static func spread<T: FixedWidthNumber>(
        _ lane: inout [T], _ valueCount: Int, _ validity: [UInt64], _ count: Int
    ) {
        lane.append(contentsOf: repeatElement(T.zero, count: count - lane.count))
        var source = valueCount - 1
        lane.withUnsafeMutableBufferPointer { lane in
            var row = count - 1
            while row >= 0 {
                if validity[row >> 6] >> UInt64(row & 63) & 1 == 1 {
                    // As many bits are set as there are values.
                    precondition(source >= 0)
                    lane[row] = lane[source]
                    source -= 1
                } else {
                    lane[row] = T.zero
                }
                row -= 1
            }
        }
    }

    private func spreadOffsets(_ valueCount: Int) {
        var spread: [UInt32] = []
        spread.reserveCapacity(count + 1)
        spread.append(0)
        var source = 0
        for row in 0..<count {
            if validity[row >> 6] >> UInt64(row & 63) & 1 == 1 { source += 1 }
            spread.append(offsets[source])
        }
        offsets = spread
    }
}

/// A number of a lane.
protocol FixedWidthNumber {
    static var zero: Self { get }
}

extension Int32: FixedWidthNumber {}
extension Int64: FixedWidthNumber {}
extension Int128: FixedWidthNumber {}
extension Double: FixedWidthNumber {}
