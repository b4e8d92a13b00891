package import FirnCodec
import FirnPlatform
package import FirnValues

/// The rows of a statement: in memory as long as they fit into its share, then in a temporary file.
///
/// The file is created for the first block that does not fit. It has no name, so it disappears with this
/// instance, even if the process is killed. Several threads may use it.
package final class SpillFile: Sendable {
    /// Vectors that were stored together.
    package enum Block: Hashable, Sendable {
        case memory(Int)
        /// The location of the bytes, and their expected content.
        case disk(Range<UInt64>, checksum: UInt64)
    }

    private struct State {
        var file: (any File)?
        /// The offset of the next block in the file.
        var end: UInt64 = 0
        /// The blocks in memory, by their numbers.
        var kept: [Int: [ColumnVector]] = [:]
        var keptByteCount = 0
        var nextNumber = 0
    }

    private let path: String
    private let services: SystemServices
    private let memoryByteCount: Int
    private let state = Guarded(State())

    /// Creates the place for a statement on a database.
    ///
    /// - Parameter memoryByteCount: the memory that blocks may take.
    init(of path: String, services: SystemServices, memoryByteCount: Int = 0) {
        self.path = path
        self.services = services
        self.memoryByteCount = memoryByteCount
    }

    /// Stores vectors together; they must not contain collections.
    ///
    /// - Throws: ``StoreError`` with `permissionDenied`, `diskFull` or `inputOutput`.
    package func append(_ vectors: [ColumnVector]) throws(StoreError) -> Block {
        let byteCount = vectors.reduce(0) { $0 + $1.allocatedByteCount }
        let kept = state.withLock { state -> Block? in
            guard byteCount <= memoryByteCount - state.keptByteCount else { return nil }
            state.keptByteCount += byteCount
            state.nextNumber += 1
            state.kept[state.nextNumber] = vectors
            return .memory(state.nextNumber)
        }
        if let kept { return kept }
        var writer = ByteWriter(
            reserving: vectors.reduce(0) { $0 + $1.valueByteCount + 8 })
        for vector in vectors { vector.write(to: &writer) }
        return try append(writer.bytes)
    }

    /// Releases the memory of a block that is not read again.
    package func release(_ block: Block) {
        guard case .memory(let number) = block else { return }
        let released = state.withLock { state in
            let vectors = state.kept.removeValue(forKey: number) ?? []
            state.keptByteCount -= vectors.reduce(0) { $0 + $1.allocatedByteCount }
            return vectors
        }
        // The memory is freed here, after the lock.
        _ = consume released
    }

    /// Reads the vectors of a block.
    ///
    /// - Throws: ``StoreError`` with `corrupt` if they are not those that were written, or
    ///   `inputOutput`.
    package func vectors(
        of block: Block, _ kinds: [ValueTag]
    ) throws(StoreError) -> [ColumnVector] {
        if case .memory(let number) = block {
            guard let vectors = state.withLock({ $0.kept[number] }) else {
                preconditionFailure("a block that was released")
            }
            return vectors
        }
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
        let (file, start) = try place(of: bytes.count)
        try attempt(file.write(bytes, at: start), to: "write rows to a temporary file")
        return .disk(
            start..<start + UInt64(bytes.count),
            checksum: bytes.withUnsafeBytes { Checksum.xxh64($0, seed: start) })
    }

    /// Allocates room in the file, which is created on first access.
    private func place(
        of byteCount: Int
    ) throws(StoreError) -> (file: any File, start: UInt64) {
        try state.withLock { state throws(StoreError) in
            let file: any File
            if let made = state.file {
                file = made
            } else {
                file = try SpillFile.unnamed(
                    beside: SpillFile.location(path, services.files), services: services)
                state.file = file
            }
            defer { state.end += UInt64(byteCount) }
            return (file, state.end)
        }
    }

    /// Reads the bytes of a block on disk.
    func read(_ block: Block) throws(StoreError) -> [UInt8] {
        guard case .disk(let range, let checksum) = block, let file = state.withLock({ $0.file })
        else { throw damaged }
        var bytes = [UInt8](repeating: 0, count: Int(clamping: range.count))
        let count = try attempt(
            bytes.withUnsafeMutableBufferPointer { buffer throws(PlatformError) in
                try file.read(
                    at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
            }, to: "read rows from a temporary file")
        guard count == bytes.count,
            bytes.withUnsafeBytes({ Checksum.xxh64($0, seed: range.lowerBound) }) == checksum
        else { throw damaged }
        return bytes
    }

    /// The error for bytes that differ from the bytes written.
    package var damaged: StoreError {
        .corrupt(
            state.withLock { $0.file?.path } ?? path,
            "a temporary file changed while it was read")
    }

    /// Creates a temporary file and unlinks it.
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
