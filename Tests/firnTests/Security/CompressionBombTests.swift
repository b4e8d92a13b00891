import FirnPlatform
import FirnTesting
import Testing

/// Small files that decompress to very much, read by the real program with little memory.
@Suite("Compression bombs")
struct CompressionBombTests {
    private static let kibibytes = 900_000
    private let folder = TemporaryFolder()

    /// A zstd frame of blocks that each repeat one byte 131,072 times.
    private static func repetition(of byte: UInt8, blockCount: Int) -> [UInt8] {
        var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38]
        for index in 0..<blockCount {
            let header = 131_072 << 3 | 2 | (index == blockCount - 1 ? 1 : 0)
            frame += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)]
            frame.append(byte)
        }
        return frame
    }

    /// Four gibibytes of one byte, as a text in zstd or, compressed again, in gzip.
    private static func bomb(_ suffix: String, _ byte: UInt8) throws -> [UInt8] {
        guard suffix == "gz" else { return repetition(of: byte, blockCount: 32_768) }
        let text = [UInt8](repeating: byte, count: 96 << 20)
        return try CommandRunner("/bin/gzip").run(["-1", "-c"], input: text).output
    }

    @Test(
        "A compression bomb is a typed error in little memory, and creates nothing",
        arguments: [
            ("csv.zst", "x"), ("csv.gz", "x"), ("ndjson.zst", "["), ("ndjson.zst", "\""),
            ("json.gz", "{"), ("csv.zst", "\""), ("csv.gz", ","), ("tsv.zst", "\t"),
        ])
    func bombs(suffix: String, character: Character) throws {
        let byte = try #require(character.asciiValue)
        let bytes = try CompressionBombTests.bomb(
            suffix.split(separator: ".").last.map { String($0) } ?? "", byte)
        #expect(bytes.count < 2 << 20)
        let input = folder("bomb.\(suffix)")
        let file = try SystemServices.real.files.open(input, .createNew)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        let made = folder("made.firn")
        let run = try CommandRunner("/bin/sh").run(
            [
                "-c", "ulimit -v \(CompressionBombTests.kibibytes); exec \"$0\" \"$@\"",
                try builtExecutable(named: "firn"), "create", made, "--from", "Row=\(input)",
            ], input: "")
        #expect(run.status == 65, "\(run)")
        let isTyped = ["longer than", "more than", "not JSON", "must be an object"].contains {
            run.errorText.contains($0)
        }
        #expect(isTyped, "\(run.errorText)")
        #expect(try SystemServices.real.files.status(of: made) == nil)
    }
}
