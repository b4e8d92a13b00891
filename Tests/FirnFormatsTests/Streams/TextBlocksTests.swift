import FirnTesting
import FirnText
import Testing

@testable import FirnFormats

@Suite("Blocks of a text")
struct TextBlocksTests {
    private func blocks(
        _ text: String, quote: Character? = "\"", byteCount: Int = 8, pieceBytes: Int = .max
    ) throws -> (blocks: [String], rest: String) {
        let source = MemorySource(Array(text.utf8), pieceBytes: pieceBytes)
        var blocks = TextBlocks(source, quote: quote?.asciiValue, byteCount: byteCount)
        var texts: [String] = []
        var offset: UInt64 = 0
        while let block = try blocks.next() {
            #expect(block.offset == offset)
            offset += UInt64(block.bytes.count)
            texts.append(String(decoding: block.bytes, as: UTF8.self))
        }
        let rest = try blocks.rest().readBytes(upTo: text.utf8.count)
        return (texts, String(decoding: rest, as: UTF8.self))
    }

    @Test("A block ends at the end of a line, and the last block at the end of the input")
    func lines() throws {
        #expect(try blocks("a,b\nc,d\ne,f\ng").blocks == ["a,b\nc,d\n", "e,f\ng"])
        #expect(try blocks("").blocks == [])
        #expect(try blocks("abc").blocks == ["abc"])
        #expect(try blocks("abcdefgh\n").blocks == ["abcdefgh\n"])
    }

    @Test("A line break inside quotes does not end a block")
    func quotes() throws {
        let text = "a,\"b\nb\nb\"\nc,\"\"\"\n\"\nd\n"
        #expect(try blocks(text).blocks == ["a,\"b\nb\nb\"\n", "c,\"\"\"\n\"\n", "d\n"])
        #expect(try blocks("a,\"b\nb\nb\n", quote: nil).blocks == ["a,\"b\nb\n", "b\n"])
    }

    @Test("The blocks and the rest add up to the text, whatever the piece size")
    func whole() throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let alphabet = Array("ab,\"\n")
            let text = String(
                (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                    alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                })
            let found = try blocks(
                text, byteCount: Int.random(in: 1..<40, using: &random),
                pieceBytes: Int.random(in: 1..<30, using: &random))
            #expect(found.blocks.joined() + found.rest == text, "seed \(seed)")
            #expect(found.rest.isEmpty, "seed \(seed)")
        }
    }

    @Test("A line that is too long for a block goes into the rest")
    func long() throws {
        let line = String(repeating: "x", count: TextBlocks.byteCountMax + 1) + "\n"
        let found = try blocks("a\nb\n" + line + "c\n", byteCount: 1024)
        #expect(found.blocks == ["a\nb\n"])
        #expect(found.rest == line + "c\n")
    }

    @Test("Blocks can be read again, followed by the rest")
    func again() throws {
        var blocks = TextBlocks(MemorySource(Array("a\nb\nc\nd\n".utf8)), quote: nil, byteCount: 2)
        _ = try blocks.next()
        let last = [try blocks.next(), try blocks.next()].compactMap { $0 }
        let rest = try blocks.rest(after: last).readBytes(upTo: 100)
        #expect(String(decoding: rest, as: UTF8.self) == "b\nc\nd\n")
    }
}
