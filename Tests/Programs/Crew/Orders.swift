import FirnPlatform
import Glibc

/// Orders from the process that started this one: `stop`, or nothing.
///
/// The end of the input means that the parent has gone: then this process ends at once, so that no
/// member of a crew is ever left behind.
final class Orders: Sendable {
    private let isStopAsked = Guarded(false)
    private let listener: WorkerThread

    init() throws {
        let asked = isStopAsked
        listener = try WorkerThread {
            var byte: UInt8 = 0
            var line: [UInt8] = []
            while true {
                let count = read(0, &byte, 1)
                if count < 0, errno == EINTR { continue }
                guard count == 1 else { _exit(3) }
                line.append(byte)
                if line == Array("stop\n".utf8) { asked.withLock { $0 = true } }
                if byte == UInt8(ascii: "\n") { line = [] }
            }
        }
    }

    /// Whether the work should end.
    var stop: Bool { isStopAsked.withLock { $0 } }
}
