import FirnValues

/// The texts of a column while rows are being created, stored contiguously in one buffer.
///
/// A row costs no allocation, and all texts are freed at once.
///
///     bytes     of all texts, including texts that were replaced
///     slices    per row, the location of its text
struct StringArena: Sendable {
    private struct Slice: Sendable {
        let start: Int
        let count: Int
    }

    /// The number of unused bytes below which the buffer is not compacted.
    private static let unusedByteCountMinimum = 4096

    private var bytes: [UInt8] = []
    private var slices: [Slice] = []
    /// The number of bytes that no row refers to.
    private var unusedByteCount = 0

    static var stride: Int { MemoryLayout<Slice>.stride }

    /// The number of bytes of all texts, including texts that no row refers to any longer.
    var byteCount: Int { bytes.count }
    var isEmpty: Bool { slices.isEmpty }

    mutating func reserve(_ count: Int) { slices.reserveCapacity(count) }

    /// Appends a text.
    ///
    /// - Parameter utf8: the text in well-formed UTF-8.
    mutating func append(_ utf8: UnsafeRawBufferPointer) {
        slices.append(Slice(start: bytes.count, count: utf8.count))
        bytes.append(contentsOf: utf8)
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    mutating func append(_ other: StringArena) {
        let end = bytes.count
        bytes.append(contentsOf: other.bytes)
        slices.append(
            contentsOf: other.slices.lazy.map { Slice(start: $0.start + end, count: $0.count) })
        unusedByteCount += other.unusedByteCount
    }

    subscript(row: Int) -> String {
        get { withUTF8(row) { String(decoding: $0, as: UTF8.self) } }
        set {
            unusedByteCount += slices[row].count
            var text = newValue
            text.withUTF8 { utf8 in
                slices[row] = Slice(start: bytes.count, count: utf8.count)
                bytes.append(contentsOf: utf8)
            }
            if unusedByteCount > max(StringArena.unusedByteCountMinimum, bytes.count / 2) {
                moveTogether()
            }
        }
    }

    /// Calls `body` with the bytes of a text, which are valid during the call.
    func withUTF8<Result>(_ row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let slice = slices[row]
        return bytes.withUnsafeBufferPointer { bytes in
            body(UnsafeBufferPointer(rebasing: bytes[slice.start..<slice.start + slice.count]))
        }
    }

    mutating func removeAll() { self = StringArena() }

    private mutating func moveTogether() {
        var together = StringArena()
        together.bytes.reserveCapacity(bytes.count - unusedByteCount)
        together.slices.reserveCapacity(slices.count)
        for row in slices.indices {
            withUTF8(row) { together.append(UnsafeRawBufferPointer($0)) }
        }
        self = together
    }
}
