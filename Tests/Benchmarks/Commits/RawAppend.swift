import FirnPlatform
import FirnTesting

/// The lower bound of a commit: a record of the size of a commit's frame, written after the
/// previous one into space filled with zeros, and one sync of the data.
final class RawAppend: Committer {
    let name = "raw"
    /// About the size of the frame of a commit that creates one object.
    private static let recordByteCount = 192
    private static let fileByteCount: UInt64 = 16 << 20

    private let file: any File
    private let record = [UInt8](repeating: 0x5A, count: recordByteCount)
    private var end: UInt64 = 0

    init(_ path: String) throws {
        file = try SystemServices.real.files.open(path, .createNew)
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        for offset in stride(from: 0, to: RawAppend.fileByteCount, by: zeros.count) {
            try zeros.withUnsafeBytes { try file.write($0, at: offset) }
        }
        try file.sync(.full)
    }

    func samples(_ work: CommitWork, count: Int) throws -> [UInt64] {
        guard work == .create || work == .update else { return [] }
        return try (0..<count).map { _ in try Stopwatch.time(append) }
    }

    /// Writes a record and syncs it.
    func append() throws {
        try record.withUnsafeBytes { try file.write($0, at: end) }
        try file.sync(.data)
        end += UInt64(record.count)
        if end + UInt64(record.count) > RawAppend.fileByteCount { end = 0 }
    }
}
