import FirnPlatform
import FirnTesting
import RealmFile
import Testing

/// Files that Realm's own library wrote, compared with the contents that it reads itself.
@Suite("Samples of Realm files")
struct SampleTests {
    @Test("The dump of a file equals the contents that Realm reads", arguments: RealmSample.kept)
    func kept(_ sample: RealmSample) throws {
        let reader = try RealmReader(
            MemoryAccessor(try RealmSample.bytes(sample.name)), key: sample.keyOfFile)
        let text = try SampleDump.text(reader)
        #expect(SHA256.digits(of: Array(text.utf8)) == sample.digest)
    }

    @Test("Every line of a dump equals the expected line", arguments: ["types", "format22"])
    func lines(_ name: String) throws {
        let reader = try RealmReader(MemoryAccessor(try RealmSample.bytes(name)))
        let found = try SampleDump.text(reader).split(separator: "\n")
        let expected = String(
            decoding: try RealmSample.bytes(name, "ndjson"), as: UTF8.self
        ).split(separator: "\n")
        #expect(found.count == expected.count)
        for (number, pair) in zip(found, expected).enumerated() where pair.0 != pair.1 {
            Issue.record("line \(number + 1): \(pair.0) instead of \(pair.1)")
        }
    }

    @Test(
        "The dump of a large file equals the contents that Realm reads",
        .enabled(if: RealmSample.folder != nil), arguments: RealmSample.large)
    func large(_ sample: RealmSample) throws {
        let bytes = try #require(try sample.largeBytes())
        let reader = try RealmReader(MemoryAccessor(bytes), key: sample.keyOfFile)
        // Realm itself reads elements above 16 MB as null, though it wrote them completely.
        let whole =
            "{\"$text\":{\"len\":17000000,\"sha256\":"
            + "\"27582607deb045d4552aa9b5908cb8f6bd9cd8ffa37216356fd4e145e07277ed\"}}"
        var text = ""
        try SampleDump(reader) { line in
            text += line.replacing("[\"before\",\(whole),", with: "[\"before\",null,") + "\n"
        }.run()
        #expect(SHA256.digits(of: Array(text.utf8)) == sample.digest)
    }

    @Test("A file on disk is read like a file in memory")
    func file() throws {
        let files = SystemServices.real.files
        let path = RealmSample.path("encrypted-streaming.realm")
        let reader = try RealmReader(
            FileAccessor(try files.open(path, .readOnly)), key: RealmSample.key)
        #expect(reader.isEncrypted)
        let expected = try RealmSample.bytes("encrypted-streaming", "ndjson")
        #expect(Array(try SampleDump.text(reader).utf8) == expected)
    }

    @Test("The schema version equals the version of the app")
    func schemaVersion() throws {
        let types = try RealmReader(MemoryAccessor(try RealmSample.bytes("types")))
        #expect(types.schemaVersion == 7)
        #expect(types.formatVersion == 24)
        let streaming = try RealmReader(MemoryAccessor(try RealmSample.bytes("streaming")))
        #expect(streaming.schemaVersion == nil)
    }

    @Test(
        "Formats that differ only in their number are read in the same way",
        arguments: [10, 11, 20, 23])
    func format(_ version: UInt8) throws {
        var bytes = try RealmSample.bytes("streaming")
        bytes[20] = version
        let reader = try RealmReader(MemoryAccessor(bytes))
        #expect(reader.formatVersion == version)
        let expected = try RealmSample.bytes("streaming", "ndjson")
        #expect(Array(try SampleDump.text(reader).utf8) == expected)
    }

    @Test("An empty file is a database without classes")
    func noBytes() throws {
        #expect(try RealmReader(MemoryAccessor([])).classes.isEmpty)
    }
}
