import FirnPlatform
import FirnValues

/// The secret that a request must contain.
struct AccessToken: Sendable {
    private static let digits = Array("0123456789abcdef".utf8)

    let text: String

    /// Creates a random token of 128 bits.
    init(_ entropy: any Entropy) {
        let words = [entropy.random64(), entropy.random64()]
        let bytes = words.flatMap { word in
            stride(from: 60, through: 0, by: -4).map { AccessToken.digits[Int(word >> $0 & 15)] }
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// - Returns: `nil` if the text is too short to be a secret, or has characters that a header
    ///   cannot hold.
    init?(_ text: String) {
        guard text.utf8.count >= 16, text.utf8.count <= 512,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") })
        else { return nil }
        self.text = text
    }

    /// Compares in a time that does not depend on where the texts differ.
    func matches(_ other: String) -> Bool {
        let left = Array(text.utf8)
        let right = Array(other.utf8)
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
    }
}
