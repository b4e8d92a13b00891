import FirnValues

/// Binary inputs that users try; the error suggests a conversion.
enum ForeignInput: CaseIterable {
    case firn
    case sqlite
    case gzip
    case zstd
    case xz

    /// - Parameter beginning: the first bytes of an input.
    init?(beginning: [UInt8]) {
        let found = ForeignInput.allCases.first { beginning.starts(with: $0.signature) }
        guard let found else { return nil }
        self = found
    }

    private var signature: [UInt8] {
        switch self {
        case .firn: [0x89] + Array("FIRN".utf8)
        case .sqlite: Array("SQLite format 3\0".utf8)
        case .gzip: [0x1F, 0x8B]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        case .xz: [0xFD] + Array("7zXZ".utf8)
        }
    }

    private var kind: String {
        switch self {
        case .firn: "a Firn database"
        case .sqlite: "an SQLite database"
        case .gzip, .zstd, .xz: "compressed"
        }
    }

    /// Returns the command that converts the input to text.
    private func reader(of path: String) -> String {
        switch self {
        case .firn: "firn export \(path) -f ndjson"
        case .sqlite: "sqlite3 -csv -header \(path) 'SELECT * FROM ...'"
        case .gzip: "gzip -dc \(path)"
        case .zstd: "zstd -dc \(path)"
        case .xz: "xz -dc \(path)"
        }
    }

    /// - Parameter path: `-` for standard input.
    func diagnostic(_ path: String) -> Diagnostic {
        let isNamed = path != "-"
        let shown = isNamed ? SafeText.escaping(path) : "standard input"
        var diagnostic = Diagnostic(
            .inputEncoding, "\(shown): it is \(kind), not CSV, TSV or JSON")
        diagnostic.file = isNamed ? path : nil
        diagnostic.remedy =
            "read it from a pipe: \(reader(of: isNamed ? shown : "FILE")) | firn ... -"
        return diagnostic
    }
}
