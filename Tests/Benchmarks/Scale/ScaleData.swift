import FirnPlatform
import FirnTesting

/// The rows of `lineitem.csv` in other numbers: a prefix of the file, or several copies of it, in
/// each of which the order keys are others.
///
///     copy 0        1,155190,7706,...
///     copy 1  6000001,155190,7706,...
struct ScaleData {
    /// The largest order key of scale factor 1, and so the distance between the keys of two copies.
    private static let orderKeyMax: UInt64 = 6_000_000
    private static let chunkByteCount = 4 << 20

    let rowCount: Int
    let csv: String

    /// Writes the file, unless it exists.
    ///
    /// - Parameter folder: holds `lineitem.csv`, and gets `lineitem-ROWS.csv`.
    init(rowCount: Int, in folder: String) throws {
        self.rowCount = rowCount
        csv = "\(folder)/lineitem-\(rowCount).csv"
        let files = SystemFileSystem()
        guard try files.status(of: csv) == nil else { return }
        Console.note("writing \(csv)")
        let source = try files.open("\(folder)/lineitem.csv", .readOnly)
        let unfinished = csv + ".part"
        if try files.status(of: unfinished) != nil { try files.remove(unfinished) }
        var copier = LineCopier(source, to: try files.open(unfinished, .createNew))
        try copier.copy(rowCount, keyStep: Self.orderKeyMax, chunkByteCount: Self.chunkByteCount)
        try files.rename(unfinished, to: csv, replacing: true)
    }
}

/// Copies lines of a CSV file with a header, from its beginning again after its end.
private struct LineCopier {
    private let source: any File
    private let output: any File
    private var outputOffset: UInt64 = 0
    private var written: [UInt8] = []

    init(_ source: any File, to output: any File) {
        self.source = source
        self.output = output
    }

    mutating func copy(_ lineCount: Int, keyStep: UInt64, chunkByteCount: Int) throws {
        var chunk = [UInt8](repeating: 0, count: chunkByteCount)
        var rest: [UInt8] = []
        var offset: UInt64 = 0
        var copyNumber: UInt64 = 0
        // The header is a line, too, but only of the first copy.
        var remaining = lineCount + 1
        var skipsLine = false
        while remaining > 0 {
            let count = try chunk.withUnsafeMutableBytes { try source.read(at: offset, into: $0) }
            offset += UInt64(count)
            if count == 0 {
                guard remaining <= lineCount else {
                    throw ProgramError("\(source.path) has no rows")
                }
                (offset, copyNumber, skipsLine) = (0, copyNumber + 1, true)
                continue
            }
            rest += chunk[..<count]
            var start = 0
            while remaining > 0, let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                if !skipsLine {
                    append(rest[start...end], addingToKey: copyNumber * keyStep)
                    remaining -= 1
                }
                skipsLine = false
                start = end + 1
            }
            rest.removeFirst(start)
            try flush()
        }
    }

    private mutating func append(_ line: ArraySlice<UInt8>, addingToKey distance: UInt64) {
        guard distance > 0, let comma = line.firstIndex(of: UInt8(ascii: ",")),
            let key = UInt64(String(decoding: line[..<comma], as: UTF8.self))
        else {
            written += line
            return
        }
        written += String(key + distance).utf8
        written += line[comma...]
    }

    private mutating func flush() throws {
        try written.withUnsafeBytes { try output.write($0, at: outputOffset) }
        outputOffset += UInt64(written.count)
        written.removeAll(keepingCapacity: true)
    }
}
