import FirnValues

extension ColumnBuilder {
    /// Encodes doubles as scaled decimals if all values permit it, and otherwise as bit patterns.
    func doubleBody(_ zone: inout ZoneMap) -> PageBody {
        doubles.withUnsafeBufferPointer { values in
            let isUniform = measure(values, &zone)
            if let first = (0..<count).first(where: { !nulls[$0] }), isUniform {
                return constant(PageContent.value(values[first], kind: kind))
            }
            if !zone.hasNaN, let decimal = decimalBody(values) { return decimal }
            var body = makeBody(.fixed)
            if kind == .float {
                values.map { Float(narrowing: $0).bitPattern.littleEndian }
                    .withUnsafeBytes { body.appendBytes($0) }
            } else {
                body.appendBytes(UnsafeRawBufferPointer(values))
            }
            return body
        }
    }

    private func decimalBody(_ values: UnsafeBufferPointer<Double>) -> PageBody? {
        guard
            let decimal = DecimalScaling.integers(
                of: values, areFloats: kind == .float, isNull: { nulls[$0] })
        else { return nil }
        return decimal.integers.withUnsafeBufferPointer { integers in
            let frame = IntegerStatistics(integers, nulls).frame(integers, nulls)
            // Every Float has decimal digits, but only short decimals are smaller than its bits.
            if kind == .float, frame.width >= 32 { return nil }
            var body = makeBody(.decimal(frame, places: decimal.places))
            body.appendRowCodes(codes(integers, frame), width: frame.width)
            return body
        }
    }

    /// Sets the zone of doubles.
    ///
    /// Returns whether all values have the same bits.
    private func measure(_ values: UnsafeBufferPointer<Double>, _ zone: inout ZoneMap) -> Bool {
        var low = Double.infinity
        var high = -Double.infinity
        var numbers = 0
        var difference: UInt64 = 0
        var first: UInt64?
        for (row, value) in values.enumerated() where !nulls[row] {
            let bits = value.bitPattern
            difference |= bits ^ (first ?? bits)
            first = first ?? bits
            if value.isNaN { continue }
            low = value < low ? value : low
            high = value > high ? value : high
            numbers += 1
        }
        zone.hasNaN = numbers < count - nullCount
        if numbers > 0 {
            zone.minimum = PageContent.value(low, kind: kind)
            zone.maximum = PageContent.value(high, kind: kind)
        }
        return difference == 0
    }
}
