import FirnTesting
import Testing

@testable import FirnColumnar

@Suite("Flatbuffers")
struct FlatTests {
    private func built() -> [UInt8] {
        var builder = FlatBuilder()
        let inner = (0..<3).map { number in
            builder.table([(0, .int64(Int64(number))), (2, .bool(number == 1))])
        }
        let list = builder.vector(inner)
        let pairs = builder.vector([1, 2, 3, -4], perElement: 2)
        let text = builder.text("h\u{E9}llo")
        let root = builder.table([
            (0, .int16(-7)), (1, .part(text)), (3, .part(list)), (5, .part(pairs)), (6, .int8(3)),
            (7, .int32(.min)),
        ])
        return builder.finish(root)
    }

    @Test("Written fields are read back, and absent fields have their defaults")
    func roundTrip() throws {
        let block = ByteBlock(built())
        let root = try FlatTable(block)
        #expect(try root.number(0, default: Int16(0)) == -7)
        #expect(try root.text(1) == "h\u{E9}llo")
        #expect(try root.text(2) == nil)
        let tables = try root.tables(3)
        #expect(try tables.map { try $0.number(0, default: Int64(9)) } == [0, 1, 2])
        #expect(try tables.map { try $0.bool(2) } == [false, true, false])
        #expect(try root.numbers(5, perElement: 2) == [1, 2, 3, -4])
        #expect(try root.number(6, default: Int8(0)) == 3)
        #expect(try root.number(7, default: Int32(0)) == .min)
        #expect(try root.number(40, default: Int32(11)) == 11)
        #expect(try root.tables(40).isEmpty)
    }

    @Test("Damaged bytes are never read out of bounds")
    func damaged() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SplitMix64(seed: seed)
        let whole = built()
        for _ in 0..<5_000 {
            let block = ByteBlock(generator.damaging(whole))
            guard let root = try? FlatTable(block) else { continue }
            for field in 0..<8 {
                _ = try? root.text(field)
                _ = try? root.numbers(field, perElement: 2)
                for table in (try? root.tables(field)) ?? [] {
                    _ = try? table.number(0, default: Int64(0))
                }
            }
        }
    }
}
