import FirnPlatform
import Glibc

/// An open file of a simulated disk; it owns its locks.
final class SimulatedFile: File {
    let path: String
    private let system: SimulatedFileSystem
    let inode: UInt64
    private let handle: UInt64
    private let isWritable: Bool

    init(
        system: SimulatedFileSystem, inode: UInt64, handle: UInt64, path: String,
        isWritable: Bool
    ) {
        self.system = system
        self.inode = inode
        self.handle = handle
        self.path = path
        self.isWritable = isWritable
    }

    deinit {
        let handle = handle
        system.disk.withLock { $0.close(handle) }
    }

    // MARK: Transfers

    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int {
        let start = try position(offset, buffer.count, "pread")
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try transfer(from: start + done, into: rest)
            guard let count else { continue }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// One call of `pread`; `nil` if it was interrupted.
    private func transfer(
        from start: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int? {
        let inode = inode
        return try call(
            SimulatedOperation(.read, path, offset: UInt64(start), count: buffer.count)
        ) { disk, verdict throws(PlatformError) in
            var wanted = buffer.count
            if case .stops(let error, _) = verdict { throw error }
            if case .isInterrupted = verdict { return nil }
            if case .isShort = verdict { wanted = (wanted + 1) / 2 }
            let size = disk.inodes[inode]?.cached.count ?? 0
            let count = max(0, min(wanted, size - start))
            guard count > 0 else { return 0 }
            disk.inodes[inode]?.cached.withUnsafeBytes { bytes in
                buffer.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            }
            if case .flipsBit(let byte, let bit) = verdict {
                buffer[byte % count] ^= 1 << UInt8(bit % 8)
            }
            return count
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(PlatformError) {
        let start = try position(offset, bytes.count, "pwrite")
        guard isWritable else {
            throw PlatformError(system: EBADF, operation: "pwrite", path: path)
        }
        guard start + bytes.count <= SimulatedDisk.fileBytesMax else {
            throw PlatformError(system: EFBIG, operation: "pwrite", path: path)
        }
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try transfer(rest, to: start + done)
        }
    }

    /// One call of `pwrite`; 0 if it was interrupted.
    private func transfer(
        _ bytes: UnsafeRawBufferPointer, to start: Int
    ) throws(PlatformError) -> Int {
        let (inode, path) = (inode, path)
        return try call(
            SimulatedOperation(.write, path, offset: UInt64(start), count: bytes.count)
        ) { disk, verdict throws(PlatformError) in
            var place = start
            var count = bytes.count
            var error: PlatformError?
            switch verdict {
            case .proceeds, .flipsBit: break
            case .isInterrupted: return 0
            case .isLost: return count
            case .isShort: count = (count + 1) / 2
            case .isMisdirected(let distance): place = max(0, start + distance)
            case .stops(let reason, let part):
                error = reason
                count = part == .everything ? count : (part == .half ? count / 2 : 0)
            }
            let growth = place + count - max(place, disk.inodes[inode]?.allocatedCount ?? 0)
            if growth > disk.room {
                // As in the kernel: the part that fits is written, and the next call is refused.
                count -= growth - disk.room
                guard count > 0 else {
                    throw PlatformError(system: ENOSPC, operation: "pwrite", path: path)
                }
            }
            disk.inodes[inode]?.write(
                UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: place)
            if let error { throw error }
            return count
        }
    }

    /// Writes zeros at the start.
    func fill(_ count: Int) throws(PlatformError) {
        let reason: PlatformError? = [UInt8](repeating: 0, count: count).withUnsafeBytes { bytes in
            do throws(PlatformError) {
                try write(bytes, at: 0)
                return nil
            } catch { return error }
        }
        if let reason { throw reason }
    }

    // MARK: State

    func sync(_ kind: SyncKind) throws(PlatformError) {
        let inode = inode
        let process = system.process
        try whole(SimulatedOperation(.sync, path)) { disk, decision in
            if decision.happens {
                disk.inodes[inode]?.sync()
            } else if disk.isAlive(process) {
                disk.inodes[inode]?.failSync()
            }
        }
    }

    func truncate(to size: UInt64) throws(PlatformError) {
        let newSize = try position(size, 0, "ftruncate")
        guard isWritable else {
            throw PlatformError(system: EINVAL, operation: "ftruncate", path: path)
        }
        guard newSize <= SimulatedDisk.fileBytesMax else {
            throw PlatformError(system: EFBIG, operation: "ftruncate", path: path)
        }
        let inode = inode
        try whole(SimulatedOperation(.truncate, path, offset: size)) { disk, decision in
            if decision.happens { disk.inodes[inode]?.truncate(to: newSize) }
        }
    }

    /// On a full disk the first blocks of the range stay with the file, as on ext4.
    func reserve(from start: UInt64, byteCount: UInt64) throws(PlatformError) -> Bool {
        let first = try position(start, Int(clamping: byteCount), "fallocate")
        guard isWritable else {
            throw PlatformError(system: EBADF, operation: "fallocate", path: path)
        }
        let (inode, path) = (inode, path)
        let end = first + Int(byteCount)
        let operation = SimulatedOperation(.reserve, path, offset: start, count: Int(byteCount))
        let outcome = try whole(operation) { disk, decision -> Result<Bool, PlatformError> in
            guard decision.happens else { return .success(true) }
            guard disk.canReserve else { return .success(false) }
            let wanted = max(0, end - (disk.inodes[inode]?.allocatedCount ?? 0))
            let room = disk.room
            disk.inodes[inode]?.reserve(through: end - max(0, wanted - room))
            guard wanted <= room else {
                return .failure(
                    PlatformError(system: ENOSPC, operation: "fallocate", path: path))
            }
            return .success(true)
        }
        return try outcome.get()
    }

    func status() throws(PlatformError) -> FileStatus {
        let inode = inode
        return try whole(SimulatedOperation(.status, path)) { disk, _ in disk.status(of: inode) }
    }

    // MARK: Locks

    func tryLock(_ range: LockRange, _ kind: LockKind) throws(PlatformError) -> Bool {
        try check(range)
        guard isWritable || kind == .shared else {
            throw PlatformError(system: EBADF, operation: "fcntl", path: path)
        }
        let (inode, handle, process) = (inode, handle, system.process)
        return try whole(SimulatedOperation(.lock, path)) { disk, decision in
            decision.happens
                && disk.locks.take(range, kind, owner: handle, process: process, inode: inode)
        }
    }

    func unlock(_ range: LockRange) throws(PlatformError) {
        try check(range)
        let (inode, handle) = (inode, handle)
        try whole(SimulatedOperation(.lock, path)) { disk, decision in
            if decision.happens { disk.locks.release(range, owner: handle, inode: inode) }
        }
    }

    func conflictingLock(
        in range: LockRange, _ kind: LockKind
    ) throws(PlatformError) -> LockRange? {
        try check(range)
        let (inode, handle) = (inode, handle)
        return try whole(SimulatedOperation(.lock, path)) { disk, _ in
            disk.locks.conflict(in: range, kind, owner: handle, inode: inode)
        }
    }

    // MARK: Calls

    private func call<Result: Sendable>(
        _ operation: SimulatedOperation,
        _ body: (inout SimulatedDisk, SimulatedDisk.Verdict) throws(PlatformError) -> Result
    ) throws(PlatformError) -> Result {
        system.announce(operation)
        let process = system.process
        return try system.disk.withLock { disk throws(PlatformError) in
            let verdict = disk.begin(operation, process: process)
            return try body(&disk, verdict)
        }
    }

    /// A call that happens entirely or not at all.
    private func whole<Result: Sendable>(
        _ operation: SimulatedOperation,
        _ body: (inout SimulatedDisk, (happens: Bool, error: PlatformError?)) -> Result
    ) throws(PlatformError) -> Result {
        system.announce(operation)
        let process = system.process
        return try system.disk.withLock { disk throws(PlatformError) in
            let decision = disk.decide(operation, process: process)
            let result = body(&disk, decision)
            if let error = decision.error { throw error }
            return result
        }
    }

    private func check(_ range: LockRange) throws(PlatformError) {
        guard range.isValid else {
            throw PlatformError(system: EINVAL, operation: "fcntl", path: path)
        }
    }

    /// The offset in the range that the kernel takes.
    private func position(
        _ offset: UInt64, _ count: Int, _ operation: String
    ) throws(PlatformError) -> Int {
        guard let start = Int(exactly: offset), count <= Int.max - start else {
            throw PlatformError(system: EFBIG, operation: operation, path: path)
        }
        return start
    }
}
