import FirnPlatform
import FirnTesting
import Glibc
import Testing

@Suite("Standard streams")
struct StandardStreamTests {
    @Test("Writing after the reader has gone throws brokenPipe")
    func brokenPipe() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0, dup2(ends[1], 1) == 1 else { exit(1) }
            close(ends[0])
            let bytes = [UInt8](repeating: 1, count: 10)
            let reason = code { try bytes.withUnsafeBytes { try StandardStream.output.write($0) } }
            guard reason == .brokenPipe else { exit(2) }
        }
    }

    @Test("A non-blocking stream receives all output")
    func nonBlocking() async {
        await #expect(processExitsWith: .success) {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0, dup2(ends[1], 1) == 1, dup2(ends[0], 0) == 0 else { exit(1) }
            _ = fcntl(0, F_SETFL, O_NONBLOCK)
            _ = fcntl(1, F_SETFL, O_NONBLOCK)
            let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
            let writer = try WorkerThread {
                _ = code { try bytes.withUnsafeBytes { try StandardStream.output.write($0) } }
                close(1)
            }
            close(ends[0])
            close(ends[1])
            var got: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 70_000)
            while true {
                let count = try buffer.withUnsafeMutableBytes {
                    try StandardStream.input.read(into: $0)
                }
                if count == 0 { break }
                got += buffer[..<count]
            }
            writer.join()
            guard got == bytes else { exit(2) }
        }
    }

    @Test("A pipe is not a terminal and has no columns")
    func pipes() async {
        await #expect(processExitsWith: .success) {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0, dup2(ends[1], 1) == 1 else { exit(1) }
            guard !StandardStream.output.isTerminal, StandardStream.output.windowColumns == nil,
                try StandardStream.output.status().kind == .other
            else { exit(2) }
        }
    }

    @Test("Writing to a full device throws diskFull")
    func fullDevice() async {
        await #expect(processExitsWith: .success) {
            guard dup2(open("/dev/full", O_WRONLY), 1) == 1 else { exit(1) }
            let reason = code { try [1].withUnsafeBytes { try StandardStream.output.write($0) } }
            guard reason == .diskFull else { exit(2) }
        }
    }

    @Test("A recorded signal ends the wait for input")
    func interruptedRead() async {
        await #expect(processExitsWith: .success) {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0, dup2(ends[0], 0) == 0 else { exit(1) }
            try Signals.install()
            // Once before the wait, once at any moment during it, on whichever thread receives it.
            let interrupter = try WorkerThread { kill(getpid(), SIGTERM) }
            var buffer = [UInt8](repeating: 0, count: 8)
            let reason = code {
                _ = try buffer.withUnsafeMutableBytes { try StandardStream.input.read(into: $0) }
            }
            interrupter.join()
            guard reason == .interrupted else { exit(2) }
        }
    }
}
