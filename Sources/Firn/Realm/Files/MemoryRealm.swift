import FirnPlatform
import Foundation

/// Realms that live only as long as somebody uses them.
enum MemoryRealm {
    /// The file of a realm in memory: on a disk of memory where the system has one, and of this
    /// process alone.
    static func path(_ identifier: String) -> String {
        let name = identifier.utf8.map { byte in
            let hexadecimal = String(byte, radix: 16)
            return hexadecimal.count == 1 ? "0" + hexadecimal : hexadecimal
        }.joined()
        let folder =
            FileManager.default.isWritableFile(atPath: "/dev/shm")
            ? "/dev/shm" : NSTemporaryDirectory()
        return "\(folder)/firn-\(ProcessInfo.processInfo.processIdentifier)-\(name).firn"
    }
}
