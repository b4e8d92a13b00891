/// The digest of FIPS 180-4, with which the expected contents name long values.
package struct SHA256 {
    private static let constants: [UInt32] = primes(64).map { fraction(root(Double($0), 3)) }
    private static let start: [UInt32] = primes(8).map { fraction(Double($0).squareRoot()) }

    private static func primes(_ count: Int) -> [Int] {
        var found: [Int] = []
        var number = 2
        while found.count < count {
            if !found.contains(where: { number % $0 == 0 }) { found.append(number) }
            number += 1
        }
        return found
    }

    /// Returns the cube root, by Newton's method.
    private static func root(_ value: Double, _ degree: Double) -> Double {
        var guess = value / degree
        for _ in 0..<100 { guess -= (guess * guess * guess - value) / (degree * guess * guess) }
        return guess
    }

    private static func fraction(_ value: Double) -> UInt32 {
        UInt32((value - value.rounded(.down)) * 4_294_967_296)
    }

    /// Returns the digest of bytes in hexadecimal digits.
    package static func digits(of bytes: [UInt8]) -> String {
        var message = bytes + [0x80]
        while message.count % 64 != 56 { message.append(0) }
        withUnsafeBytes(of: UInt64(bytes.count * 8).bigEndian) { message += $0 }
        var state = start
        var words = [UInt32](repeating: 0, count: 64)
        message.withUnsafeBufferPointer { message in
            for block in stride(from: 0, to: message.count, by: 64) {
                mix(UnsafeBufferPointer(rebasing: message[block..<block + 64]), &words, &state)
            }
        }
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    private static func mix(
        _ block: UnsafeBufferPointer<UInt8>, _ words: inout [UInt32], _ state: inout [UInt32]
    ) {
        for index in 0..<16 {
            words[index] = (0..<4).reduce(0) { $0 << 8 | UInt32(block[index * 4 + $1]) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let low = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let high = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let high = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = h &+ high &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index]
            let low = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let second = low &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}
