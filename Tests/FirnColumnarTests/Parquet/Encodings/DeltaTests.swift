import FirnTesting
import Testing

@testable import FirnColumnar

@Suite("Integers as differences")
struct DeltaTests {
    private func encoded(_ values: [Int64], isNarrow: Bool = false) -> ByteBlock {
        let output = ByteOutput()
        values.withUnsafeBufferPointer {
            DeltaEncoder.encode($0, isNarrow: isNarrow, to: output)
        }
        return output.block
    }

    private func decoded(_ block: ByteBlock, countMax: Int) throws(ColumnarError) -> [Int64] {
        var cursor = ByteCursor(block)
        return try DeltaDecoder.integers(&cursor, countMax: countMax)
    }

    @Test(
        "Values of every width round-trip",
        arguments: [
            [], [0], [.min], [.max, .min, .max], [.min, .max, 0, -1],
            Array(repeating: 7, count: 300), Array(0..<129), Array(0..<128), Array(0..<33),
        ] as [[Int64]])
    func known(values: [Int64]) throws {
        #expect(try decoded(encoded(values), countMax: 1_000) == values)
    }

    @Test("Random values of random widths round-trip", arguments: TestScale.seeds(20))
    func random(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<30 {
            let width = UInt64.random(in: 0...63, using: &generator)
            let values = (0..<Int.random(in: 1...500, using: &generator)).map { _ in
                Int64(bitPattern: generator.next() >> width)
            }
            #expect(try decoded(encoded(values), countMax: 500) == values, "seed \(seed)")
        }
    }

    /// Differences of 64 bits made readers of 32-bit columns fail, or read other values.
    @Test("Differences of a narrow column wrap around in 32 bits")
    func narrow() throws {
        let values = [Int64(Int32.min), Int64(Int32.max), 0, Int64(Int32.min)]
        let found = try decoded(encoded(values, isNarrow: true), countMax: 4)
        #expect(found.map { Int32(truncatingIfNeeded: $0) } == values.map { Int32($0) })
        #expect(encoded(values, isNarrow: true).count < encoded(values).count)
    }

    @Test(
        "Every truncated page is an error",
        arguments: [[1, 5, 9], Array(0..<200)] as [[Int64]])
    func cutOff(values: [Int64]) throws {
        let whole = encoded(values)
        for count in 0..<whole.count {
            let part = ByteBlock(whole.buffer.prefix(count))
            // The last part may end after its last value.
            guard let found = try? decoded(part, countMax: 1_000) else { continue }
            #expect(found == values && count > whole.count - 32)
        }
    }

    @Test(
        "Headers that no writer produces are errors",
        arguments: [
            [0x80, 0x01, 0x00, 0x01, 0x00], [0x00, 0x04, 0x01, 0x00],
            [0x81, 0x01, 0x04, 0x01, 0x00],
            [0x80, 0x01, 0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x00],
            [0x80, 0x01, 0x04, 0x02, 0x00, 0x00, 0x41, 0, 0, 0],
        ] as [[UInt8]])
    func damaged(bytes: [UInt8]) {
        #expect(throws: ColumnarError.self) { try decoded(ByteBlock(bytes), countMax: 1_000) }
    }
}
