import FirnValues

/// The values of an export that an SQLite database cannot represent.
package struct SQLiteLosses {
    private struct Column: Hashable {
        let table: TextKey
        let name: TextKey
    }

    private var columns: [Column] = []
    private var notNumbers: [Column: UInt64] = [:]
    private var negativeZeros: [Column: UInt64] = [:]

    /// Counts the NaN of a column, which became NULL.
    mutating func noteNotNumbers(_ count: UInt64, table: String, column: String) {
        guard count > 0 else { return }
        notNumbers[note(table, column), default: 0] += count
    }

    /// Counts the negative zeros of a column, which lost their sign.
    mutating func noteNegativeZeros(_ count: UInt64, table: String, column: String) {
        guard count > 0 else { return }
        negativeZeros[note(table, column), default: 0] += count
    }

    private mutating func note(_ table: String, _ name: String) -> Column {
        let column = Column(table: TextKey(table), name: TextKey(name))
        if !columns.contains(column) { columns.append(column) }
        return column
    }

    /// One line for each kind of loss in a column.
    package var notes: [String] {
        columns.flatMap { column in
            let place = SafeText.escaping("\(column.table.text).\(column.name.text)")
            let nans = notNumbers[column].map {
                "\(place): \(Formatting.count($0)) NaN became NULL, because SQLite has no NaN"
            }
            let zeros = negativeZeros[column].map {
                "\(place): \(Formatting.count($0)) -0.0 became 0.0, because SQLite has one zero"
            }
            return [nans, zeros].compactMap(\.self)
        }
    }
}
