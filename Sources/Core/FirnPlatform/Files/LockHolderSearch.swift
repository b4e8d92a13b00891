import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Searches the processes of the machine for locks on one file.
///
/// The kernel has no call for this: an open-file lock belongs to no process, because processes can
/// share an open file. The only source is `/proc`, which lists the locks of each descriptor.
/// Processes of other users and of other containers are invisible, and macOS shows none.
struct LockHolderSearch {
    /// The maximum number of holders, because no message names more.
    private static let holdersMax = 256
    private static let descriptorsMax = 65_536
    private static let descriptionBytesMax = 1 << 16

    let file: FileIdentity

    func holders() -> [LockHolder] {
        #if os(Linux)
        var found: [LockHolder] = []
        for name in ProcFolder.names(in: "/proc", max: .max) {
            guard let pid = Int32(name), found.count < Self.holdersMax else { continue }
            found += holders(pid)
        }
        return Array(found.prefix(Self.holdersMax))
        #else
        return []
        #endif
    }

    #if os(Linux)
    private func holders(_ pid: Int32) -> [LockHolder] {
        var locks: [HeldLock] = []
        for name in ProcFolder.names(in: "/proc/\(pid)/fd", max: Self.descriptorsMax) {
            locks += self.locks(pid, descriptor: name)
        }
        guard !locks.isEmpty, let process = ProcessStatus(pid: pid) else { return [] }
        let isThisProcess = pid == getpid()
        // A lock is listed with every descriptor of its open file.
        return Set(locks).sorted {
            ($0.range.start, $0.range.length) < ($1.range.start, $1.range.length)
        }.map {
            LockHolder(
                pid: pid, command: process.command, ageSeconds: process.ageSeconds,
                isStopped: process.isStopped, range: $0.range, kind: $0.kind,
                isThisProcess: isThisProcess)
        }
    }

    /// Returns the locks of one descriptor, if it refers to the file.
    ///
    /// The file itself is queried last, and only if there are locks. Another process's file may be
    /// on an unreachable server, where every query hangs.
    private func locks(_ pid: Int32, descriptor: String) -> [HeldLock] {
        guard
            let text = ProcFolder.text(
                "/proc/\(pid)/fdinfo/\(descriptor)", bytesMax: Self.descriptionBytesMax),
            text.contains("OFDLCK")
        else { return [] }
        let locks = text.split(separator: "\n").compactMap { HeldLock(line: $0) }
        guard !locks.isEmpty else { return [] }
        let status = try? SystemFileSystem().status(of: "/proc/\(pid)/fd/\(descriptor)")
        return status?.identity == file ? locks : []
    }
    #endif
}
