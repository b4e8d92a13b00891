package import FirnCodec
import FirnPlatform
package import FirnValues

/// A temporary file for the rows of a statement that do not fit into memory.
///
/// The file has no name, so it disappears with this instance, even if the process is killed. Several
/// threads may use it.
package final class SpillFile: Sendable {
    /// The place of some bytes, and what they must be.
    package struct Block: Hashable, Sendable {
        let range: Range<UInt64>
        let checksum: UInt64
    }

    private let file: any File
    /// The offset of the next block.
    private let end = Guarded(UInt64(0))

    /// Creates the file for a statement on a database.
    init(of path: String, services: SystemServices) throws(StoreError) {
        file = try SpillFile.unnamed(
            beside: SpillFile.location(path, services.files), services: services)
    }

    /// Writes vectors, one after the other.
    ///
    /// - Throws: ``StoreError`` with `diskFull` or `inputOutput`.
    package func append(_ vectors: [ColumnVector]) throws(StoreError) -> Block {
        var writer = ByteWriter(reserving: vectors.reduce(0) { $0 + $1.valueByteCount + 8 })
        for vector in vectors { vector.write(to: &writer) }
        return try append(writer.bytes)
    }

    /// Reads the vectors of a block.
    ///
    /// - Throws: ``StoreError`` with `corrupt` if they are not those that were written, or
    ///   `inputOutput`.
    package func vectors(
        of block: Block, _ kinds: [ValueTag]
    ) throws(StoreError) -> [ColumnVector] {
        let bytes = try read(block)
        do throws(CodecError) {
            return try bytes.withBytes { bytes throws(CodecError) in
                var reader = ByteReader(bytes)
                var vectors: [ColumnVector] = []
                for kind in kinds { vectors.append(try ColumnVector(kind: kind, from: &reader)) }
                try reader.finish()
                return vectors
            }
        } catch { throw damaged }
    }

    /// Writes bytes.
    func append(_ bytes: [UInt8]) throws(StoreError) -> Block {
        let start = end.withLock { end in
            defer { end += UInt64(bytes.count) }
            return end
        }
        try attempt(file.write(bytes, at: start), to: "write rows to a temporary file")
        return Block(
            range: start..<start + UInt64(bytes.count),
            checksum: bytes.withUnsafeBytes { Checksum.xxh64($0, seed: start) })
    }

    /// Reads the bytes of a block.
    func read(_ block: Block) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(clamping: block.range.count))
        let (file, start) = (file, block.range.lowerBound)
        let count = try attempt(
            bytes.withUnsafeMutableBufferPointer { buffer throws(PlatformError) in
                try file.read(at: start, into: UnsafeMutableRawBufferPointer(buffer))
            }, to: "read rows from a temporary file")
        guard count == bytes.count,
            bytes.withUnsafeBytes({ Checksum.xxh64($0, seed: start) }) == block.checksum
        else { throw damaged }
        return bytes
    }

    /// The error for bytes that are not those that were written.
    package var damaged: StoreError {
        .corrupt(file.path, "a temporary file changed while it was read")
    }

    /// Creates a file whose name is removed at once.
    static func unnamed(
        beside path: String, services: SystemServices
    ) throws(StoreError) -> any File {
        let name = TemporaryName.beside(path, extension: "sort", services.entropy)
        do throws(PlatformError) {
            let file = try services.files.open(name, .createNew)
            try services.files.remove(name)
            return file
        } catch {
            throw StoreError(error, doing: "create a temporary file")
        }
    }

    /// Returns a path in the folder that `TMPDIR` names, or in `/var/tmp`; beside the database if
    /// neither exists.
    ///
    /// `/tmp` is not used, because it is often in memory.
    static func location(_ path: String, _ files: any FileSystem) -> String {
        for folder in [Environment.variable("TMPDIR"), "/var/tmp"] {
            guard let folder, !folder.isEmpty, (try? files.status(of: folder)) != nil else {
                continue
            }
            return folder + "/firn"
        }
        return path
    }
}
