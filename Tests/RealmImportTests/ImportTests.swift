import FirnEngine
import FirnTesting
import FirnValues
import RealmFile
import RealmImport
import Testing

/// Imports of files that Realm's own library wrote, compared with the contents of the files, which
/// `RealmFileTests` compares with those that Realm reads.
@Suite("Imports of Realm files")
struct ImportTests {
    /// The differences that the report of an import names.
    private static func withoutLosses(_ text: String) -> String {
        text.replacing(
            "\"$table\":\"Emb\",\"kind\":\"embedded\"",
            with: "\"$table\":\"Emb\",\"kind\":\"object\""
        )
        .replacing("{\"$rawtext\":\"YmFkIP/+IHV0Zjg=\"}", with: "\"bad \u{FFFD}\u{FFFD} utf8\"")
        .replacing(
            "[-9223372036854775808,-999999999]", with: "[-9223372036854775808,0]"
        )
        .replacing(
            "[\"before\",{\"$text\":{\"len\":17000000,\"sha256\":"
                + "\"27582607deb045d4552aa9b5908cb8f6bd9cd8ffa37216356fd4e145e07277ed\"}},",
            with: "[\"before\",\"\","
        )
        .replacing("{\"$rawtext\":\"ww==\"}", with: "\"\u{FFFD}\"")
        .replacing(
            "{\"name\":\"x\",\"type\":\"int\",\"nullable\":false,\"collection\":null}]}\n"
                + "{\"$table\":\"Scalars\"",
            with: "]}\n{\"$table\":\"Scalars\"")
    }

    private func compare(_ imported: ImportedRealm) throws {
        let found = try imported.dump().split(separator: "\n")
        var text = ""
        try SampleDump(imported.reader, hasDatesOfOneSign: true) { text += $0 + "\n" }.run()
        let expected = Self.withoutLosses(text).split(separator: "\n")
        #expect(found.count == expected.count)
        for (number, pair) in zip(found, expected).enumerated() where pair.0 != pair.1 {
            Issue.record("line \(number + 1): \(pair.0) instead of \(pair.1)")
        }
    }

    @Test(
        "The dump of the database equals the dump of the Realm file",
        arguments: RealmSample.imported)
    func kept(_ sample: RealmSample) throws {
        let imported = try ImportedRealm(
            try RealmSample.bytes(sample.name), key: sample.keyOfFile)
        try compare(imported)
        var verifier = Verifier(imported.store, isDeep: true)
        #expect(try verifier.run().findings.isEmpty)
    }

    @Test(
        "The dump of the database from a large file equals the dump of the Realm file",
        .enabled(if: RealmSample.folder != nil), arguments: RealmSample.large)
    func large(_ sample: RealmSample) throws {
        let bytes = try #require(try sample.largeBytes())
        let imported = try ImportedRealm(bytes, key: sample.keyOfFile)
        #expect(imported.report.longElements == (sample.name == "big" ? 1 : 0))
        try compare(imported)
    }

    @Test("The report names what has no exact counterpart, and counts links and strings")
    func report() throws {
        let imported = try ImportedRealm("types")
        let report = imported.report
        #expect(report.renamings.isEmpty)
        #expect(report.repairedTexts == 2)
        #expect(report.unresolvedLinks > 0)
        #expect(report.changedDates == 38)
        #expect(report.changedKeys == 0 && report.unownedObjects == 0)
        let lines = report.lines
        #expect(lines.contains("2 texts were not UTF-8; their wrong bytes were replaced"))
        #expect(lines.contains { $0.hasPrefix("Asym is not imported") })
        #expect(lines.contains { $0.hasPrefix("Emb can contain itself") })
        #expect(try imported.store.snapshot().modelVersion == 7)
        #expect(try ImportedRealm("people").report.lines.isEmpty)
    }

    @Test("Embedded objects belong to their owners, and are deleted with them")
    func embedded() throws {
        let imported = try ImportedRealm("people")
        let snapshot = try imported.store.snapshot()
        let address = try #require(snapshot.schema.classNamed("Address"))
        #expect(address.isEmbedded)
        #expect(snapshot.table(address.id)?.liveRowCount == 797)
    }

    @Test("A prefix is added to the names of all classes")
    func prefix() throws {
        let imported = try ImportedRealm(try RealmSample.bytes("format22"), prefix: "Old")
        let schema = try imported.store.snapshot().schema
        #expect(schema.classes.map(\.name) == ["OldOld", "OldT"])
        #expect(schema.classNamed("OldOld")?.propertyNamed("links")?.type.target != nil)
    }

    @Test("The classes of a program determine property names and integer widths")
    func models() throws {
        let model = ClassDefinition(
            name: "Thing",
            properties: [
                .init(
                    name: "number", type: PropertyType(.int, integerWidth: .bits16),
                    columnName: "id"),
                .init(name: "v", type: PropertyType(.string)),
            ], keyName: "number")
        let imported = try ImportedRealm(try RealmSample.bytes("streaming"), models: [model])
        let schema = try #require(try imported.store.snapshot().schema.classNamed("Thing"))
        #expect(schema.keyProperty?.name == "number")
        #expect(schema.keyProperty?.columnName == "id")
        #expect(schema.keyProperty?.type.integerWidth == .bits16)
        #expect(imported.report.lines.isEmpty)
    }

    @Test("A value too wide for the property of the program is an error")
    func unfitting() throws {
        let model = ClassDefinition(
            name: "Thing",
            properties: [.init(name: "id", type: PropertyType(.int, integerWidth: .bits8))])
        let bytes = try RealmSample.bytes("streaming")
        let error = #expect(throws: RealmImportError.self) {
            try ImportedRealm(bytes, models: [model])
        }
        guard case .store(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.detail.contains("128 is out of the range of id of Thing, which is Int8"))
    }
}
