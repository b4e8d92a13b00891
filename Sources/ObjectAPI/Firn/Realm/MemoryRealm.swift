import FirnPlatform
import FirnValues
import Foundation

/// Realms that exist only as long as they are in use.
///
/// Each is a file of its process, on a memory disk if the system has one. The process removes the
/// file after its last use. If a process is killed, the next one removes the files that it left.
enum MemoryRealm {
    /// A prefix that user-named files do not have.
    ///
    /// Files with this prefix may be removed.
    private static let prefix = ".firn-memory-"

    private static var folder: String {
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    }

    /// Returns the path of a realm in memory of this process.
    static func path(_ identifier: String) -> String {
        let name = identifier.utf8.map { byte in
            let hexadecimal = String(byte, radix: 16)
            return hexadecimal.count == 1 ? "0" + hexadecimal : hexadecimal
        }.joined()
        return "\(folder)/\(prefix)\(ProcessInfo.processInfo.processIdentifier)-\(name).firn"
    }

    /// Removes the files of processes that are no longer running.
    ///
    /// - Parameter path: The path of a file that is not open in this process. If the file exists,
    ///   an earlier process with the same number left it.
    static func removeLeftovers(besides path: String) {
        let folder = folder
        // A file that cannot be removed only uses memory, so errors are ignored.
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
