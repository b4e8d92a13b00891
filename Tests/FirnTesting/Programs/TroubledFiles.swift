package import FirnPlatform
import Glibc

/// The event at one of a process's calls that change the disk.
package enum Trouble: Hashable, Sendable {
    /// The process dies before the call, as with `kill -9`.
    case kill
    /// The process dies in the middle of a write, or before any other call.
    case killHalfway
    /// The process stops before the call, as with Ctrl-Z, until it is continued.
    case stop
    /// The call fails.
    case fails(errno: Int32)
    /// This call and all later ones fail, except removals.
    case failsForGood(errno: Int32)
    /// From the start, no name in any folder can be created, changed or removed.
    case lockedFolder

    /// The name on the command line.
    package var word: String {
        switch self {
        case .kill: "kill"
        case .killHalfway: "kill-halfway"
        case .stop: "stop"
        case .fails(let errno): "fail-\(errno)"
        case .failsForGood(let errno): "always-\(errno)"
        case .lockedFolder: "locked-folder"
        }
    }

    package init?(word: String) {
        let number = word.split(separator: "-").last.flatMap { Int32($0) }
        switch (word, number) {
        case ("kill", _): self = .kill
        case ("kill-halfway", _): self = .killHalfway
        case ("stop", _): self = .stop
        case ("locked-folder", _): self = .lockedFolder
        case (_, let number?) where word.hasPrefix("fail-"): self = .fails(errno: number)
        case (_, let number?) where word.hasPrefix("always-"):
            self = .failsForGood(errno: number)
        default: return nil
        }
    }
}

/// The files of this machine, with a failure at one call.
///
/// The calls that change the disk are counted, from 1. For a real process that a test starts:
/// unlike a debugger or a tracer it works wherever the tests do.
package final class TroubledFiles: FileSystem {
    private let base: any FileSystem
    fileprivate let plan: TroublePlan

    package init(_ base: any FileSystem, _ trouble: Trouble, at ordinal: Int) {
        self.base = base
        plan = TroublePlan(trouble, ordinal)
    }

    /// Whether there were enough calls.
    package var hasHappened: Bool { plan.hasHappened }

    package func open(_ path: String, _ mode: OpenMode) throws(PlatformError) -> any File {
        if mode == .createNew { try plan.name("open", path) }
        return TroubledFile(try base.open(path, mode), plan)
    }

    package func resolvedPath(_ path: String) throws(PlatformError) -> String {
        try base.resolvedPath(path)
    }

    package func status(of path: String) throws(PlatformError) -> FileStatus? {
        try base.status(of: path)
    }

    package func remove(_ path: String) throws(PlatformError) {
        try plan.name("unlink", path, isRemoval: true)
        try base.remove(path)
    }

    package func rename(
        _ path: String, to newPath: String, replacing: Bool
    ) throws(PlatformError) {
        try plan.name("rename", path)
        try base.rename(path, to: newPath, replacing: replacing)
    }

    package func syncDirectory(holding path: String) throws(PlatformError) {
        try plan.call("fsync", path)
        try base.syncDirectory(holding: path)
    }

    package func sharedRegion(
        _ path: String, _ mode: OpenMode, words: Int
    ) throws(PlatformError) -> any SharedRegion {
        if mode == .createNew { try plan.name("open", path) }
        return try base.sharedRegion(path, mode, words: words)
    }

    package func volume(of path: String) throws(PlatformError) -> VolumeKind {
        try base.volume(of: path)
    }

    package func lockHolders(of file: FileIdentity) -> [LockHolder] {
        base.lockHolders(of: file)
    }
}

/// Counts the calls and causes the failure.
private final class TroublePlan: Sendable {
    private let trouble: Trouble
    private let ordinal: Int
    private let count = Guarded(0)

    init(_ trouble: Trouble, _ ordinal: Int) {
        self.trouble = trouble
        self.ordinal = ordinal
    }

    var hasHappened: Bool { count.withLock { $0 } >= ordinal }

    /// Called before each change of a name in a folder.
    func name(
        _ operation: String, _ path: String, isRemoval: Bool = false
    ) throws(PlatformError) {
        if isRemoval, case .failsForGood = trouble { return }
        if trouble == .lockedFolder {
            count.withLock { $0 += 1 }
            throw PlatformError(system: EACCES, operation: operation, path: path)
        }
        try call(operation, path)
    }

    /// Called before any other change.
    ///
    /// - Parameter half: does half of the call.
    func call(
        _ operation: String, _ path: String,
        half: () throws(PlatformError) -> Void = { () throws(PlatformError) in }
    ) throws(PlatformError) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        switch trouble {
        case .lockedFolder: break
        case .kill: if number == ordinal { die() }
        case .killHalfway:
            guard number == ordinal else { break }
            try half()
            die()
        case .stop: if number == ordinal { _ = kill(getpid(), SIGSTOP) }
        case .fails(let errno):
            guard number == ordinal else { break }
            try half()
            throw PlatformError(system: errno, operation: operation, path: path)
        case .failsForGood(let errno):
            guard number >= ordinal else { break }
            throw PlatformError(system: errno, operation: operation, path: path)
        }
    }

    private func die() -> Never {
        _ = kill(getpid(), SIGKILL)
        while true { pause() }
    }
}

private final class TroubledFile: File {
    private let base: any File
    private let plan: TroublePlan

    init(_ base: any File, _ plan: TroublePlan) {
        self.base = base
        self.plan = plan
    }

    var path: String { base.path }

    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int {
        try base.read(at: offset, into: buffer)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(PlatformError) {
        try plan.call("pwrite", path) { () throws(PlatformError) in
            try base.write(
                UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]), at: offset)
        }
        try base.write(bytes, at: offset)
    }

    func sync(_ kind: SyncKind) throws(PlatformError) {
        try plan.call("fdatasync", path)
        try base.sync(kind)
    }

    func truncate(to size: UInt64) throws(PlatformError) {
        try plan.call("ftruncate", path)
        try base.truncate(to: size)
    }

    func reserve(from start: UInt64, byteCount: UInt64) throws(PlatformError) -> Bool {
        try plan.call("fallocate", path)
        return try base.reserve(from: start, byteCount: byteCount)
    }

    func status() throws(PlatformError) -> FileStatus { try base.status() }

    func tryLock(_ range: LockRange, _ kind: LockKind) throws(PlatformError) -> Bool {
        try base.tryLock(range, kind)
    }

    func unlock(_ range: LockRange) throws(PlatformError) { try base.unlock(range) }

    func conflictingLock(
        in range: LockRange, _ kind: LockKind
    ) throws(PlatformError) -> LockRange? {
        try base.conflictingLock(in: range, kind)
    }
}

/// The output of a troubled program in addition to that of the command.
package enum TroubleReport {
    /// The last line of its errors if there were fewer calls.
    package static let untouched = "no trouble came"
}
