import FirnPlatform
import Glibc

/// Shared memory of a simulated machine.
///
/// Its words are the bytes of its file as all processes see them. They survive the death of
/// processes. A power loss may leave any mixture of them, because the system writes the pages of
/// such a file back at any time.
final class SimulatedSharedRegion: SharedRegion {
    static let wordBytes = MemoryLayout<UInt64>.size

    let path: String
    let identity: FileIdentity
    private let system: SimulatedFileSystem
    /// Kept open: mapped memory does not disappear.
    private let file: SimulatedFile
    private let words: Int
    private let isWritable: Bool

    init(
        system: SimulatedFileSystem, file: SimulatedFile, words: Int, isWritable: Bool
    ) throws(PlatformError) {
        let status = try file.status()
        guard status.size == UInt64(words * Self.wordBytes) else {
            throw PlatformError(system: EINVAL, operation: "mmap", path: file.path)
        }
        path = file.path
        identity = status.identity
        self.system = system
        self.file = file
        self.words = words
        self.isWritable = isWritable
    }

    func load(_ word: Int) -> UInt64 { access(.load, word) { value, _ in value } }

    func store(_ value: UInt64, at word: Int) {
        access(.store, word) { old, store in store(value) }
    }

    func exchange(_ expected: UInt64, for value: UInt64, at word: Int) -> Bool {
        access(.exchange, word) { old, store in
            guard old == expected else { return false }
            store(value)
            return true
        }
    }

    @discardableResult
    func add(_ value: UInt64, at word: Int) -> UInt64 {
        access(.add, word) { old, store in
            store(old &+ value)
            return old &+ value
        }
    }

    func wait(_ word: Int, while value: UInt32, nanoseconds: UInt64) {
        let isSame = access(.wait, word) { current, _ in
            UInt32(truncatingIfNeeded: current) == value
        }
        guard isSame else { return }
        // Nothing else runs between the comparison and the wait, as in the kernel.
        system.wait(for: SharedWord(inode: file.inode, number: word), nanoseconds: nanoseconds)
    }

    /// Each process has a core of its own.
    var currentCore: ProcessorCore? {
        ProcessorCore(number: UInt32(truncatingIfNeeded: system.process))
    }

    /// The moment is too short for any other thread to act.
    func watch(_ word: Int, while value: UInt64, nanoseconds: UInt64) -> Bool {
        load(word) != value
    }

    func wake(_ word: Int) {
        access(.wake, word) { _, _ in }
        system.scheduler?.wake(SharedWord(inode: file.inode, number: word))
    }

    /// One atomic access. A dead process reads zeros, and its stores are lost.
    private func access<Result: Sendable>(
        _ kind: SimulatedOperation.Kind, _ word: Int,
        _ body: (UInt64, (UInt64) -> Void) -> Result
    ) -> Result {
        precondition(word >= 0 && word < words, "a word outside of its shared memory")
        let changes = kind == .store || kind == .exchange || kind == .add
        precondition(isWritable || !changes, "shared memory that was opened for reading only")
        system.announce(SimulatedOperation(kind, path, offset: UInt64(word)))
        let (inode, process) = (file.inode, system.process)
        return system.disk.withLock { disk in
            let offset = word * Self.wordBytes
            // The file disappears when its last process has died, if it has no name.
            guard disk.isAlive(process) else { return body(0) { _ in } }
            let size = disk.inodes[inode]?.cached.count ?? 0
            precondition(offset + Self.wordBytes <= size, "SIGBUS: shared memory was cut off")
            var new: UInt64?
            let result = body(disk.inodes[inode]?.word(at: offset) ?? 0) { new = $0 }
            if let new { disk.inodes[inode]?.setWord(new, at: offset) }
            return result
        }
    }
}

/// A word to wait for, whatever mapping it is accessed through.
struct SharedWord: Hashable, Sendable {
    let inode: UInt64
    let number: Int
}
