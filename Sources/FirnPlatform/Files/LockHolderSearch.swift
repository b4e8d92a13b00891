#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Looks through the processes of the machine for locks on one file.
///
/// The kernel has no call for it: a lock of an open file has no process, because processes can
/// share an open file. What `/proc` shows of each descriptor is all there is. Processes of other
/// users, and of other containers, stay invisible; macOS shows nothing.
struct LockHolderSearch {
    /// No message names more.
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
        // A lock of an open file that has two descriptors is shown with both.
        return Set(locks).sorted {
            ($0.range.start, $0.range.length) < ($1.range.start, $1.range.length)
        }.map {
            LockHolder(
                pid: pid, command: process.command, ageSeconds: process.ageSeconds,
                isStopped: process.isStopped, range: $0.range, kind: $0.kind,
                isThisProcess: isThisProcess)
        }
    }

    /// The locks behind one descriptor, if it leads to our file.
    ///
    /// The file itself is asked last, and only if there are locks: a stranger's file may lie on a
    /// server that has gone, where every question hangs.
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
