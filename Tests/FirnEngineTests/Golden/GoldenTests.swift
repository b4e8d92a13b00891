import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Files made by earlier builds; see `Tests/Fixtures/golden/README.md`.
///
/// A test that makes its files with the build under test says nothing about the files that users
/// have: writer and reader could change together.
@Suite("Databases of earlier builds")
struct GoldenTests {
    private static let files = [
        "types", "empty", "one-root", "history", "log-one", "log-two", "log-two-folded",
    ]
    /// The files whose content covers later additions to format 1.
    private static let later = files.filter { $0 != "types" && $0 != "history" }
    private static let cases =
        files.map { "format-1/\($0)" } + later.map { "format-1-lengths/\($0)" }
        + files.filter { $0 != "types" }.map { "format-2/\($0)" } + ["format-2-indexes/types"]
    private let folder = TemporaryFolder()

    /// A copy of a golden database, with its log.
    private func copy(_ name: String) throws -> String {
        let path = folder("copy.firn")
        for suffix in ["", "-log0", "-log1"] {
            let source = Fixtures.path("golden/\(name).firn") + suffix
            guard try SystemFileSystem().status(of: source) != nil else { continue }
            try DatabaseImage.put(DatabaseImage.bytes(of: source), at: path + suffix)
        }
        return path
    }

    private func rows(_ name: String, of snapshot: Snapshot) throws -> [RowID: [Value]] {
        try #require(CompactionFixture.contents(of: snapshot)[name])
    }

    private func expectMarks(_ snapshot: Snapshot, newest: LSN) throws {
        #expect(snapshot.version == newest)
        let rows = try rows("Mark", of: snapshot).sorted { $0.key < $1.key }.map(\.value)
        #expect(rows == GoldenMarks.rows(of: newest))
    }

    private func expectTypes(_ snapshot: Snapshot) throws {
        let schema = try #require(snapshot.schema.classNamed("Everything"))
        let person = try #require(snapshot.schema.classNamed("Person"))
        let part = try #require(snapshot.schema.classNamed("Part"))
        #expect(part.isEmbedded && !person.isEmbedded)
        let columns = GoldenContent.columns(person: person.id, part: part.id)
        let found = try rows("Everything", of: snapshot)
        #expect(found.count == 3 && schema.properties.count == columns.count)
        for (index, column) in columns.enumerated() {
            let property = schema.properties[index]
            #expect(property.name == column.definition.name)
            #expect(property.type.container == column.definition.type.container)
            for row in 0..<3 {
                let value = found[RowID(UInt64(row))]?[index]
                // In the order in which the file stores the elements of a set.
                if case .set(let elements) = column.values[row] {
                    guard case .set(let stored)? = value else {
                        Issue.record("\(property.name) of \(row) is not a set")
                        continue
                    }
                    #expect(stored == elements.canonicalSet, "\(property.name) of \(row)")
                } else {
                    #expect(value == column.values[row], "\(property.name) of \(row)")
                }
            }
        }
        #expect(try rows("Person", of: snapshot).count == GoldenContent.personRows.count)
        let parts = try rows("Part", of: snapshot).sorted { $0.key < $1.key }.map(\.value)
        #expect(parts == GoldenContent.partRows)
        let many = try rows("Many", of: snapshot)
        let kept = Set(0..<GoldenContent.manyCount).subtracting(GoldenContent.manyDeleted)
        #expect(many.count == kept.count)
        for number in kept {
            #expect(many[RowID(UInt64(number))] == GoldenContent.manyRow(number), "\(number)")
        }
    }

    private func expectContent(of name: String, _ store: Store) throws {
        let snapshot = try store.snapshot()
        switch name.split(separator: "/").last {
        case "types": try expectTypes(snapshot)
        case "empty":
            #expect(snapshot.version == .zero && snapshot.schema.classes.isEmpty)
        case "one-root": try expectMarks(snapshot, newest: LSN(1))
        default:
            try expectMarks(snapshot, newest: GoldenMarks.newest)
            for version in 1...GoldenMarks.newest.rawValue {
                try expectMarks(store.snapshot(at: .number(LSN(version))), newest: LSN(version))
            }
        }
        try expectFreezes(of: name, store)
    }

    private func expectFreezes(of name: String, _ store: Store) throws {
        guard !["types", "empty", "one-root"].contains(name.split(separator: "/").last) else {
            return
        }
        for freeze in GoldenMarks.freezes {
            try expectMarks(store.snapshot(at: .freeze(freeze.name)), newest: freeze.version)
        }
        let freezes = try store.versions().freezes.map(\.freeze)
        #expect(Set(freezes.map(\.note)) == Set(GoldenMarks.freezes.map(\.note)))
    }

    private func format(of path: String) throws -> UInt32 {
        try SuperblockReading.read(from: SystemServices.real.files.open(path, .readOnly))
            .newest.format
    }

    private func expectSoundDeeply(_ path: String) throws {
        var verifier = Verifier(try Store.open(path, readOnly: true), isDeep: true)
        let report = try verifier.run()
        #expect(report.findings.isEmpty, "\(report.findings.map(\.message))")
    }

    @Test(
        "A golden database is read as it was written, and reading does not change it",
        arguments: cases
    )
    func read(name: String) throws {
        let path = try copy(name)
        let before = try DatabaseImage(of: path)
        try expectSoundDeeply(path)
        let store = try Store.open(path, readOnly: true)
        try expectContent(of: name, store)
        try store.close()
        #expect(try DatabaseImage(of: path) == before)
    }

    @Test("A golden database has its indexes, and their entries match its objects")
    func indexes() throws {
        let path = try copy("format-2-indexes/types")
        let store = try Store.open(path, readOnly: true)
        let snapshot = try store.snapshot()
        var count = 0
        for schema in snapshot.schema.classes {
            let table = try #require(snapshot.table(schema.id))
            for index in schema.indexes {
                count += 1
                #expect(try table.reader(of: index)?.count ?? 0 > 0, "\(schema.name(of: index))")
            }
        }
        #expect(count > 30)
        // This compares all entries with those that this build would make.
        try expectSoundDeeply(path)
    }

    @Test(
        "A golden database accepts a commit of each kind, keeps its content, and ends as one file",
        arguments: cases, [StoreOptions.Logging.never, .always])
    func write(name: String, logging: StoreOptions.Logging) throws {
        let path = try copy(name)
        let store = try Store.open(
            path, readOnly: false, options: GoldenMaker.options(logging))
        try expectContent(of: name, store)
        let transaction = try store.beginWrite()
        let new = try transaction.addClass(
            ClassDefinition(
                name: "New", properties: [.init(name: "n", type: PropertyType(.int))]))
        try transaction.create(in: new.id, [.int(1)])
        let before = transaction.base.version
        _ = try transaction.commit()
        try expectSoundDeeply(path)
        #expect(try rows("New", of: store.snapshot()).count == 1)
        // Version 0 has no content to keep.
        if before > .zero {
            #expect(try store.snapshot(at: .number(before)).version == before)
        }
        try expectFreezes(of: name, store)
        try store.close()
        #expect(try format(of: path) == FileFormat.written)
        #expect(folder.names == ["copy.firn"])
        try expectSoundDeeply(path)
        #expect(try rows("New", of: Store.open(path, readOnly: true).snapshot()).count == 1)
    }
}
