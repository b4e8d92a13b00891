import FirnPlatform
import FirnTesting
import Glibc
import Testing

@Suite("Named pipes")
struct InputPipeTests {
    private func readAll(_ pipe: InputPipe) throws -> [UInt8] {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 3)
        while true {
            let count = try piece.withUnsafeMutableBytes { try pipe.read(into: $0) }
            guard count > 0 else { return all }
            all += piece.prefix(count)
        }
    }

    @Test("A FIFO is read to its end, even if its writer opens it after the reader")
    func lateWriter() throws {
        let folder = TemporaryFolder()
        let path = folder("fifo")
        mkfifo(path, 0o600)
        let pipe = try InputPipe(path)
        // A thread of its own: opening blocks, and the threads of tests are few.
        let writer = try WorkerThread {
            let descriptor = open(path, O_WRONLY)
            write(descriptor, "seven", 5)
            write(descriptor, "!!", 2)
            close(descriptor)
        }
        let read = try readAll(pipe)
        writer.join()
        #expect(read == Array("seven!!".utf8))
    }

    @Test("A folder and a missing file are refused")
    func refused() {
        let folder = TemporaryFolder()
        #expect(code { _ = try InputPipe(folder.path) } == .notARegularFile)
        #expect(code { _ = try InputPipe(folder("none")) } == .notFound)
    }

    /// The refusal of a folder closed its descriptor twice. In between, another thread had opened a
    /// file, whose descriptor had the same number and was closed instead.
    @Test("The refusal of a folder closes no descriptor of another thread")
    func closesOnce() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let path = folder.path
            let refusals = try WorkerThread {
                for _ in 0..<20_000 { _ = try? InputPipe(path) }
            }
            var isRight = true
            for _ in 0..<20_000 {
                let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                sched_yield()
                isRight = isRight && close(descriptor) == 0
            }
            refusals.join()
            withExtendedLifetime(folder) {}
            exit(isRight ? 0 : 1)
        }
    }
}
