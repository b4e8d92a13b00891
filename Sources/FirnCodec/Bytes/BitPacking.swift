/// Codes of equal width, one behind the other without gaps, lowest bits first.
///
///     width 3:   byte 0            byte 1
///                b a a a ...       code i = bits [3 i, 3 i + 3) of the stream
///                bit 0 is the lowest bit of byte 0; padded with zeros to 8 bytes
enum BitPacking {
    /// Bytes of `count` codes, a multiple of 8.
    static func byteCount(_ count: Int, width: Int) -> Int { (count &* width &+ 63) / 64 &* 8 }

    /// Bits that a code up to `maximum` needs.
    static func width(of maximum: UInt64) -> Int { 64 - maximum.leadingZeroBitCount }

    /// Appends codes that all fit in `width` bits.
    static func append(_ codes: UnsafeBufferPointer<UInt64>, width: Int, to bytes: inout [UInt8]) {
        guard width > 0, !codes.isEmpty else { return }
        let start = bytes.count
        let size = byteCount(codes.count, width: width)
        bytes.append(contentsOf: repeatElement(0, count: size))
        bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            pack(codes, width: width, into: base + start)
        }
    }

    private static func pack(
        _ codes: UnsafeBufferPointer<UInt64>, width: Int, into target: UnsafeMutableRawPointer
    ) {
        var word: UInt64 = 0
        var filled = 0
        var offset = 0
        for code in codes {
            word |= code &<< UInt64(truncatingIfNeeded: filled)
            let next = filled &+ width
            if next >= 64 {
                target.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
                offset &+= 8
                let used = 64 &- filled
                word = used < width ? code &>> UInt64(truncatingIfNeeded: used) : 0
                filled = next &- 64
            } else {
                filled = next
            }
        }
        if filled > 0 {
            target.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
        }
    }

    /// Spreads codes into lanes that are wide enough for them.
    ///
    /// Reads up to 8 bytes behind the packed bytes: the source has that slack.
    static func unpack<T: FixedWidthInteger & UnsignedInteger>(
        _ source: UnsafeRawPointer, width: Int, count: Int, into lanes: UnsafeMutablePointer<T>
    ) {
        if width == 0 {
            lanes.update(repeating: 0, count: count)
        } else if width == T.bitWidth {
            for index in 0..<count {
                lanes[index] = T(
                    littleEndian: source.loadUnaligned(
                        fromByteOffset: index &* MemoryLayout<T>.size, as: T.self))
            }
        } else if width <= 56 {
            let mask = (UInt64(1) &<< UInt64(truncatingIfNeeded: width)) &- 1
            var bit = 0
            for index in 0..<count {
                let word = source.u64(bit &>> 3) &>> UInt64(truncatingIfNeeded: bit & 7)
                lanes[index] = T(truncatingIfNeeded: word & mask)
                bit &+= width
            }
        } else {
            let mask = width == 64 ? ~0 : (UInt64(1) &<< UInt64(truncatingIfNeeded: width)) &- 1
            var bit = 0
            for index in 0..<count {
                let shift = UInt64(truncatingIfNeeded: bit & 7)
                var word = source.u64(bit &>> 3) &>> shift
                if shift > 0 {
                    let high = source.load(fromByteOffset: bit &>> 3 &+ 8, as: UInt8.self)
                    word |= UInt64(high) &<< (64 &- shift)
                }
                lanes[index] = T(truncatingIfNeeded: word & mask)
                bit &+= width
            }
        }
    }
}
