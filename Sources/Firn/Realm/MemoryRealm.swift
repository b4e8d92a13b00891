import FirnPlatform
import Foundation

/// Realms that live only as long as somebody uses them.
///
/// Each is a file of its process on a disk of memory, where the system has one. The process removes
/// it with the last use; what a process leaves that is killed, the next one removes.
enum MemoryRealm {
    /// No file that a user names begins so: what does may be removed.
    private static let prefix = ".firn-memory-"

    private static var folder: String {
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    }

    /// The file of a realm in memory of this process.
    static func path(_ identifier: String) -> String {
        let name = identifier.utf8.map { byte in
            let hexadecimal = String(byte, radix: 16)
            return hexadecimal.count == 1 ? "0" + hexadecimal : hexadecimal
        }.joined()
        return "\(folder)/\(prefix)\(ProcessInfo.processInfo.processIdentifier)-\(name).firn"
    }

    /// Removes the files of processes that do not run any more.
    ///
    /// - Parameter path: of a file that nobody has open in this process: if it is there, then from an
    ///   earlier process with the same number.
    static func removeLeftovers(besides path: String) {
        let folder = folder
        // Nothing depends on them: what cannot be removed only takes memory.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard name.hasPrefix(prefix), name.contains(".firn"),
                let pid = Int32(name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber })
            else { continue }
            if !RunningProcess.exists(pid) || "\(folder)/\(name)".hasPrefix(path) {
                try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
        }
    }
}
