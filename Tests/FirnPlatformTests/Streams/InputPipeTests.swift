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
}
