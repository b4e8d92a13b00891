import FirnValues

/// The property type of a column of another program, and the expressions that convert its values.
///
///     smallint, integer, bigint       Int16, Int32, Int
///     numeric                         Decimal128
///     text, varchar, char, enums      String
///     timestamptz, timestamp, date    Date: without zone in UTC, days at midnight
///     json, jsonb                     Any: lists and maps
///     arrays                          List, whose elements may be nil
///     bytea, uuid, boolean, real, double precision
///     all others                      String, in the form of the server
struct SourceType: Sendable {
    let tag: ValueTag
    var container = PropertyType.Container.single
    var width = IntegerWidth.bits64
    /// Writes the value of an expression in the type of the property.
    let read: @Sendable (String) -> String
    /// Writes a value of the property in the type of the column.
    let write: @Sendable (String) -> String

    init(_ column: SourceTable.Column) {
        let type = column.type
        if type.hasSuffix("[]") {
            self.init(arrayOf: String(type.dropLast(2)), column.declaredType)
            return
        }
        switch type {
        case "smallint": self.init(.int, width: .bits16)
        case "integer": self.init(.int, width: .bits32)
        case "bigint": self.init(.int)
        case "boolean": self.init(.bool)
        case "real": self.init(.float)
        case "double precision": self.init(.double)
        case "numeric": self.init(.decimal128)
        case "bytea": self.init(.data)
        case "uuid": self.init(.uuid)
        case "text", "character varying", "character":
            // An assignment checks the length, where a conversion would cut.
            self.init(.string, read: { "\($0)::text" })
        case "timestamp with time zone": self.init(.date)
        case "timestamp without time zone":
            self.init(
                .date, read: { "\($0) AT TIME ZONE 'UTC'" }, write: { "\($0) AT TIME ZONE 'UTC'" })
        case "date":
            self.init(
                .date, read: { "\($0)::timestamp AT TIME ZONE 'UTC'" },
                write: { "(\($0) AT TIME ZONE 'UTC')::date" })
        case "json", "jsonb":
            self.init(
                .any, read: { "firn.tagged(\($0)::jsonb)" },
                write: { "firn.untagged(\($0))::\(type)" })
        default:
            let declared = column.declaredType
            self.init(.string, read: { "\($0)::text" }, write: { "\($0)::\(declared)" })
        }
    }

    private init(
        _ tag: ValueTag, width: IntegerWidth = .bits64,
        read: @escaping @Sendable (String) -> String = { $0 },
        write: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.tag = tag
        self.width = width
        self.read = read
        self.write = write
    }

    private init(arrayOf element: String, _ declared: String) {
        let (tag, type): (ValueTag, String) =
            switch element {
            case "smallint", "integer", "bigint": (.int, "bigint")
            case "boolean": (.bool, "boolean")
            case "real": (.float, "real")
            case "double precision": (.double, "double precision")
            case "numeric": (.decimal128, "numeric")
            case "uuid": (.uuid, "uuid")
            case "bytea": (.data, "bytea")
            default: (.string, "text")
            }
        self.tag = tag
        container = .list
        read = { "coalesce(\($0)::\(type)[], '{}')" }
        write = { "\($0)::\(declared)" }
    }

    /// Whether values of the type can be the key of a class.
    var canBeKey: Bool { container == .single && [.int, .string, .uuid].contains(tag) }
}
