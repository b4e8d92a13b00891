import FirnValues

/// Inputs in other formats that users try; the error names the format and suggests a conversion.
package enum ForeignInput: CaseIterable {
    case firn
    case sqlite
    case realm
    case workbook
    case oldWorkbook
    case avro
    case orc
    case duckDB
    /// The first version of Feather, which is not Arrow.
    case feather
    case encryptedParquet
    /// A compressed file inside a compressed file, because the outer one is read.
    case gzip
    case bzip2
    case zstd
    case xz

    /// - Parameter beginning: the first bytes of an input.
    package init?(beginning: [UInt8]) {
        let found = ForeignInput.allCases.first { format in
            let (offset, bytes) = format.signature
            guard beginning.dropFirst(offset).starts(with: bytes) else { return false }
            // A table can begin with the letters of a signature, such as ORC or PARENT.
            return bytes.contains { $0 < 0x20 || $0 > 0x7E } || format == .realm
                || format == .bzip2 || beginning.contains { $0 < 0x09 }
        }
        guard let found else { return nil }
        self = found
    }

    /// The bytes that identify the format, and their offset.
    private var signature: (offset: Int, bytes: [UInt8]) {
        switch self {
        case .firn: (0, [0x89] + Array("FIRN".utf8))
        case .sqlite: (0, Array("SQLite format 3\0".utf8))
        case .realm: (16, Array("T-DB".utf8))
        case .workbook: (0, [0x50, 0x4B, 0x03, 0x04])
        case .oldWorkbook: (0, [0xD0, 0xCF, 0x11, 0xE0])
        case .avro: (0, Array("Obj\u{1}".utf8))
        case .orc: (0, Array("ORC".utf8))
        case .duckDB: (8, Array("DUCK".utf8))
        case .feather: (0, Array("FEA1".utf8))
        case .encryptedParquet: (0, Array("PARE".utf8))
        case .gzip: (0, [0x1F, 0x8B])
        case .bzip2: (0, Array("BZh".utf8))
        case .zstd: (0, [0x28, 0xB5, 0x2F, 0xFD])
        case .xz: (0, [0xFD] + Array("7zXZ".utf8))
        }
    }

    private var kind: String {
        switch self {
        case .firn: "a Firn database"
        case .sqlite: "an SQLite database"
        case .realm: "a Realm database"
        case .workbook: "a ZIP archive, such as an Excel workbook"
        case .oldWorkbook: "an Office document, such as an Excel workbook"
        case .avro: "an Avro file"
        case .orc: "an ORC file"
        case .duckDB: "a DuckDB database"
        case .feather: "a Feather file of version 1"
        case .encryptedParquet: "an encrypted Parquet file"
        case .gzip, .bzip2, .zstd, .xz: "compressed"
        }
    }

    /// Returns the command that converts the input to text; `nil` if there is no common one.
    ///
    /// - Parameter name: the path as it is, for the inside of quotes.
    private func reader(of path: String, named name: String) -> String? {
        switch self {
        case .firn: "firn export \(path) -f ndjson"
        case .sqlite: "sqlite3 -csv -header \(path) 'SELECT * FROM ...'"
        case .avro: "fastavro \(path)"
        case .duckDB: "duckdb -csv \(path) 'FROM ...'"
        case .realm, .workbook, .oldWorkbook, .orc, .feather, .encryptedParquet: nil
        case .gzip: "gzip -dc \(path)"
        case .bzip2: "bzip2 -dc \(path)"
        case .zstd: "zstd -dc \(path)"
        case .xz: "xz -dc \(path)"
        }
    }

    /// The conversion that has no common command.
    private var conversion: String {
        switch self {
        case .realm: "name the file: firn create NEW.firn --from OLD.realm"
        case .orc:
            "in Python, pyarrow.parquet.write_table(pyarrow.orc.read_table('FILE'), 'NEW.parquet') "
                + "converts it"
        case .feather:
            "in Python, pyarrow.feather.write_feather(pyarrow.feather.read_table('FILE'), "
                + "'NEW.feather') converts it"
        case .encryptedParquet: "the program that has its key can write it without encryption"
        default: "save the sheet as CSV (UTF-8) in the spreadsheet program"
        }
    }

    /// - Parameter path: `-` for standard input.
    package func diagnostic(_ path: String) -> Diagnostic {
        let isNamed = path != "-"
        let shown = isNamed ? SafeText.escaping(path) : "standard input"
        var diagnostic = Diagnostic(
            .inputEncoding, "\(shown): it is \(kind), not CSV, TSV or JSON")
        diagnostic.file = isNamed ? path : nil
        let command = reader(
            of: isNamed ? ShellWord.quoted(path) : "FILE", named: isNamed ? shown : "FILE")
        diagnostic.remedy = command.map { "read it from a pipe: \($0) | firn ... -" } ?? conversion
        return diagnostic
    }
}
