package import FirnPlatform
import Glibc

/// A file system in memory whose power can fail at any operation.
///
/// # Assumptions about disks
///
/// - A **process that dies** releases its locks. The page cache stays: every other process, and the
///   next one, reads all written data, synced or not.
/// - A **power loss** clears the page cache. Data that a successful sync covered is kept, byte for
///   byte. Every other sector of 512 bytes has its own fate, because the system writes pages back
///   in any order and a drive writes its cache in any order: it has the old bytes, the new ones,
///   ones that it had in between, or it is torn at any byte, with the new part at the start or at
///   the end. Bytes of a sector that no write touched keep their values even then (power-safe
///   overwrite).
/// - The **size** is metadata. Growth that was not synced is lost, kept, or kept in part; where it
///   is kept without the data, the file has zeros, or with ``PowerLoss/leftovers(seed:)`` the
///   former content of the space. A truncation that was not synced may be undone.
/// - A **name** is durable only after its folder was synced, even if the file itself was. Each
///   creation, removal and rename is kept or lost on its own, but a rename is never half done: the
///   new name leads to one of the two files at every moment.
/// - A **sync that fails** may have written nothing, and the system still considers the data
///   clean: a later sync that succeeds does not write it. It stays readable until the cache is
///   dropped (``dropCleanCache()``).
/// - **Locks** have the rules of OFD locks; each handle is an owner.
///
/// Data that the device acknowledged as synced is never lost here; a drive that lies is simulated
/// with the ``Fault/Effect/losesWrite`` and ``Fault/Effect/misdirects(by:)`` faults.
///
/// Everything that changes the disk is counted (``operationCount``), which makes every moment of a
/// run addressable: ``crash(at:applying:)`` stops the machine there, and ``powerLossImage(_:)`` or
/// ``processDeathImage()`` make the disk that the next start finds.
///
/// Paths are those of a fresh machine: the folders `/` and `.` exist, others are made with
/// ``makeFolder(_:)``.
package final class SimulatedFileSystem: FileSystem {
    let disk: Guarded<SimulatedDisk>
    /// The process that makes these calls; a machine has several processes over one disk.
    let process: UInt64
    private let environment: Guarded<SimulatedEnvironment>

    /// An empty disk.
    package convenience init(capacity: Int? = nil) {
        var state = SimulatedDisk()
        state.capacity = capacity
        self.init(state: state)
    }

    convenience init(state: SimulatedDisk) {
        self.init(disk: Guarded(state), process: 0, environment: Guarded(SimulatedEnvironment()))
    }

    private init(
        disk: Guarded<SimulatedDisk>, process: UInt64,
        environment: Guarded<SimulatedEnvironment>
    ) {
        self.disk = disk
        self.process = process
        self.environment = environment
    }

    /// Another process of the same machine over the same disk.
    package func anotherProcess() -> SimulatedFileSystem {
        let number = disk.withLock { $0.takeNumber() }
        return SimulatedFileSystem(disk: disk, process: number, environment: environment)
    }

    /// Kills this process like `kill -9`: its locks are released and its handles are useless.
    ///
    /// - Parameter part: the part of its next operation on the disk that still happens.
    package func kill(applying part: AppliedPart = .nothing) {
        let process = process
        disk.withLock { $0.kill(process, applying: part) }
    }

    /// Whether this process is alive.
    package var isAlive: Bool {
        let process = process
        return disk.withLock { $0.isAlive(process) }
    }

    // MARK: Environment

    /// Calls the closure before every operation, outside of all locks of the disk, so that a test
    /// can let another process act in between.
    ///
    /// `nil` ends that.
    package func beforeEachOperation(_ hook: (@Sendable (SimulatedOperation) -> Void)?) {
        environment.withLock { $0.hook = hook }
    }

    /// Runs the body with another closure before every operation; also from within such a closure.
    package func beforeEachOperation<Result>(
        _ hook: @escaping @Sendable (SimulatedOperation) -> Void, of work: () throws -> Result
    ) rethrows -> Result {
        let outer = environment.withLock { $0.hook }
        beforeEachOperation(hook)
        defer { beforeEachOperation(outer) }
        return try work()
    }

    /// Runs a body in which this process dies before it makes a logged commit durable.
    package func dieBeforeSyncOfLog(_ work: () -> Void) {
        beforeEachOperation(
            { [self] operation in
                if operation.kind == .sync, operation.path.contains("-log") { kill() }
            }, of: work)
    }

    /// Lets a scheduler choose the next thread at every operation of every process.
    func setScheduler(_ scheduler: ProcessScheduler) {
        environment.withLock { $0.scheduler = scheduler }
    }

    /// Makes waits on shared memory without a scheduler advance a clock.
    func waits(on clock: any Clock) { environment.withLock { $0.clock = clock } }

    var scheduler: ProcessScheduler? { environment.withLock { $0.scheduler } }

    func announce(_ operation: SimulatedOperation) {
        let (hook, scheduler) = environment.withLock { ($0.hook, $0.scheduler) }
        hook?(operation)
        scheduler?.pass(operation)
    }

    /// Advances time for a thread that waits for a word.
    func wait(for word: SharedWord, nanoseconds: UInt64) {
        let (clock, scheduler) = environment.withLock { ($0.clock, $0.scheduler) }
        if let scheduler, scheduler.lock.withLock({ scheduler.isRunning }) {
            scheduler.wait(for: word, nanoseconds: nanoseconds)
        } else {
            // Nothing else runs here, so there is no wake-up.
            clock?.sleep(nanoseconds: min(nanoseconds, SimulatedEnvironment.waitMax))
        }
    }

    // MARK: FileSystem

    package func open(_ path: String, _ mode: OpenMode) throws(PlatformError) -> any File {
        try openFile(path, mode)
    }

    private func openFile(
        _ path: String, _ mode: OpenMode
    ) throws(PlatformError) -> SimulatedFile {
        let kind: SimulatedOperation.Kind = mode == .createNew ? .create : .open
        let operation = SimulatedOperation(kind, path)
        announce(operation)
        let process = process
        let opened = try disk.withLock { disk throws(PlatformError) in
            let key = try SimulatedFileSystem.key(path, "open")
            try disk.checkOpening(key, path, mode)
            let decision = disk.decide(operation, process: process)
            if decision.happens { disk.createIfNew(key, mode) }
            if let error = decision.error { throw error }
            guard let inode = disk.names.current[key] else {
                throw PlatformError(system: ENOENT, operation: "open", path: path)
            }
            return (inode: inode, handle: disk.open(inode, process: process))
        }
        return SimulatedFile(
            system: self, inode: opened.inode, handle: opened.handle, path: path,
            isWritable: mode != .readOnly)
    }

    package func resolvedPath(_ path: String) throws(PlatformError) -> String {
        try SimulatedFileSystem.key(path, "realpath")
    }

    package func status(of path: String) throws(PlatformError) -> FileStatus? {
        let operation = SimulatedOperation(.status, path)
        announce(operation)
        let process = process
        return try disk.withLock { disk throws(PlatformError) in
            let key = try SimulatedFileSystem.key(path, "stat")
            if let error = disk.decide(operation, process: process).error { throw error }
            return disk.status(ofName: key)
        }
    }

    package func remove(_ path: String) throws(PlatformError) {
        let operation = SimulatedOperation(.remove, path)
        announce(operation)
        let process = process
        try disk.withLock { disk throws(PlatformError) in
            let key = try SimulatedFileSystem.key(path, "unlink")
            let inode = try disk.inodeToChange(key, path, "unlink")
            let decision = disk.decide(operation, process: process)
            if decision.happens {
                disk.names.remove(key, inode)
                disk.dropIfUnreachable(inode)
            }
            if let error = decision.error { throw error }
        }
    }

    package func rename(
        _ path: String, to newPath: String, replacing: Bool
    ) throws(PlatformError) {
        let operation = SimulatedOperation(.rename, path)
        announce(operation)
        let process = process
        try disk.withLock { disk throws(PlatformError) in
            let key = try SimulatedFileSystem.key(path, "rename")
            let newKey = try SimulatedFileSystem.key(newPath, "rename")
            let inode = try disk.inodeToChange(key, path, "rename")
            try disk.checkNewName(newKey, newPath, for: key, replacing: replacing)
            let decision = disk.decide(operation, process: process)
            if decision.happens, key != newKey {
                disk.names.rename(key, to: newKey, inode)
            }
            if let error = decision.error { throw error }
        }
    }

    package func syncDirectory(holding path: String) throws(PlatformError) {
        let operation = SimulatedOperation(.syncDirectory, path)
        announce(operation)
        let process = process
        try disk.withLock { disk throws(PlatformError) in
            let folder = SimulatedNames.folder(of: try SimulatedFileSystem.key(path, "fsync"))
            guard disk.names.folders.contains(folder) else {
                throw PlatformError(system: ENOENT, operation: "open", path: folder)
            }
            let decision = disk.decide(operation, process: process)
            if decision.happens {
                disk.names.sync(folder)
            } else if decision.error != nil, disk.isAlive(process) {
                disk.names.failSync(folder)
            }
            if let error = decision.error { throw error }
        }
    }

    package func sharedRegion(
        _ path: String, _ mode: OpenMode, words: Int
    ) throws(PlatformError) -> any SharedRegion {
        let file = try openFile(path, mode)
        if mode == .createNew {
            do throws(PlatformError) {
                try file.fill(words * SimulatedSharedRegion.wordBytes)
            } catch {
                // If it cannot be removed either, it stays with a size that every process refuses.
                try? remove(path)
                throw error
            }
        }
        return try SimulatedSharedRegion(
            system: self, file: file, words: words, isWritable: mode != .readOnly)
    }

    package func volume(of path: String) throws(PlatformError) -> VolumeKind {
        let folder = SimulatedNames.folder(of: try SimulatedFileSystem.key(path, "statfs"))
        return try disk.withLock { disk throws(PlatformError) in
            guard disk.names.folders.contains(folder) else {
                throw PlatformError(system: ENOENT, operation: "statfs", path: folder)
            }
            return disk.volume
        }
    }

    package func lockHolders(of file: FileIdentity) -> [LockHolder] {
        disk.withLock { $0.lockHolders }
    }

    /// The canonical spelling of a path; throws for a path that C would cut short.
    static func key(_ path: String, _ operation: String) throws(PlatformError) -> String {
        guard !path.utf8.contains(0) else {
            throw PlatformError(.invalidPath, operation: operation, path: path)
        }
        guard !path.isEmpty else {
            throw PlatformError(system: ENOENT, operation: operation, path: path)
        }
        return SimulatedNames.normal(path)
    }
}

/// The environment of a simulated disk.
private struct SimulatedEnvironment {
    /// Waits without an end would advance a clock past its range.
    static let waitMax: UInt64 = 3_600_000_000_000

    var hook: (@Sendable (SimulatedOperation) -> Void)?
    weak var scheduler: ProcessScheduler?
    var clock: (any Clock)?
}
