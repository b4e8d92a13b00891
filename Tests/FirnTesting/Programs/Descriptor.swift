import Glibc

/// A file descriptor that is closed once.
final class Descriptor {
    /// -1 after it is closed.
    private(set) var number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close() }

    var isOpen: Bool { number >= 0 }

    func close() {
        if number >= 0 { Glibc.close(number) }
        number = -1
    }

    /// Appends the available bytes, and closes at the end.
    func drain(into bytes: inout [UInt8]) {
        var count = 0
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            count = read(number, buffer.baseAddress, buffer.count)
            if count > 0 { bytes.append(contentsOf: UnsafeRawBufferPointer(buffer)[..<count]) }
        }
        // A terminal returns EIO when its last process has gone.
        if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { close() }
    }
}

/// Both ends of a pipe, which children do not inherit unless requested.
struct Pipe {
    let reading: Descriptor
    let writing: Descriptor

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard LibCShims.pipe(&ends, O_CLOEXEC) == 0 else {
            throw ProgramError("no pipe: errno \(errno)")
        }
        reading = Descriptor(ends[0])
        writing = Descriptor(ends[1])
    }
}
