import FirnEngine
import FirnPlatform
import FirnTesting
import FirnTools
import FirnValues
import Testing

@Suite("firn check --salvage")
struct SalvageTests {
    private var harness = CommandHarness()
    private let file: String

    init() throws {
        harness.rowsPerGroup = 10
        file = harness.folder("shop.firn")
        var lines = ""
        for id in 0..<40 {
            lines +=
                "{\"$class\":\"Item\",\"$id\":\(id),\"name\":\"item \(id)\",\"note\":\"n\(id)\","
            lines += "\"size\":{\"w\":\(id)}}\n"
        }
        for id in 0..<20 {
            lines +=
                "{\"$class\":\"Order\",\"number\":\(id),\"items\":[{\"$ref\":\"Item\",\"id\":\(id)},"
            lines += "{\"$ref\":\"Item\",\"id\":\(id + 20)}]}\n"
        }
        let made = harness.run(
            ["create", file, "--from", "-", "-q", "--type", "name=String"], input: lines)
        try #require(made.status == 0, "\(made.errors)")
    }

    private func bytes() throws -> [UInt8] { try Fixtures.read(file) }

    /// Damages the page of a property in a row group.
    private func damage(_ className: String, _ property: String, group: Int) throws {
        let store = try Store.open(file, readOnly: true, services: .real)
        let snapshot = try store.snapshot()
        let schema = try #require(snapshot.schema.classNamed(className))
        let pages = try #require(snapshot.table(schema.id)).pageStatistics()
        let page = try #require(
            pages.first { $0.property.name == property && $0.rowGroup == group })
        let opened = try SystemServices.real.files.open(file, .readWrite)
        try [UInt8](repeating: 0xA5, count: Int(page.storedByteCount)).withUnsafeBytes {
            try opened.write($0, at: page.offset)
        }
    }

    private func salvage(_ name: String = "saved.firn") -> (run: CommandHarness.Run, out: String) {
        let out = harness.folder(name)
        return (harness.run(["check", file, "--salvage", out]), out)
    }

    @Test("Everything is saved from a sound file, with the identities of its objects")
    func whole() throws {
        let (run, out) = salvage()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("\"name\":\"Item\",\"objects\":40,\"lost\":0"), "\(run.output)")
        #expect(harness.run(["export", out]).output == harness.run(["export", file]).output)
        #expect(harness.run(["check", out, "--deep"]).status == 0)
    }

    @Test("An unreadable optional value becomes nil, and its object is kept")
    func values() throws {
        let alter = harness.run(["alter", file, "retype Item.note String?", "-q"])
        try #require(alter.status == 0, "\(alter.errors)")
        try damage("Item", "note", group: 1)
        #expect(harness.run(["query", file, "Item SORT(note)"]).status == 74)
        let (run, out) = salvage()
        #expect(run.status == 1)
        #expect(run.output.contains("\"lostValues\":10"), "\(run.output)")
        #expect(harness.run(["query", out, "Item | count", "-r"]).output == "40\n")
        #expect(harness.run(["query", out, "Item note == nil | count", "-r"]).output == "10\n")
        #expect(harness.run(["query", out, "Item note == \"n15\" | count", "-r"]).output == "0\n")
        #expect(harness.run(["query", out, "Item note == \"n25\" | count", "-r"]).output == "1\n")
        #expect(harness.run(["check", out, "--deep"]).status == 0)
    }

    @Test("Objects without a readable key or required value are lost, as are links to them")
    func objects() throws {
        try damage("Item", "name", group: 1)
        let (run, out) = salvage()
        #expect(run.status == 1)
        #expect(run.output.contains("\"objects\":30,\"lost\":10"), "\(run.output)")
        // Orders 10 to 19 linked to items 10 to 19.
        #expect(run.output.contains("\"lostLinks\":10,\"orphans\":10"), "\(run.output)")
        #expect(harness.run(["query", out, "Item | count", "-r"]).output == "30\n")
        #expect(
            harness.run(["query", out, "Order items.@count == 1 | count", "-r"]).output == "10\n")
        #expect(harness.run(["check", out, "--deep"]).status == 0)
        let text = harness.run(["check", file, "--salvage", harness.folder("t.firn"), "-f", "text"])
        #expect(text.output.contains("  Item: 10 of 40 objects are lost\n"), "\(text.output)")
        #expect(text.output.contains("10 links"), "\(text.output)")
    }

    @Test("Whatever is damaged, the saved database is sound")
    func anything() throws {
        let original = try bytes()
        var saved = 0
        for offset in stride(from: 16_384, to: original.count, by: 512) {
            var damaged = original
            damaged.replaceSubrange(
                offset..<offset + 512, with: [UInt8](repeating: 0xFF, count: 512))
            let disk = SimulatedFileSystem()
            disk.setContents(of: "/a.firn", to: damaged)
            let services = disk.services(entropySeed: 3)
            // Without its catalog the content of a file is unknown.
            guard let store = try? Store.open("/a.firn", readOnly: true, services: services),
                let snapshot = try? store.snapshot()
            else { continue }
            do throws(StoreError) {
                _ = try store.salvage(snapshot, to: "/b.firn")
            } catch {
                Issue.record("\(offset): \(error)")
                continue
            }
            saved += 1
            var verifier = Verifier(
                try Store.open("/b.firn", readOnly: true, services: services), isDeep: true)
            let findings = try verifier.run().findings
            #expect(findings.isEmpty, "\(offset): \(findings)")
        }
        #expect(saved > 10)
    }

    @Test("No file is overwritten, and a file that cannot be opened saves nothing")
    func refused() throws {
        let out = harness.folder("there.firn")
        try Fixtures.write("here", to: out)
        #expect(harness.run(["check", file, "--salvage", out]).status == 73)
        let cut = harness.folder("cut.firn")
        try Fixtures.write(Array(try bytes().prefix(20_000)), to: cut)
        let run = harness.run(["check", cut, "--salvage", harness.folder("x.firn"), "-f", "text"])
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.output.contains("nothing could be salvaged"), "\(run.output)")
    }
}
