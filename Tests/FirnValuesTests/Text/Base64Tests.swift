import FirnTesting
import FirnValues
import Testing

@Suite("Base64")
struct Base64Tests {
    private func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { Base64.decode($0) }
    }

    @Test(
        "The examples of RFC 4648 are encoded and decoded",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func examples(plain: String, encoded: String) {
        #expect(Base64.text(of: Array(plain.utf8)) == encoded)
        #expect(decode(encoded) == Array(plain.utf8))
    }

    @Test(
        "Every spelling except the canonical one is refused",
        arguments: [
            "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm 9", "Zm9v\n", "=m9v", "Zg==Zg==", "____",
            "====",
        ])
    func refuses(text: String) { #expect(decode(text) == nil) }

    @Test("All bytes round-trip")
    func roundTrip() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(decode(Base64.text(of: bytes)) == bytes, "seed \(seed)")
        }
    }
}
