import FirnValues

extension ArrayNode {
    /// Returns all elements of an array of integers.
    func integers() throws(RealmFileError) -> [Int64] {
        try checkIntegers()
        guard size > 0 else { return [] }
        return [Int64](unsafeUninitializedCapacity: size) { target, count in
            payload.withBytes { source in
                switch width {
                case 1, 2, 4: ArrayNode.unpack(source, width, size, target)
                case 8: ArrayNode.widen(source, Int8.self, size, target)
                case 16: ArrayNode.widen(source, Int16.self, size, target)
                case 32: ArrayNode.widen(source, Int32.self, size, target)
                case 64: ArrayNode.widen(source, Int64.self, size, target)
                default: target.initialize(repeating: 0)
                }
            }
            count = size
        }
    }

    /// Returns all elements of an array of keys or offsets, whose elements are unsigned.
    func unsignedIntegers() throws(RealmFileError) -> [UInt64] {
        let mask: UInt64 = width >= 64 ? .max : (1 << UInt64(width)) - 1
        return try integers().map { UInt64(bitPattern: $0) & mask }
    }

    /// Checks that the elements are integers, and that there is memory for their number.
    private func checkIntegers() throws(RealmFileError) {
        guard widthType == .bits else {
            throw .damaged("an array of integers has another kind of elements", at: position)
        }
        guard size <= ReadLimits.integersMax else {
            throw .damaged("an array has \(size) elements", at: position)
        }
    }

    private static func unpack(
        _ source: UnsafeBufferPointer<UInt8>, _ width: Int, _ count: Int,
        _ target: UnsafeMutableBufferPointer<Int64>
    ) {
        let mask = UInt8(1 << width) - 1
        for index in 0..<count {
            let bit = index * width
            target.initializeElement(
                at: index, to: Int64(source[bit >> 3] >> UInt8(bit & 7) & mask))
        }
    }

    private static func widen<Element: FixedWidthInteger>(
        _ source: UnsafeBufferPointer<UInt8>, _ type: Element.Type, _ count: Int,
        _ target: UnsafeMutableBufferPointer<Int64>
    ) {
        let stride = MemoryLayout<Element>.size
        precondition(source.count >= count * stride && target.count >= count)
        let bytes = UnsafeRawBufferPointer(source)
        for index in 0..<count {
            let element = bytes.loadUnaligned(fromByteOffset: index * stride, as: type)
            target.initializeElement(at: index, to: Int64(Element(littleEndian: element)))
        }
    }
}
