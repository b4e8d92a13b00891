import FirnValues

@testable import RealmFile

/// Arrays of a Realm file in memory, written as a test describes them.
struct RealmArrays {
    /// The unit of the width of elements, and a width of no unit for bytes.
    enum Kind: UInt8 {
        case bits = 0
        case bytes = 1
        case none = 2
    }

    /// The content of the file, which begins with room for the header.
    private(set) var bytes = [UInt8](repeating: 0, count: FileHeader.byteCount)

    /// Appends an array, and returns its position.
    ///
    /// - Parameters:
    ///   - width: The bits or bytes of an element: 0, or a power of two.
    ///   - flags: The marks of the header: 0x80 inner, 0x40 references, 0x20 context.
    mutating func add(
        _ kind: Kind, width: Int, size: Int, _ payload: [UInt8], flags: UInt8 = 0
    ) -> UInt64 {
        let position = UInt64(bytes.count)
        let exponent = width == 0 ? 0 : UInt8(width.trailingZeroBitCount + 1)
        bytes += [0x41, 0x41, 0x41, 0x41, flags | kind.rawValue << 3 | exponent]
        bytes += [UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)]
        bytes += payload
        while bytes.count % 8 != 0 { bytes.append(0) }
        return position
    }

    /// Appends integers of 64 bits.
    mutating func add(_ integers: [Int64], flags: UInt8 = 0) -> UInt64 {
        let payload = integers.flatMap { integer in
            withUnsafeBytes(of: integer.littleEndian) { Array($0) }
        }
        return add(.bits, width: 64, size: integers.count, payload, flags: flags)
    }

    /// Appends references: positions, or 0.
    mutating func add(references: [UInt64], flags: UInt8 = 0) -> UInt64 {
        add(references.map { Int64($0) }, flags: flags | 0x40)
    }

    /// Appends a value of bytes.
    mutating func add(value: [UInt8]) -> UInt64 {
        add(.none, width: 0, size: value.count, value)
    }

    /// A reader of what has been appended.
    func reader(cacheBytes: Int = PageCache.bytesMax) -> NodeReader {
        NodeReader(PageCache(PlainPages(MemoryAccessor(bytes)), bytesMax: cacheBytes))
    }
}
