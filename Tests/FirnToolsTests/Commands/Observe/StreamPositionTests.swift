import FirnPlatform
import FirnTesting
import Testing

@testable import FirnFormats
@testable import FirnTools

/// The number of a version does not say of which history it is.
@Suite("Positions in a stream")
struct StreamPositionTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws {
        file = harness.folder("a.firn")
        let made = harness.run(
            ["create", file, "--from", "-", "-c", "N", "--key", "id", "-q"], input: "{\"id\":0}\n")
        try #require(made.status == 0, "\(made)")
    }

    private func insert(_ id: Int) throws {
        let run = harness.run(["write", file, "-", "-c", "N", "-q"], input: "{\"id\":\(id)}\n")
        try #require(run.status == 0, "\(run)")
    }

    private func lines(_ more: String...) -> [Substring] {
        harness.run(
            ["observe", file, "N", "--shape", "rows", "--idle", "1ms", "--heartbeat", "off"] + more
        ).output.split(separator: "\n")
    }

    private func token(in line: Substring?) throws -> String {
        let rest = try #require(line?.firstRange(of: "\"token\":\"")).upperBound
        return String(try #require(line)[rest...].prefix { $0 != "\"" })
    }

    private func copy(_ path: String, to other: String) throws {
        let bytes = try DatabaseImage.bytes(of: path)
        try? harness.services.files.remove(other)
        try DatabaseImage.put(bytes, at: other)
    }

    @Test("A restored older copy is a different history, even with the same versions")
    func putBack() throws {
        try insert(1)
        let kept = harness.folder("kept.firn")
        try copy(file, to: kept)
        try insert(2)
        let token = try token(in: lines().last)
        try #require(lines("--since", token).first?.contains("\"type\":\"resume\"") == true)
        try copy(kept, to: file)
        try insert(7)
        let again = lines("--since", token)
        #expect(again.first?.contains("\"type\":\"reset\"") == true, "\(again)")
        #expect(again.first?.contains("\"reason\":\"replaced\"") == true, "\(again)")
        #expect(again.contains { $0.contains("\"id\":7") }, "\(again)")
    }

    @Test("The token of a reset starts over, because nothing was delivered yet")
    func reset() throws {
        try insert(1)
        let reset = try #require(lines("--since", "99").first)
        #expect(reset.contains("\"type\":\"reset\""))
        let token = try token(in: reset)
        let run = harness.run(["write", file, "-x", "N id == 1 | delete", "-q"])
        try #require(run.status == 0, "\(run)")
        // A reader that had stopped there would keep the deleted object for ever.
        let again = lines("--since", token)
        #expect(again.first?.contains("\"type\":\"resume\"") == false, "\(again)")
        #expect(again.contains { $0.contains("\"id\":0") }, "\(again)")
        #expect(!again.contains { $0.contains("\"id\":1") }, "\(again)")
    }

    @Test("If two observers share a position, the slower one does not move it back")
    func shared() throws {
        let path = harness.folder("c")
        let (one, other) = (
            CursorFile(path, harness.services), CursorFile(path, harness.services)
        )
        try one.checkWritable()
        try other.checkWritable()
        try one.store("o1.5.a")
        do {
            try other.store("o1.4.b")
            Issue.record("the position was moved back")
        } catch {
            guard case .diagnostic(let diagnostic) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(diagnostic.slug == .lockHeld)
            #expect(diagnostic.remedy?.contains("--cursor-file of its own") == true)
        }
        #expect(try one.token() == "o1.5.a")
        try one.store("o1.6.c")
        // A user removes the file to begin again.
        try harness.services.files.remove(path)
        try one.store("o1.7.d")
        #expect(try other.token() == "o1.7.d")
        try other.store("o1.8.e")
    }
}
