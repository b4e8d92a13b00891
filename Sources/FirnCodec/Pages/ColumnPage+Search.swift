package import FirnValues

extension ColumnPage {
    /// The first row that has a value, in a column of ascending values, of which nil is the first.
    ///
    /// - Returns: `nil` if no row has it. Of values that do not ascend any answer is possible, but
    ///   none that names a row with another value.
    /// - Complexity: O(log rows); O(1) while integers have no gaps
    package func firstRow(of value: Value) -> Int? {
        let row: Int
        if case .packed(let codes) = content, kind == .int, nullCount == 0,
            case .int(let number) = value
        {
            row = firstRow(notBelow: number, codes)
        } else {
            row = firstRow(notBelow: value)
        }
        guard row < rowCount else { return nil }
        return self.value(at: row) == value ? row : nil
    }

    private func firstRow(notBelow value: Value) -> Int {
        var low = 0
        var high = rowCount
        while low < high {
            let middle = (low + high) / 2
            if self.value(at: middle).order(relativeTo: value) == .less {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private func firstRow(notBelow number: Int64, _ codes: PackedLanes) -> Int {
        var low = 0
        var high = rowCount
        // Keys that were counted up stand where their distance from the first says.
        let distance = UInt64(bitPattern: number &- codes.frame.base) / codes.frame.step
        if number >= codes.frame.base, distance < UInt64(rowCount) {
            let guess = Int(truncatingIfNeeded: distance)
            if codes[guess] == number, guess == 0 || codes[guess - 1] < number { return guess }
        }
        while low < high {
            let middle = (low + high) / 2
            if codes[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
