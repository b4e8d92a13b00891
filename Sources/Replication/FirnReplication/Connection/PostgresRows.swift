import CPostgres
import FirnValues

/// The rows of a result, as texts.
final class PostgresRows {
    private let result: OpaquePointer?

    init(_ result: OpaquePointer?) { self.result = result }

    deinit { PQclear(result) }

    var count: Int { result.map { Int(PQntuples($0)) } ?? 0 }

    var columnCount: Int { result.map { Int(PQnfields($0)) } ?? 0 }

    /// The number of rows that the statement changed.
    var changedCount: Int {
        result.flatMap { Int(String(cString: PQcmdTuples($0))) } ?? 0
    }

    /// Returns a value; `nil` for NULL and outside the result.
    subscript(row: Int, column: Int) -> String? {
        guard let result, row < count, column < columnCount,
            PQgetisnull(result, Int32(row), Int32(column)) == 0,
            let text = PQgetvalue(result, Int32(row), Int32(column))
        else { return nil }
        let length = Int(PQgetlength(result, Int32(row), Int32(column)))
        return String(
            decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
    }

    /// Returns the values of a row from a column on.
    func texts(ofRow row: Int, from column: Int = 0) -> [String?] {
        (column..<max(column, columnCount)).map { self[row, $0] }
    }
}

/// Errors of libpq.
enum PostgresError {
    /// Returns a message as one line.
    static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }.joined(separator: "; ")
    }

    static func error(of result: OpaquePointer, _ handle: OpaquePointer) -> UpstreamError {
        func field(_ code: Character) -> String? {
            guard let ascii = code.asciiValue else { return nil }
            return PQresultErrorField(result, Int32(ascii)).map { String(cString: $0) }
        }
        let state = field("C")
        let message = field("M") ?? line(String(cString: PQresultErrorMessage(result)))
        guard let state, PQstatus(handle) == CONNECTION_OK else {
            return UpstreamError(.unreachable, message)
        }
        if state.hasPrefix("08") || state.hasPrefix("57P") {
            return UpstreamError(.unreachable, message, state: state)
        }
        if state == "42501" { return UpstreamError(.permission, message, state: state) }
        if state == "28000" {
            return UpstreamError(
                .permission, message,
                remedy: "use an address with that user, or attach the file again: firn sync detach "
                    + "FILE, then firn sync attach FILE URL", state: state)
        }
        return UpstreamError(.server, message, state: state)
    }
}
