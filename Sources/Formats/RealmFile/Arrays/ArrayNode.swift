import FirnValues

/// The only building block of a Realm file: a header of 8 bytes, and elements of one width.
///
///      0          3   4                                      5          8
///     | ignored  |   | inner | refs | context | type | width | size, BE | elements ...
///                       1       1       1        2      3 bits
///
/// Integers below 8 bits are unsigned, all others signed, except in the arrays of keys and offsets
/// that are read with ``unsignedIntegers()``. An element of an array with refs is 0 (absent), even
/// (the position of another array) or odd (an integer of 63 bits).
package struct ArrayNode {
    static let headerBytes = 8

    /// The unit of the width.
    enum WidthType: UInt8 {
        case bits = 0
        case bytes = 1
        /// The size is a number of bytes.
        case none = 2
    }

    /// The position of the header.
    let position: UInt64
    private let flags: UInt8
    /// The number of elements.
    let size: Int
    /// The elements.
    let payload: ByteSlice

    var isInner: Bool { flags & 0x80 != 0 }
    /// Whether elements may be positions of other arrays.
    var hasRefs: Bool { flags & 0xC0 != 0 }
    /// A flag whose meaning depends on the kind of array.
    var context: Bool { flags & 0x20 != 0 }
    let widthType: WidthType
    /// The bits or bytes of an element.
    let width: Int

    /// The parts of a header, before the elements are read.
    struct Header {
        let flags: UInt8
        let size: Int
        let widthType: WidthType
        let width: Int

        /// Reads a header; `nil` if its type of width is unknown.
        init?(_ bytes: ByteSlice) {
            flags = bytes.byte(4)
            size = Int(bytes.byte(5)) << 16 | Int(bytes.byte(6)) << 8 | Int(bytes.byte(7))
            guard let widthType = WidthType(rawValue: flags >> 3 & 3) else { return nil }
            self.widthType = widthType
            width = (1 << Int(flags & 7)) >> 1
        }

        /// The number of bytes of the elements; at most 2^24 times 64.
        var payloadCount: Int {
            switch widthType {
            case .bits: (size * width + 7) / 8
            case .bytes: size * width
            case .none: size
            }
        }
    }

    init(_ header: Header, _ payload: ByteSlice, at position: UInt64) {
        self.position = position
        self.payload = payload
        flags = header.flags
        size = header.size
        widthType = header.widthType
        width = header.width
    }

    // MARK: Elements

    /// Returns the element of an array with refs; 0 if there is none.
    ///
    /// Arrays are often shorter than the newest version of their kind.
    func slot(_ index: Int) -> UInt64 {
        guard index >= 0, index < size, widthType == .bits else { return 0 }
        return UInt64(bitPattern: integer(index))
    }

    /// Returns an element of an array of integers.
    ///
    /// - Parameter index: less than ``size``.
    func integer(_ index: Int) -> Int64 {
        switch width {
        case 1, 2, 4:
            let bit = index * width
            return Int64(payload.byte(bit >> 3) >> UInt8(bit & 7) & (1 << UInt8(width) - 1))
        case 8: return Int64(payload.integer(index, as: Int8.self))
        case 16: return Int64(payload.integer(index * 2, as: Int16.self))
        case 32: return Int64(payload.integer(index * 4, as: Int32.self))
        case 64: return payload.integer(index * 8, as: Int64.self)
        default: return 0
        }
    }
}
