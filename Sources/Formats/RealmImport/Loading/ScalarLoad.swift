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
            builder.append(ints: leaf.values[rows], null: leaf.null)
        case .booleans(let values):
            builder.append(bools: values[rows], null: isNullable ? 3 : nil)
        case .floats(let bits):
            builder.append(floatBits: bits[rows], null: isNullable ? NullNumber.float : nil)
        case .doubles(let bits):
            builder.append(doubleBits: bits[rows], null: isNullable ? NullNumber.double : nil)
        case .dates(let seconds, let nanoseconds):
            return append(seconds, nanoseconds, rows, to: builder)
        default: return false
        }
        return true
    }

    private func append(
        _ seconds: IntegerLeaf, _ nanoseconds: [Int64], _ rows: Range<Int>,
        to builder: ColumnBuilder
    ) -> Bool {
        let keepsNulls = isNullable || !seconds.values[rows].contains { $0 == seconds.null }
        if keepsNulls, nanoseconds[rows].allSatisfy({ $0 == 0 }) {
            builder.append(seconds: seconds.values[rows], null: seconds.null)
            return true
        }
        // A date that cannot be kept is counted where each one is converted.
        guard !rows.contains(where: { seconds.values[$0] == .min && nanoseconds[$0] < 0 })
        else { return false }
        for row in rows {
            let second = seconds.values[row]
            if second != seconds.null {
                builder.append(date: Timestamp(seconds: second, nanoseconds: nanoseconds[row]))
            } else if isNullable {
                builder.appendNull()
            } else {
                builder.append(date: Timestamp(seconds: 0))
            }
        }
        return true
    }

    /// Appends short texts or bytes.
    ///
    /// - Parameter repair: returns the text for bytes that are not UTF-8.
    /// - Returns: whether the column has such values; otherwise nothing was appended.
    func appendTexts(
        _ rows: Range<Int>, to builder: ColumnBuilder, repair: ([UInt8]) -> String
    ) throws(RealmFileError) -> Bool {
        switch values {
        case .texts(let leaf):
            return try leaf.forEachShort(in: rows) { bytes in
                guard let bytes = bytes ?? (isNullable ? nil : ScalarLoad.empty) else {
                    return builder.appendNull()
                }
                guard UTF8Validation.firstError(in: UnsafeRawBufferPointer(bytes)) != nil else {
                    return builder.append(utf8: bytes)
                }
                var text = repair(Array(bytes))
                text.withUTF8 { builder.append(utf8: $0) }
            }
        case .data(let leaf):
            return try leaf.forEachShort(in: rows) { bytes in
                guard let bytes = bytes ?? (isNullable ? nil : ScalarLoad.empty) else {
                    return builder.appendNull()
                }
                builder.append(bytes: bytes)
            }
        default: return false
        }
    }

    private static var empty: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: nil, count: 0)
    }
}
