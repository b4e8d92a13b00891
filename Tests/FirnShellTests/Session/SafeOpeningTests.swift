import FirnTesting
import FirnTools
import Glibc
import Testing

@testable import FirnShell

/// A database from an untrusted source: no part of it is trusted before it was checked.
@Suite("The requirements of --safe for a database")
struct SafeOpeningTests {
    private var harness = ShellHarness()
    private let file: String

    init() throws {
        file = try harness.makePeople()
        harness.invocation.isSafe = true
    }

    @Test("A sound file under its own name is opened", .tags(.security))
    func sound() throws {
        #expect(harness.run("Person | count", on: file).output == "{\"count\":3}\n")
        #expect(harness.run("Person | count", on: harness.folder("none.firn")).status == 66)
    }

    @Test(
        "A symbolic link is refused, except among the folders above the file",
        .tags(.security))
    func links() throws {
        let link = harness.folder("link.firn")
        try #require(symlink(file, link) == 0)
        let refused = harness.run("Person | count", on: link)
        #expect(refused.status == 77)
        #expect(
            refused.errors.hasPrefix("error: --safe does not follow symbolic links"),
            "\(refused.errors)")
        try #require(symlink(harness.folder.path, harness.folder("folder")) == 0)
        #expect(harness.run("Person | count", on: harness.folder("folder/people.firn")).status == 0)
        var trusting = harness
        trusting.invocation.isSafe = false
        #expect(trusting.run("Person | count", on: link).status == 0)
    }

    @Test(
        "Damage anywhere is found before the first statement, even if no statement reads it",
        .tags(.security))
    func damage() throws {
        let bytes = try DatabaseImage.bytes(of: file)
        var foundCount = 0
        for offset in stride(from: 8192, to: bytes.count, by: 512) {
            var damaged = bytes
            damaged[offset] ^= 0x10
            let path = harness.folder("damaged\(offset).firn")
            try DatabaseImage.put(damaged, at: path)
            let run = harness.run(".help quit", on: path)
            if run.status == 74 { foundCount += 1 }
            #expect(run.status == 0 || run.status == 74, "\(offset): \(run)")
        }
        #expect(foundCount > 3)
    }
}
