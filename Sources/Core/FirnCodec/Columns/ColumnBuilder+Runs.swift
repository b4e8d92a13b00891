import FirnValues

/// Appending many values at a time; those that equal a marker are null.
extension ColumnBuilder {
    package func append(ints values: ArraySlice<Int64>, null: Int64?) {
        precondition(kind == .int)
        appendInts(values, null)
    }

    /// Appends dates in whole seconds since 1970.
    package func append(seconds values: ArraySlice<Int64>, null: Int64?) {
        precondition(kind == .date)
        if !nanoseconds.isEmpty {
            nanoseconds.append(contentsOf: repeatElement(0, count: values.count))
        }
        appendInts(values, null)
    }

    /// Appends truth values; 0 is false.
    package func append(bools values: ArraySlice<Int64>, null: Int64?) {
        precondition(kind == .bool)
        for (offset, value) in values.enumerated() {
            if let null, value == null {
                nulls.insert(count + offset)
                ints.append(0)
            } else {
                ints.append(value == 0 ? 0 : 1)
            }
        }
        count += values.count
    }

    package func append(doubleBits values: ArraySlice<UInt64>, null: UInt64?) {
        precondition(kind == .double)
        for (offset, bits) in values.enumerated() {
            if let null, bits == null {
                nulls.insert(count + offset)
                doubles.append(0)
            } else {
                doubles.append(Double(bitPattern: bits))
            }
        }
        count += values.count
    }

    package func append(floatBits values: ArraySlice<UInt32>, null: UInt32?) {
        precondition(kind == .float)
        for (offset, bits) in values.enumerated() {
            if let null, bits == null {
                nulls.insert(count + offset)
                doubles.append(0)
            } else {
                doubles.append(Double(widening: Float(bitPattern: bits)))
            }
        }
        count += values.count
    }

    private func appendInts(_ values: ArraySlice<Int64>, _ null: Int64?) {
        ints.append(contentsOf: values)
        if let null {
            for (offset, value) in values.enumerated() where value == null {
                nulls.insert(count + offset)
                ints[count + offset] = 0
            }
        }
        count += values.count
    }
}
