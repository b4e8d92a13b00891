import FirnColumnar
import FirnPlatform
import FirnTesting

/// Prints values as `Tests/Fixtures/Columnar/make.py` does.
enum ColumnarText {
    static func rows(of reader: any ColumnarReader) throws -> [String] {
        var rows: [String] = []
        while let batch = try reader.next() { rows += Self.rows(of: batch) }
        return rows
    }

    static func rows(of batch: ColumnarBatch) -> [String] {
        (0..<batch.rowCount).map { row in
            "[" + batch.columns.map { text($0, row) }.joined(separator: ",") + "]"
        }
    }

    static func text(_ column: ColumnarColumn, _ row: Int) -> String {
        guard column.isValid(row) else { return "null" }
        switch column.type {
        case .null: return "null"
        case .bool: return column.ints[row] == 1 ? "true" : "false"
        case .int, .duration, .date, .time: return String(column.ints[row])
        case .timestamp(.secondsAndNanoseconds, _):
            let time = Int128(column.ints[row]) * 1_000_000_000 + Int128(column.nanoseconds[row])
            return String(time)
        case .timestamp: return String(column.ints[row])
        case .float, .double:
            let digits = String(column.doubles[row].bitPattern, radix: 16)
            return "\"" + String(repeating: "0", count: 16 - digits.count) + digits + "\""
        case .decimal(let precision, let scale):
            let text = decimal(column.decimals[row], scale)
            return precision == 20 && scale == 0 ? text : "\"\(text)\""
        case .string, .json:
            return "\"" + String(decoding: bytes(column, row), as: UTF8.self) + "\""
        case .binary, .uuid: return "\"" + base64(Array(bytes(column, row))) + "\""
        case .list:
            let elements = elements(column, row).map { text(column.children[0], $0) }
            return "[" + elements.joined(separator: ",") + "]"
        case .map:
            let entries = elements(column, row).map {
                "[\(text(column.children[0], $0)),\(text(column.children[1], $0))]"
            }
            return "[" + entries.joined(separator: ",") + "]"
        case .structure:
            return "[" + column.children.map { text($0, row) }.joined(separator: ",") + "]"
        }
    }

    private static func elements(_ column: ColumnarColumn, _ row: Int) -> Range<Int> {
        Int(column.offsets[row])..<Int(column.offsets[row + 1])
    }

    private static func bytes(_ column: ColumnarColumn, _ row: Int) -> ArraySlice<UInt8> {
        column.bytes[elements(column, row)]
    }

    private static func decimal(_ value: Int128, _ scale: Int) -> String {
        var digits = String(value.magnitude)
        if digits.count <= scale {
            digits = String(repeating: "0", count: scale + 1 - digits.count) + digits
        }
        let sign = value < 0 ? "-" : ""
        guard scale > 0 else { return sign + digits }
        return sign + digits.dropLast(scale) + "." + digits.suffix(scale)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word = 0
            for index in 0..<3 {
                word = word << 8 | (index < group.count ? Int(group[start + index]) : 0)
            }
            for index in 0..<4 {
                text.append(index <= group.count ? alphabet[word >> (18 - 6 * index) & 63] : "=")
            }
        }
        return text
    }
}

/// The files of `Tests/Fixtures/Columnar`.
enum Fixture {
    private static func name(_ name: String) -> String { "Columnar/\(name)" }

    static func open(_ name: String) throws -> any File {
        try SystemFileSystem().open(Fixtures.path(Self.name(name)), .readOnly)
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        try Fixtures.bytes(Self.name(name))
    }

    static func rows(_ name: String) throws -> [String] {
        String(decoding: try bytes(name + ".ndjson"), as: UTF8.self)
            .split(separator: "\n").map { String($0) }
    }
}
