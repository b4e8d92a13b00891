import FirnValues

/// XXH64, the checksum of everything that the store writes.
///
///     32-byte stripes -> 4 lanes -> merge -> + length -> 8-, 4-, 1-byte rests -> avalanche
///
/// The seed identifies the use of the bytes (file, position). Bytes in the wrong place therefore
/// fail the check.
package enum Checksum {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    package static func xxh64(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var hash = seed &+ prime5
        var offset = 0
        if let base = bytes.baseAddress {
            if bytes.count >= 32 { hash = stripes(base, bytes.count, seed, &offset) }
            hash = hash &+ UInt64(bytes.count)
            hash = rest(base, bytes.count, offset, hash)
        }
        return avalanche(hash)
    }

    @inline(__always)
    private static func stripes(
        _ base: UnsafeRawPointer, _ count: Int, _ seed: UInt64, _ offset: inout Int
    ) -> UInt64 {
        var lane1 = seed &+ prime1 &+ prime2
        var lane2 = seed &+ prime2
        var lane3 = seed
        var lane4 = seed &- prime1
        var at = 0
        while at <= count &- 32 {
            lane1 = round(lane1, base.u64(at))
            lane2 = round(lane2, base.u64(at + 8))
            lane3 = round(lane3, base.u64(at + 16))
            lane4 = round(lane4, base.u64(at + 24))
            at &+= 32
        }
        offset = at
        var hash = rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
        hash = merge(hash, lane1)
        hash = merge(hash, lane2)
        hash = merge(hash, lane3)
        return merge(hash, lane4)
    }

    @inline(__always)
    private static func rest(
        _ base: UnsafeRawPointer, _ count: Int, _ offset: Int, _ start: UInt64
    ) -> UInt64 {
        var hash = start
        var at = offset
        while at <= count &- 8 {
            hash = rotate(hash ^ round(0, base.u64(at)), 27) &* prime1 &+ prime4
            at &+= 8
        }
        if at <= count &- 4 {
            hash = rotate(hash ^ UInt64(base.u32(at)) &* prime1, 23) &* prime2 &+ prime3
            at &+= 4
        }
        while at < count {
            let byte = UInt64(base.load(fromByteOffset: at, as: UInt8.self))
            hash = rotate(hash ^ byte &* prime5, 11) &* prime1
            at &+= 1
        }
        return hash
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value &<< bits | value &>> (64 &- bits)
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
        (hash ^ round(0, lane)) &* prime1 &+ prime4
    }

    private static func avalanche(_ value: UInt64) -> UInt64 {
        var hash = value
        hash = (hash ^ hash &>> 33) &* prime2
        hash = (hash ^ hash &>> 29) &* prime3
        return hash ^ hash &>> 32
    }
}
