import FirnTesting
import FirnText
import FirnValues
import Testing

@Suite("Digits of numbers")
struct NumberRenderingTests {
    private func text(_ append: (inout TextBuffer) -> Void) -> String {
        var buffer = TextBuffer(capacity: 1)
        append(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test("Integers of every length are printed")
    func integers() {
        var values: [Int64] = [0, .min, .max]
        var power: Int64 = 1
        for _ in 0..<18 {
            power *= 10
            values += [power, power - 1, power + 1, -power, 1 - power]
        }
        for value in values { #expect(text { $0.append(int: value) } == String(value)) }
        #expect(text { $0.append(unsigned: .max) } == String(UInt64.max))
    }

    @Test("Doubles, short and long, are printed as in the standard library")
    func doubles() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        var values: [Double] = [
            0, -0.0, 1, 0.1, 0.2 + 0.1, 1e-3, 1e-4, 1e-5, Double.leastNonzeroMagnitude, 1e15, 1e16,
            1e22, 0.0001, 123456.789, 99999999.5,
        ]
        for _ in 0..<20_000 {
            values.append(Double(bitPattern: random.next()))
            values.append(Double(Int64.random(in: -1_000_000...1_000_000, using: &random)) / 100)
            values.append(Double.random(in: -1000...1000, using: &random))
        }
        for value in values where value.isFinite {
            let printed = text { $0.append(double: value) }
            #expect(printed == value.description, "seed \(seed)")
        }
    }

    @Test("Fixed places are used only if they read back as the same double")
    func fixed() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<20_000 {
            let places = Int.random(in: 1...15, using: &random)
            let value = Double(bitPattern: random.next())
            for value in [value, Double(Int.random(in: 0...99_999, using: &random)) / 100] {
                guard value.isFinite else { continue }
                let printed = text { $0.append(double: value, places: places) }
                #expect(Double(printed) == value, "seed \(seed), \(places) places")
            }
        }
        #expect(text { $0.append(double: 2.5, places: 2) } == "2.50")
        #expect(text { $0.append(double: -0.0, places: 2) } == "-0.00")
        #expect(text { $0.append(double: 0.125, places: 2) } == "0.125")
        #expect(text { $0.append(double: 1e30, places: 2) } == "1e+30")
    }

    @Test("Dates are printed like timestamps")
    func dates() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        var values = [Timestamp(seconds: 0), Timestamp(seconds: .max), Timestamp(seconds: .min)]
        // The first and last second of the years with four digits, and their neighbours.
        for edge in [Int64(-62_167_219_200), 253_402_300_800] {
            values += (-2...2).map { Timestamp(seconds: edge + $0) }
        }
        for _ in 0..<5000 {
            values.append(
                Timestamp(
                    seconds: .random(in: -70_000_000_000...300_000_000_000, using: &random),
                    nanoseconds: .random(in: 0...999, using: &random) * 1_000_000))
        }
        for value in values {
            let printed = text { $0.append(seconds: value.seconds, nanoseconds: value.nanoseconds) }
            #expect(printed == value.description, "seed \(seed)")
        }
    }
}
