import FirnFormats
import FirnTesting
import Testing

@Suite("The gzip encoder")
struct GzipEncoderTests {
    private func encoded(_ pieces: [[UInt8]]) throws -> [UInt8] {
        let encoder = try GzipEncoder()
        var file: [UInt8] = []
        for piece in pieces {
            piece.withUnsafeBytes { bytes in
                encoder.encode(bytes) { file.append(contentsOf: $0) }
            }
        }
        encoder.finish { file.append(contentsOf: $0) }
        return file
    }

    @Test("gzip decompresses the output, however the input was cut")
    func readByGzip() throws {
        var generator = SplitMix64(seed: 5)
        let text = Array(String(repeating: "Oslo,Bergen,7\n", count: 30_000).utf8)
        let noise = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for pieces in [[], [[]], [[65]], [text], [noise, [], text, [10]]] {
            let file = try encoded(pieces)
            #expect(
                try CommandRunner("/bin/gzip").run(["-dc"], input: file).output
                    == pieces.flatMap(\.self))
        }
        #expect(try encoded([text]).count < text.count / 50)
    }

    @Test("The same bytes always make the same file")
    func reproducible() throws {
        #expect(try encoded([[1, 2, 3]]) == encoded([[1], [2, 3]]))
    }

    @Test("An error of the sink is rethrown")
    func refused() throws {
        struct Refusal: Error {}
        let encoder = try GzipEncoder()
        #expect(throws: Refusal.self) {
            try encoder.finish { _ throws(Refusal) in throw Refusal() }
        }
    }
}
