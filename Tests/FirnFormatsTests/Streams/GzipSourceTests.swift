import FirnPlatform
import FirnTesting
import FirnText
import Testing

@testable import FirnFormats

@Suite("Reading gzip")
struct GzipSourceTests {
    private let text = Array(
        (0..<20_000).map { "\($0),Oslo,\($0 &* 2_654_435_761 % 977)\n" }.joined().utf8)

    private func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
        try CommandRunner("/bin/gzip").run(["-c"], input: bytes).output
    }

    /// Reads everything, and returns the error at the end if there is one.
    private func read(
        _ file: [UInt8], pieceBytes: Int = .max, room: Int = 64 << 10
    ) throws -> (bytes: [UInt8], error: PlatformError?) {
        let source = try GzipSource(MemorySource(file, name: "x.gz", pieceBytes: pieceBytes))
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: room)
        do throws(PlatformError) {
            while true {
                let result = buffer.withUnsafeMutableBytes { bytes in
                    Result { () throws(PlatformError) in try source.read(into: bytes) }
                }
                let count = try result.get()
                if count == 0 { return (all, nil) }
                all += buffer.prefix(count)
            }
        } catch { return (all, error) }
    }

    @Test(
        "The decompressed content equals the original, however the input was cut",
        arguments: [(1, 1), (7, 3), (1000, 64 << 10), (.max, 1), (.max, 1 << 20)])
    func pieces(pieceBytes: Int, room: Int) throws {
        let (bytes, error) = try read(compressed(text), pieceBytes: pieceBytes, room: room)
        #expect(error == nil)
        #expect(bytes == text)
    }

    @Test("Several members form one content, as in gzip -d, and zeros may follow")
    func members() throws {
        let file = try compressed(text) + compressed([]) + compressed([1, 2, 3])
        for padding in [0, 1, 600] {
            let zeros = [UInt8](repeating: 0, count: padding)
            for piece in [1, 100, .max] {
                let (bytes, error) = try read(file + zeros, pieceBytes: piece)
                #expect(error == nil)
                #expect(bytes == text + [1, 2, 3])
            }
        }
    }

    @Test("A file that ends early is reported as truncated, wherever it ends")
    func truncated() throws {
        let file = try compressed(text)
        let ends = [2, 9, 10, 11, 500, file.count / 2] + (1...9).map { file.count - $0 }
        for end in ends {
            let (bytes, error) = try read(Array(file.prefix(end)))
            #expect(error?.code == .truncatedCompression, "\(end)")
            #expect(text.starts(with: bytes))
        }
    }

    @Test("A changed byte is damage, and never a crash or wrong content")
    func damaged() throws {
        let file = try compressed(text)
        var generator = SplitMix64(seed: 8)
        // The time, the flags of the speed and the system are not checked by any reader.
        let places =
            [0, 1, 2]
            + (0..<200).map { _ in
                Int.random(in: 10..<file.count, using: &generator)
            }
        for place in places {
            var changed = file
            changed[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
            let (_, error) = try read(changed)
            let isTyped = [.damagedCompression, .truncatedCompression].contains(error?.code)
            #expect(isTyped, "byte \(place): \(String(describing: error))")
        }
    }

    @Test("Bytes after the last member that are not a member are damage")
    func trailing() throws {
        let (bytes, error) = try read(try compressed([1]) + [65, 66])
        #expect(bytes == [1] && error?.code == .damagedCompression)
    }

    @Test("An error of the source is rethrown")
    func refused() throws {
        final class Refusing: ByteSource {
            let name = "x"
            let size: UInt64? = nil
            func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
                throw PlatformError(.inputOutput, operation: "read", path: "x")
            }
        }
        let source = try GzipSource(Refusing())
        var byte: [UInt8] = [0]
        let error = #expect(throws: PlatformError.self) {
            _ = try byte.withUnsafeMutableBytes { try source.read(into: $0) }
        }
        #expect(error?.code == .inputOutput)
    }

    @Test("The name of the content omits the suffix of the compressed file")
    func names() {
        #expect(Compression.nameOfContent("a/data.csv.gz") == "a/data.csv")
        #expect(Compression.nameOfContent("DATA.CSV.GZ") == "DATA.CSV")
        #expect(Compression.nameOfContent("data.csv.zst") == "data.csv")
        #expect(Compression.nameOfContent("data.csv") == "data.csv")
    }
}
