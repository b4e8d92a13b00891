import CSQLite
import FirnCodec
import FirnFormats
import FirnValues

/// The types of the values of one column of an SQLite table, in which each value has its own type.
struct SQLiteColumnEvidence {
    private let column: SQLiteTable.Column
    private var ints = false
    private var doubles = false
    private var texts = false
    private var blobs = false
    private(set) var hasNulls = false
    /// Whether every whole number is exactly representable as a Double.
    private var fitsDouble = true
    private var areBools: Bool
    private var areDates: Bool

    init(_ column: SQLiteTable.Column) {
        self.column = column
        let type = column.declaredType
        areBools = type.contains("BOOL")
        areDates = type.contains("DATE") || type.contains("TIME")
    }

    mutating func see(_ row: SQLiteStatement, _ index: Int) {
        switch row.type(index) {
        case SQLITE_INTEGER:
            ints = true
            let value = row.int(index)
            if value.magnitude > 1 << 53 { fitsDouble = false }
            if value != 0, value != 1 { areBools = false }
        case SQLITE_FLOAT: doubles = true
        case SQLITE_TEXT:
            texts = true
            if areDates, FieldText.time(row.text(index)) == nil { areDates = false }
        case SQLITE_BLOB: blobs = true
        default: hasNulls = true
        }
    }

    /// The type of the property; a column with values of different kinds is Any.
    var type: ValueTag {
        switch (ints, doubles, texts, blobs) {
        case (true, false, false, false): areBools ? .bool : .int
        case (true, true, false, false): fitsDouble ? .double : .any
        case (false, true, false, false): .double
        case (false, false, true, false): areDates ? .date : .string
        case (false, false, false, true): .data
        case (false, false, false, false): declared
        default: .any
        }
    }

    /// The type of a column without values, by the rules of https://www.sqlite.org/datatype3.html.
    private var declared: ValueTag {
        let type = column.declaredType
        if areBools { return .bool }
        if areDates { return .date }
        if type.contains("INT") { return .int }
        if ["CHAR", "CLOB", "TEXT"].contains(where: { type.contains($0) }) { return .string }
        if type.contains("BLOB") { return .data }
        if ["REAL", "FLOA", "DOUB", "NUM", "DEC"].contains(where: { type.contains($0) }) {
            return .double
        }
        return .string
    }
}
