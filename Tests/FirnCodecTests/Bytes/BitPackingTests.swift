import FirnTesting
import Testing

@testable import FirnCodec

@Suite("Packed codes")
struct BitPackingTests {
    /// Each width has its own unpacking loop, and each count its own remainder.
    @Test("Packed codes round-trip for every width and count", arguments: 0...64)
    func roundTrip(width: Int) {
        var generator = SplitMix64(seed: UInt64(width))
        let mask: UInt64 = width == 64 ? .max : (1 << UInt64(width)) - 1
        for count in Array(0...70) + [1000] {
            let codes = (0..<count).map { index in
                index % 5 == 0 ? mask : UInt64.random(in: 0...mask, using: &generator)
            }
            var bytes: [UInt8] = []
            codes.withUnsafeBufferPointer {
                BitPacking.append($0, width: width, to: &bytes)
            }
            #expect(bytes.count == (width == 0 ? 0 : BitPacking.byteCount(count, width: width)))
            // The bytes after the codes must not matter.
            bytes += Array(repeating: 0xFF, count: 16)
            if width <= 8 { #expect(unpacked(bytes, width, count, UInt8.self) == codes) }
            if width <= 16 { #expect(unpacked(bytes, width, count, UInt16.self) == codes) }
            if width <= 32 { #expect(unpacked(bytes, width, count, UInt32.self) == codes) }
            #expect(unpacked(bytes, width, count, UInt64.self) == codes)
        }
    }

    private func unpacked<T: FixedWidthInteger & UnsignedInteger>(
        _ bytes: [UInt8], _ width: Int, _ count: Int, _: T.Type
    ) -> [UInt64] {
        var lanes = [T](repeating: 0, count: count + 1)
        bytes.withUnsafeBytes { bytes in
            lanes.withUnsafeMutableBufferPointer { lanes in
                guard let source = bytes.baseAddress, let target = lanes.baseAddress else { return }
                BitPacking.unpack(source, width: width, count: count, into: target)
            }
        }
        // Nothing is written past the last lane.
        #expect(lanes[count] == 0)
        return lanes.prefix(count).map { UInt64($0) }
    }
}
