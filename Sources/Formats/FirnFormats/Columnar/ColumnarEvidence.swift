package import FirnCodec
import FirnColumnar
package import FirnQuery
import FirnValues

/// The requirements of the values of a column of dates or decimals: Parquet and Arrow declare the
/// types of a file once, for all rows.
package struct ColumnarEvidence {
    private static let secondsPerDay: Int64 = 86_400
    /// The range of seconds in which all nanoseconds since 1970 fit in 64 bits.
    private static let nanosecondRange: ClosedRange<Int64> = -9_223_372_036...9_223_372_035

    private(set) var areWholeDays = true
    private var hasNanoseconds = false
    private var fitsNanoseconds = true
    private var areFinite = true
    private var scaleMax = 0
    private var wholeDigitsMax = 0
    private var hasValues = false

    package init() {}

    /// Whether microseconds would lose a part of a date.
    var needsNanoseconds: Bool { hasNanoseconds && fitsNanoseconds }

    /// The digits of a type that can represent all decimals; `nil` if there is none.
    var decimal: (precision: Int, scale: Int)? {
        guard hasValues, areFinite, wholeDigitsMax + scaleMax <= 38 else { return nil }
        // Readers compute with 18 digits much faster than with 38.
        return (wholeDigitsMax + scaleMax <= 18 ? 18 : 38, scaleMax)
    }

    /// Returns whether the values of a column determine its type.
    package static func isNeeded(for column: ResultColumn) -> Bool {
        column.type.container == .single
            && (column.type.base == .date || column.type.base == .decimal128)
    }

    package mutating func see(_ vector: ColumnVector) {
        if vector.kind == .date {
            seeDates(vector)
        } else if vector.kind == .decimal128 {
            for row in 0..<vector.count where !vector.isNull(row) {
                if case .decimal128(let number) = vector.value(at: row) { see(number) }
            }
        }
    }

    private mutating func seeDates(_ vector: ColumnVector) {
        for row in 0..<vector.count {
            let seconds = vector.ints[row]
            let nanoseconds = vector.nanoseconds.isEmpty ? 0 : vector.nanoseconds[row]
            if nanoseconds != 0 || seconds % Self.secondsPerDay != 0 { areWholeDays = false }
            if nanoseconds % 1000 != 0 { hasNanoseconds = true }
            if !Self.nanosecondRange.contains(seconds),
                ColumnarTimeUnit.nanoseconds.number(
                    seconds: seconds, nanoseconds: nanoseconds) == nil
            {
                fitsNanoseconds = false
            }
        }
    }

    private mutating func see(_ number: Decimal128) {
        hasValues = true
        guard number.isFinite else {
            areFinite = false
            return
        }
        let (coefficient, exponent) = number.parts
        let digits = coefficient == 0 ? 0 : String(coefficient).utf8.count
        scaleMax = max(scaleMax, -exponent)
        wholeDigitsMax = max(wholeDigitsMax, coefficient == 0 ? 0 : digits + exponent)
    }
}
