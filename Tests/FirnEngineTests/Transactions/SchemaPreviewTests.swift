import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Previews of a schema")
struct SchemaPreviewTests {
    private static let path = "/items.firn"
    private static let rowCount = 20
    /// A class with links to classes of the file.
    private static let desk = ClassDefinition(
        name: "Desk",
        properties: [
            .init(name: "id", type: PropertyType(.string)),
            .init(name: "item", type: PropertyType(.link), targetName: "Item"),
        ], keyName: "id")

    private let disk = SimulatedFileSystem()

    init() throws {
        try makeSample(
            SchemaPreviewTests.path, rowCount: SchemaPreviewTests.rowCount,
            services: disk.services(entropySeed: 1))
    }

    private func open(readOnly: Bool = true) throws -> Store {
        try Store.open(
            SchemaPreviewTests.path, readOnly: readOnly,
            services: disk.anotherProcess().services(entropySeed: 2))
    }

    /// A version with a preview of desks.
    private func withDesks(_ snapshot: Snapshot) throws -> (imagined: Snapshot, desk: ClassSchema) {
        let imagined = try snapshot.withSchemaPreview { transaction throws(StoreError) in
            try transaction.addClass(SchemaPreviewTests.desk)
        }
        return (imagined, try #require(imagined.schema.classNamed("Desk")))
    }

    @Test("A preview has the added classes, without objects")
    func empty() throws {
        let (imagined, desk) = try withDesks(try open().snapshot())
        let table = try #require(imagined.table(desk.id))
        #expect(table.liveRowCount == 0)
        #expect(try table.rowGroups().isEmpty && table.liveRowIDs().isEmpty)
        #expect(try table.row(forKey: .string("a")) == nil)
        #expect(try table.locate(RowID(0)) == nil && table.values(of: RowID(0)) == nil)
        let cursor = try #require(ObjectCursor(imagined, desk.id))
        #expect(try !cursor.move(to: RowID(0)))
    }

    @Test("A preview has no links from the added classes to objects of the file")
    func links() throws {
        let snapshot = try open().snapshot()
        let item = try #require(snapshot.schema.classNamed("Item"))
        let imagined = try snapshot.withSchemaPreview { transaction throws(StoreError) in
            try transaction.addClass(SchemaPreviewTests.desk)
            _ = try transaction.apply(
                .schema(
                    .addInverse(
                        item.id,
                        .init(name: "desks", sourceClassName: "Desk", sourcePropertyName: "item"))))
        }
        let desk = try #require(imagined.schema.classNamed("Desk"))
        let property = try #require(desk.propertyNamed("item"))
        #expect(imagined.schema[item.id]?.inverseNamed("desks")?.sourceClass == desk.id)
        let sources = try imagined.sources(
            of: [RowID(0), RowID(5)], in: item.id, through: property, of: desk)
        #expect(Array(sources[0]).isEmpty && Array(sources[1]).isEmpty)
    }

    @Test("A preview has all objects of the file, from its pages and from its log")
    func content() throws {
        let store = try open(readOnly: false)
        let item = try store.itemClass()
        let transaction = try store.beginWrite()
        try transaction.create(in: item.id, Sample.values(SchemaPreviewTests.rowCount))
        try transaction.delete(RowID(3), in: item.id)
        _ = try transaction.commit()
        let snapshot = try store.snapshot()
        let (imagined, _) = try withDesks(snapshot)
        #expect(imagined.version == snapshot.version)
        let table = try #require(imagined.table(item.id))
        let known = try contents(of: snapshot)
        #expect(
            table.liveRowCount == SchemaPreviewTests.rowCount && known.count == table.liveRowCount)
        for row in try table.liveRowIDs() {
            #expect(try table.values(of: row) == known[row.rawValue])
        }
        #expect(try table.row(forKey: .int(7)) == RowID(7))
        #expect(try table.row(forKey: .int(3)) == nil)
        #expect(try table.row(forKey: .int(20)) == RowID(20))
    }

    @Test("Only the caller sees its preview")
    func unwritten() throws {
        let before = try #require(disk.contents(of: SchemaPreviewTests.path))
        let store = try open(readOnly: false)
        let snapshot = try store.snapshot()
        let (_, desk) = try withDesks(snapshot)
        #expect(snapshot.schema.classNamed("Desk") == nil && snapshot.table(desk.id) == nil)
        #expect(try store.snapshot().schema.classNamed("Desk") == nil)
        #expect(try store.snapshot().version == LSN(1))
        // Writers are not blocked, and no part of the preview is written.
        let transaction = try store.beginWrite()
        #expect(transaction.schema.classNamed("Desk") == nil)
        transaction.rollback()
        try store.close()
        #expect(disk.contents(of: SchemaPreviewTests.path) == before)
        #expect(try open().snapshot().schema.classes.map(\.name) == ["Item"])
    }

    @Test("The added classes are in no file, and differ for each of its schemas")
    func identities() throws {
        let store = try open(readOnly: false)
        let first = try withDesks(try store.snapshot())
        let again = try withDesks(try store.snapshot())
        #expect(first.desk.id.isImagined && again.desk.id == first.desk.id)
        #expect(try !store.itemClass().id.isImagined)
        let transaction = try store.beginWrite()
        let stored = try transaction.addClass(
            ClassDefinition(
                name: "Shelf", properties: [.init(name: "label", type: PropertyType(.string))]))
        _ = try transaction.commit()
        #expect(!stored.id.isImagined)
        let later = try withDesks(try store.snapshot())
        #expect(later.desk.id.isImagined && later.desk.id != first.desk.id)
        #expect(later.imagined.table(first.desk.id) == nil)
        #expect(first.imagined.table(later.desk.id) == nil)
    }

    @Test("A preview with invalid changes is refused")
    func refused() throws {
        let store = try open(readOnly: false)
        let snapshot = try store.snapshot()
        let error = #expect(throws: StoreError.self) {
            try snapshot.withSchemaPreview { transaction throws(StoreError) in
                try transaction.addClass(SchemaPreviewTests.desk)
                try transaction.addClass(Sample.definition)
            }
        }
        #expect(error?.code == .invalidSchema)
        #expect(snapshot.schema.classNamed("Desk") == nil)
        try expectSound(store)
    }
}
