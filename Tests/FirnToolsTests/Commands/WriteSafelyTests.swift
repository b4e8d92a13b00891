import FirnTesting
import FirnTools
import Foundation
import Testing

@Suite("Writing untrusted data with --safe")
struct WriteSafelyTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws {
        file = harness.folder("a.firn")
        let made = harness.run(
            ["create", file, "--from", "-", "--class", "P", "--key", "id", "-q"],
            input: "id,name\n1,Bo\n")
        try #require(made.status == 0, "\(made)")
    }

    private func write(_ words: [String]) -> CommandHarness.Run {
        harness.run(
            ["write"] + words + ["-c", "P", "--safe", "-"], input: "{\"id\":2,\"name\":\"Cy\"}\n")
    }

    @Test("A safe write of valid data is like any write", .tags(.security))
    func writes() throws {
        #expect(write([file]).status == 0)
        #expect(harness.run(["query", file, "P", "--count", "-r"]).output == "2\n")
        let fresh = harness.folder("new.firn")
        #expect(write([fresh, "--create"]).status == 0)
        #expect(write([fresh]).status != 77)
    }

    @Test("A safe write follows no symbolic link", .tags(.security))
    func links() throws {
        let link = harness.folder("link.firn")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let run = write([link])
        #expect(run.status == 77)
        #expect(run.errors.contains("--safe does not follow symbolic links"))
        #expect(harness.run(["query", file, "P", "--count", "-r"]).output == "1\n")
    }

    @Test("A safe write refuses a database with damage anywhere", .tags(.security))
    func damage() throws {
        let bytes = try DatabaseImage.bytes(of: file)
        var foundCount = 0
        for offset in stride(from: 8192, to: bytes.count, by: 512) {
            var damaged = bytes
            damaged[offset] ^= 0x10
            let path = harness.folder("damaged\(offset).firn")
            try DatabaseImage.put(damaged, at: path)
            let run = write([path])
            #expect(run.status == 0 || run.status == 74, "\(offset): \(run)")
            guard run.status == 74 else { continue }
            foundCount += 1
            #expect(try DatabaseImage.bytes(of: path) == damaged)
        }
        #expect(foundCount > 3)
    }

    @Test("A safe write touches no other file", .tags(.security))
    func others() {
        for words in [["--on-error", "save=x"], ["--cursor-file", "x", "--input", "observe"]] {
            let run = write([file] + words)
            #expect(run.status == 64)
            #expect(run.errors.contains("--safe cannot be combined with"), "\(run.errors)")
        }
    }
}
