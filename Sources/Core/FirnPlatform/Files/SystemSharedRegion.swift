import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Words at an address of this process: either a file mapped into every process that opens it, or
/// memory of this process alone.
///
/// A mapping outlives the name and the descriptor. This code base never changes the size of such a
/// file. If another program truncates it while it is mapped, this process reads zeros from then on,
/// and is not terminated by a signal.
final class SystemSharedRegion: SharedRegion {
    let path: String
    let identity: FileIdentity
    /// Accessed only by atomic calls.
    private nonisolated(unsafe) let base: UnsafeMutableRawPointer
    private let words: Int
    private let isWritable: Bool
    /// The object that keeps the memory.
    private let owner: any Sendable

    /// Maps a file.
    convenience init(_ path: String, _ mode: OpenMode, words: Int) throws(PlatformError) {
        precondition(words > 0 && words <= Int(Int32.max), "a region has words")
        let file = try SystemFileSystem.openRegular(path, mode, followsLinks: false)
        let byteCount = words * MemoryLayout<UInt64>.size
        if mode == .createNew { try SystemSharedRegion.fill(file, byteCount) }
        let status = try file.status()
        guard status.size == UInt64(byteCount) else {
            throw PlatformError(.other, operation: "mmap", path: path, errno: EINVAL)
        }
        let mapping = try FileMapping(file, byteCount, isWritable: mode != .readOnly)
        self.init(
            path: path, identity: status.identity, base: mapping.base, words: words,
            isWritable: mode != .readOnly, keeping: mapping)
    }

    /// - Parameters:
    ///   - base: the memory of the words, aligned to 8 bytes.
    ///   - owner: an object that keeps the memory.
    init(
        path: String, identity: FileIdentity, base: UnsafeMutableRawPointer, words: Int,
        isWritable: Bool, keeping owner: any Sendable
    ) {
        self.path = path
        self.identity = identity
        self.base = base
        self.words = words
        self.isWritable = isWritable
        self.owner = owner
    }

    /// Allocates the blocks of a new file, because touching a hole on a full disk would raise a
    /// signal.
    ///
    /// If that fails, the file is removed.
    private static func fill(_ file: SystemFile, _ byteCount: Int) throws(PlatformError) {
        let zeros = [UInt8](repeating: 0, count: min(byteCount, 1 << 16))
        var done = 0
        while done < byteCount {
            let reason: PlatformError? = zeros.withUnsafeBytes { bytes in
                let piece = UnsafeRawBufferPointer(
                    rebasing: bytes.prefix(byteCount - done))
                do throws(PlatformError) {
                    try file.write(piece, at: UInt64(done))
                    return nil
                } catch { return error }
            }
            if let reason {
                // If it cannot be removed, its size is wrong, and every process rejects it.
                unlink(file.path)
                throw reason
            }
            done += zeros.count
        }
    }

    // MARK: Words

    func load(_ word: Int) -> UInt64 { firn_word_load(address(word)) }

    func store(_ value: UInt64, at word: Int) { firn_word_store(writable(word), value) }

    func exchange(_ expected: UInt64, for value: UInt64, at word: Int) -> Bool {
        firn_word_exchange(writable(word), expected, value) != 0
    }

    @discardableResult
    func add(_ value: UInt64, at word: Int) -> UInt64 { firn_word_add(writable(word), value) }

    func wait(_ word: Int, while value: UInt32, nanoseconds: UInt64) {
        firn_word_wait(address(word), value, nanoseconds)
    }

    var currentCore: ProcessorCore? { ProcessorCore.current }

    func watch(_ word: Int, while value: UInt64, nanoseconds: UInt64) -> Bool {
        firn_word_watch(address(word), value, nanoseconds) != 0
    }

    func wake(_ word: Int) { firn_word_wake(address(word)) }

    private func address(_ word: Int) -> UnsafeMutableRawPointer {
        precondition(word >= 0 && word < words, "a word outside of its shared memory")
        return base + word * MemoryLayout<UInt64>.size
    }

    private func writable(_ word: Int) -> UnsafeMutableRawPointer {
        precondition(isWritable, "shared memory that was opened for reading only")
        return address(word)
    }
}

/// A file mapped into memory for the lifetime of this object.
private final class FileMapping: Sendable {
    nonisolated(unsafe) let base: UnsafeMutableRawPointer
    private let byteCount: Int

    init(_ file: SystemFile, _ byteCount: Int, isWritable: Bool) throws(PlatformError) {
        let protection = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
        guard let base = mmap(nil, byteCount, protection, MAP_SHARED, file.descriptor, 0),
            base != MAP_FAILED
        else { throw PlatformError(system: errno, operation: "mmap", path: file.path) }
        self.base = base
        self.byteCount = byteCount
        firn_words_guard(base, byteCount)
    }

    deinit {
        firn_words_unguard(base)
        munmap(base, byteCount)
    }
}
