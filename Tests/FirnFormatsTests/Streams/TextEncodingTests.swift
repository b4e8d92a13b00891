import Testing

@testable import FirnFormats

@Suite("The encoding of a table")
struct TextEncodingTests {
    @Test(
        "One byte that is not UTF-8 indicates Windows-1252, wherever it is",
        arguments: [
            ("a\nfin", [0xE9], ""), ("a\nfin", [0xE9], ",3"), ("caf", [0xE9], "\nabcd"),
            ("", [0x80], ""),
        ])
    func odd(before: String, bytes: [UInt8], after: String) {
        let text = Array(before.utf8) + bytes + Array(after.utf8)
        #expect(TextEncoding.found(in: text, isWhole: true) == .windows1252)
    }

    @Test("A sample that ends in the middle of a character is still UTF-8")
    func cut() {
        for character in ["é", "東", "🐧"] {
            let whole = Array(("a\n" + character).utf8)
            #expect(TextEncoding.found(in: whole, isWhole: true) == .utf8)
            for count in 3..<whole.count {
                let cut = Array(whole[..<count])
                #expect(TextEncoding.found(in: cut, isWhole: false) == .utf8, "\(cut)")
                #expect(TextEncoding.found(in: cut, isWhole: true) == .windows1252, "\(cut)")
            }
        }
    }
}
