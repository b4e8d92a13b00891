import FirnTesting
import Testing

@testable import FirnColumnar

@Suite("Numbers in runs and in packed groups")
struct HybridTests {
    private func encoded(_ values: [UInt32], width: Int) -> ByteBlock {
        let output = ByteOutput()
        values.withUnsafeBufferPointer { HybridEncoder.encode($0, width: width, to: output) }
        return output.block
    }

    /// Decodes numbers in pieces, as pages are read.
    private func decoded(
        _ block: ByteBlock, _ count: Int, width: Int, step: Int = 1_000
    ) throws(ColumnarError) -> [UInt32] {
        var decoder = try HybridDecoder(ByteCursor(block), width: width)
        var values = [UInt32](repeating: .max, count: count)
        var start = 0
        while start < count {
            let part = min(step, count - start)
            var piece = [UInt32](repeating: .max, count: part)
            try decoder.read(part, into: &piece)
            values.replaceSubrange(start..<start + part, with: piece)
            start += part
        }
        return values
    }

    @Test("Random runs of every width round-trip", arguments: Array(0...32))
    func random(width: Int) throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SplitMix64(seed: seed)
        let mask = UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(width)) - 1)
        for _ in 0..<40 {
            var values: [UInt32] = []
            while values.count < 300 {
                let value = UInt32(truncatingIfNeeded: generator.next()) & mask
                values += Array(repeating: value, count: Int.random(in: 1...20, using: &generator))
                values.append(UInt32(truncatingIfNeeded: generator.next()) & mask)
            }
            values.removeLast(Int.random(in: 0...20, using: &generator))
            let step = Int.random(in: 1...40, using: &generator)
            let found = try decoded(
                encoded(values, width: width), values.count, width: width, step: step)
            #expect(found == values, "seed \(seed), width \(width)")
        }
    }

    @Test("Levels round-trip, and need only as many bits as their maximum")
    func levels() throws {
        for maximum in [1, 2, 3, 7, 255] {
            let levels = (0..<100).map { UInt8($0 * 7 % (maximum + 1)) }
            let output = ByteOutput()
            HybridEncoder.encode(levels: levels, max: maximum, to: output)
            let block = output.block
            let width = HybridEncoder.width(max: maximum)
            var decoder = try HybridDecoder(ByteCursor(block), width: width)
            var found = [UInt8](repeating: .max, count: levels.count)
            try decoder.read(levels.count, intoLevels: &found)
            #expect(found == levels)
        }
        #expect([0, 1, 2, 3, 4].map { HybridEncoder.width(max: $0) } == [0, 1, 2, 2, 3])
    }

    @Test("Runs without values are skipped, and a truncated page is an error")
    func damaged() throws {
        #expect(try decoded(ByteBlock([0x00, 0x01, 0x01, 0x06, 0x05]), 3, width: 8) == [5, 5, 5])
        for bytes: [UInt8] in [
            [], [0x06], [0x03], [0x00, 0x00], [0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0],
        ] {
            #expect(throws: ColumnarError.self) { try decoded(ByteBlock(bytes), 3, width: 8) }
        }
        #expect(throws: ColumnarError.self) { try decoded(ByteBlock([0x06, 0x05]), 1, width: 33) }
        // Without any bits, there is nothing to read.
        #expect(try decoded(ByteBlock([]), 3, width: 0) == [0, 0, 0])
    }
}
