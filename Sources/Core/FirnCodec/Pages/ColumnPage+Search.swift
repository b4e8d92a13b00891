package import FirnValues

extension ColumnPage {
    /// Returns the first row with a value, in a column of ascending values in which nil is first.
    ///
    /// - Returns: `nil` if no row has the value. If the values do not ascend, the result can be any
    ///   row with the value, or `nil`.
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

    private func firstRow(notBelow number: Int64, _ codes: PackedCodes) -> Int {
        var low = 0
        var high = rowCount
        // The row of a consecutive key is its distance from the first key.
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
