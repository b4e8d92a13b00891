import FirnValues

/// Codes of equal width, stored contiguously, lowest bits first.
///
///     width 3:   byte 0            byte 1
///                b a a a ...       code i = bits [3 i, 3 i + 3) of the stream
///                bit 0 is the lowest bit of byte 0; padded with zeros to 8 bytes
enum BitPacking {
    /// Returns the size of `count` codes in bytes, a multiple of 8.
    static func byteCount(_ count: Int, width: Int) -> Int { (count &* width &+ 63) / 64 &* 8 }

    /// Returns the number of bits needed for codes up to `maximum`.
    static func width(of maximum: UInt64) -> Int { 64 - maximum.leadingZeroBitCount }

    /// Appends codes, each of which must fit in `width` bits.
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

    /// Unpacks codes into integers that are wide enough for them.
    ///
    /// The function reads up to 8 bytes after the packed bytes, so the source must have that slack.
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
            unpackWords(source, width: width, count: count, into: lanes)
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

    /// Extracts from each 64-bit word every code that it certainly contains.
    ///
    /// After its first partial byte, a word contains at least 8, 4, 2 or 1 codes, depending on the
    /// width. Each costs a shift and a mask, which accounts for most of the time of reading a page.
    @inline(__always)
    private static func unpackWords<T: FixedWidthInteger & UnsignedInteger>(
        _ source: UnsafeRawPointer, width: Int, count: Int, into lanes: UnsafeMutablePointer<T>
    ) {
        let mask = (UInt64(1) &<< UInt64(truncatingIfNeeded: width)) &- 1
        let step = UInt64(truncatingIfNeeded: width)
        var index = 0
        if width <= 7 {
            // A group of eight codes begins at a whole byte.
            var next = source
            while index &+ 8 <= count {
                let word = next.u64(0)
                let target = lanes + index
                target[0] = T(truncatingIfNeeded: word & mask)
                target[1] = T(truncatingIfNeeded: word &>> step & mask)
                target[2] = T(truncatingIfNeeded: word &>> (step &* 2) & mask)
                target[3] = T(truncatingIfNeeded: word &>> (step &* 3) & mask)
                target[4] = T(truncatingIfNeeded: word &>> (step &* 4) & mask)
                target[5] = T(truncatingIfNeeded: word &>> (step &* 5) & mask)
                target[6] = T(truncatingIfNeeded: word &>> (step &* 6) & mask)
                target[7] = T(truncatingIfNeeded: word &>> (step &* 7) & mask)
                next += width
                index &+= 8
            }
        } else if width <= 14 {
            while index &+ 4 <= count {
                let word = word(source, bit: index &* width)
                let target = lanes + index
                target[0] = T(truncatingIfNeeded: word & mask)
                target[1] = T(truncatingIfNeeded: word &>> step & mask)
                target[2] = T(truncatingIfNeeded: word &>> (step &* 2) & mask)
                target[3] = T(truncatingIfNeeded: word &>> (step &* 3) & mask)
                index &+= 4
            }
        } else if width <= 28 {
            while index &+ 2 <= count {
                let word = word(source, bit: index &* width)
                lanes[index] = T(truncatingIfNeeded: word & mask)
                lanes[index &+ 1] = T(truncatingIfNeeded: word &>> step & mask)
                index &+= 2
            }
        }
        while index < count {
            lanes[index] = T(truncatingIfNeeded: word(source, bit: index &* width) & mask)
            index &+= 1
        }
    }

    /// Returns at least 57 bits of the stream, starting at a bit.
    @inline(__always)
    private static func word(_ source: UnsafeRawPointer, bit: Int) -> UInt64 {
        source.u64(bit &>> 3) &>> UInt64(truncatingIfNeeded: bit & 7)
    }
}
