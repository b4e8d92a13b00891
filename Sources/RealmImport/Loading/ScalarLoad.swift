import FirnCodec
import FirnValues
import RealmFile

/// Appends values of a column without a conversion of each one.
struct ScalarLoad {
    private let values: LeafValues
    private let isNullable: Bool
    /// Whether integers have less than 64 bits, so that each one is checked.
    private let isNarrow: Bool

    init(_ values: LeafValues, _ column: RealmColumn, isNarrow: Bool) {
        self.values = values
        self.isNarrow = isNarrow
        isNullable = column.isNullable
    }

    /// Appends the values of some rows.
    ///
    /// - Returns: whether the column has such values; otherwise nothing was appended.
    func append(_ rows: Range<Int>, to builder: ColumnBuilder) -> Bool {
        switch values {
        case .integers(let leaf) where !isNarrow:
            for row in rows {
                let value = leaf.values[row]
                if value == leaf.null {
                    builder.appendNull()
                } else {
                    builder.append(int: value)
                }
            }
        case .booleans(let values):
            for row in rows {
                if isNullable, values[row] == 3 {
                    builder.appendNull()
                } else {
                    builder.append(bool: values[row] != 0)
                }
            }
        case .floats(let leaf):
            for row in rows {
                let bits = leaf.bits(row)
                if isNullable, bits == NullNumber.float {
                    builder.appendNull()
                } else {
                    builder.append(float: Float(bitPattern: bits))
                }
            }
        case .doubles(let leaf):
            for row in rows {
                let bits = leaf.bits(row)
                if isNullable, bits == NullNumber.double {
                    builder.appendNull()
                } else {
                    builder.append(double: Double(bitPattern: bits))
                }
            }
        case .dates(let seconds, let nanoseconds):
            // A date that cannot be kept is counted where each one is converted.
            guard !rows.contains(where: { seconds.values[$0] == .min && nanoseconds[$0] < 0 })
            else { return false }
            for row in rows {
                let second = seconds.values[row]
                if second != seconds.null {
                    builder.append(
                        date: Timestamp(seconds: second, nanoseconds: nanoseconds[row]))
                } else if isNullable {
                    builder.appendNull()
                } else {
                    builder.append(date: Timestamp(seconds: 0))
                }
            }
        default: return false
        }
        return true
    }
}
