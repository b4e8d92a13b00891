import FirnPlatform
import FirnTesting
import Glibc
import Testing

/// A program that was started with standard error closed got descriptor 2 for the next file that it
/// opened, and wrote its messages into that file. The program `firn` opens the missing descriptors;
/// another program that uses the library does not, so none of our files, pipes and regions may have
/// such a number.
@Suite("Descriptors below 3")
struct StandardDescriptorTests {
    @Test(
        "Descriptors below 3 are never used for files, shared memory or pipes, even if closed"
    )
    func refused() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let files = SystemFileSystem()
            for choice in 1...7 {
                let saved = (0...2).map { fcntl(Int32($0), F_DUPFD_CLOEXEC, 10) }
                for number in 0...2 where choice & 1 << number != 0 { close(Int32(number)) }
                let file = try files.open(folder("file\(choice)"), .createNew)
                let again = try files.open(folder("file\(choice)"), .readWrite)
                let region = try files.sharedRegion(folder("shm\(choice)"), .createNew, words: 8)
                let notes = PrivateFile(folder("notes\(choice)"))
                try notes.append([1])
                let pipe = try WakePipe()
                try Signals.install()
                let shell = try ShellPipe("exit 3")
                let device = try InputPipe("/dev/null")
                // Other parts of this process may open something meanwhile.
                let taken = (0...2).filter { choice & 1 << $0 != 0 }.compactMap { leadsTo($0) }
                    .filter { $0.hasPrefix(folder.path) || $0.hasPrefix("pipe:") }
                let status = shell.finish()
                try withExtendedLifetime((file, again, region, pipe, device)) {
                    try again.sync(.full)
                }
                for number in 0...2 { dup2(saved[number], Int32(number)) }
                for number in saved { close(number) }
                #expect(taken.isEmpty, "\(choice): \(taken)")
                #expect(status == 3, "\(choice)")
                #expect(pipe.descriptor > 2 && Signals.descriptor > 2, "\(choice)")
            }
        }
    }

    @Test("Missing descriptors are opened as an empty input that refuses writing")
    func opened() async {
        await #expect(processExitsWith: .success) {
            // The workers of this process read /proc now and then, and take a closed number for that time.
            var isRight = false
            for _ in 0..<20 where !isRight {
                for number in 0...2 { close(Int32(number)) }
                guard (try? StandardStream.openMissing()) != nil else { continue }
                isRight = (Int32(0)...2).allSatisfy(readsNothing)
            }
            // An open descriptor stays as it is.
            try StandardStream.openMissing()
            let next = dup(0)
            exit(isRight && next > 2 ? 0 : 1)
        }
    }
}

/// Returns whether a descriptor is at its end and refuses writing.
private func readsNothing(_ number: Int32) -> Bool {
    var byte: UInt8 = 0
    return read(number, &byte, 1) == 0 && write(number, &byte, 1) == -1 && errno == EBADF
}

/// The target of a descriptor of this process; `nil` if it is closed.
private func leadsTo(_ number: Int) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { readlink("/proc/self/fd/\(number)", $0, buffer.count) } ?? -1
    }
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
}
