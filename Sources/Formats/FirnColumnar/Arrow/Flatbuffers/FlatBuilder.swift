import FirnValues

/// Builds a flatbuffer from its end; see ``FlatTable``.
///
/// Parts are named by their distance from the end, so what a part refers to is built before.
struct FlatBuilder {
    /// The value of a field of a table.
    enum Field {
        case int8(Int8)
        case int16(Int16)
        case int32(Int32)
        case int64(Int64)
        case bool(Bool)
        /// A part that was built before.
        case part(Int)
    }

    /// The bytes from the last to the first.
    private var reversed: [UInt8] = []

    /// Adds zeros so that a number is aligned after some more bytes.
    private mutating func align(_ size: Int, after byteCount: Int = 0) {
        while (reversed.count + byteCount) % size != 0 { reversed.append(0) }
    }

    private mutating func push<T: FixedWidthInteger>(_ value: T) {
        for byte in stride(from: T.bitWidth - 8, through: 0, by: -8) {
            reversed.append(UInt8(truncatingIfNeeded: value >> T(byte)))
        }
    }

    private mutating func pushOffset(_ part: Int) {
        align(4)
        push(UInt32(truncatingIfNeeded: reversed.count + 4 - part))
    }

    mutating func text(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        align(4, after: bytes.count + 1)
        reversed.append(0)
        reversed.append(contentsOf: bytes.reversed())
        push(UInt32(bytes.count))
        return reversed.count
    }

    mutating func vector(_ parts: [Int]) -> Int {
        align(4)
        for part in parts.reversed() { pushOffset(part) }
        push(UInt32(parts.count))
        return reversed.count
    }

    /// Builds a vector of structures of several numbers each.
    mutating func vector(_ numbers: [Int64], perElement: Int) -> Int {
        align(8, after: 8 * numbers.count)
        for number in numbers.reversed() { push(number) }
        push(UInt32(numbers.count / perElement))
        return reversed.count
    }

    mutating func table(_ fields: [(id: Int, value: Field)]) -> Int {
        let end = reversed.count
        var places: [Int: Int] = [:]
        for (id, value) in fields {
            switch value {
            case .int8(let number): push(number)
            case .bool(let flag): push(UInt8(flag ? 1 : 0))
            case .int16(let number):
                align(2)
                push(number)
            case .int32(let number):
                align(4)
                push(number)
            case .int64(let number):
                align(8)
                push(number)
            case .part(let part): pushOffset(part)
            }
            places[id] = reversed.count
        }
        align(4)
        let table = reversed.count + 4
        let count = (places.keys.max() ?? -1) + 1
        // The table of the fields is directly before, so its distance is its size.
        let vtableBytes = 4 + 2 * count
        let padding = (4 - vtableBytes % 4) % 4
        push(Int32(vtableBytes + padding))
        for _ in 0..<padding { reversed.append(0) }
        for id in (0..<count).reversed() {
            push(UInt16(places[id].map { table - $0 } ?? 0))
        }
        push(UInt16(table - end))
        push(UInt16(vtableBytes))
        return table
    }

    /// Returns the buffer of a root, whose size is a multiple of 8.
    mutating func finish(_ root: Int) -> [UInt8] {
        align(8, after: 4)
        pushOffset(root)
        return reversed.reversed()
    }
}
