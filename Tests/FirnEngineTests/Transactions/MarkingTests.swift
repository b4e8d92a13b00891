import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Marking a property as indexed")
struct MarkingTests {
    private static let path = "/items.firn"
    private static let rowCount = 20

    private let disk = SimulatedFileSystem()

    init() throws {
        try makeSample(
            MarkingTests.path, rowCount: MarkingTests.rowCount,
            services: disk.services(entropySeed: 1))
    }

    private func open(
        _ logging: StoreOptions.Logging = .automatic, entropySeed: UInt64 = 2
    ) throws -> Store {
        var options = StoreOptions()
        options.logging = logging
        return try Store.open(
            MarkingTests.path, readOnly: false,
            services: disk.anotherProcess().services(entropySeed: entropySeed), options: options)
    }

    private func marked(_ store: Store) throws -> [String] {
        try store.itemClass().properties.filter(\.isIndexed).map(\.name)
    }

    private func mark(
        _ name: String, isIndexed: Bool = true, in transaction: WriteTransaction
    ) throws {
        let item = try #require(transaction.schema.classNamed("Item"))
        let property = try #require(item.propertyNamed(name))
        try transaction.markProperty(property.id, of: item.id, isIndexed: isIndexed)
    }

    @Test(
        "The mark is stored in the file, and the objects are kept",
        arguments: [.automatic, .never] as [StoreOptions.Logging])
    func kept(_ logging: StoreOptions.Logging) throws {
        let before: [UInt64: [Value]]
        do {
            let store = try open(logging)
            // With a log that contains an object.
            for number in 0..<3 {
                let transaction = try store.beginWrite()
                try transaction.create(
                    in: store.itemClass().id, Sample.values(MarkingTests.rowCount + number))
                _ = try transaction.commit()
            }
            before = try store.contents()
            let transaction = try store.beginWrite()
            try mark("name", in: transaction)
            try mark("score", in: transaction)
            _ = try transaction.commit()
            #expect(try marked(store) == ["name", "score"])
            #expect(try store.contents() == before)
            try store.close()
        }
        let store = try open(logging)
        #expect(try marked(store) == ["name", "score"])
        #expect(try store.contents() == before)
        let transaction = try store.beginWrite()
        try mark("name", isIndexed: false, in: transaction)
        _ = try transaction.commit()
        #expect(try marked(store) == ["score"])
        try expectSound(store)
    }

    @Test("Marking is combined with other changes, and undone with them")
    func together() throws {
        let store = try open()
        let item = try store.itemClass()
        let abandoned = try store.beginWrite()
        try mark("name", in: abandoned)
        abandoned.rollback()
        #expect(try marked(store).isEmpty)
        let transaction = try store.beginWrite()
        try transaction.addProperty(
            .init(name: "note", type: PropertyType(.string, isOptional: true)), to: item.id)
        try mark("note", in: transaction)
        try transaction.delete(RowID(3), in: item.id)
        _ = try transaction.commit()
        #expect(try marked(store) == ["note"])
        #expect(try store.contents().count == MarkingTests.rowCount - 1)
        #expect(try store.contents()[4] == Sample.values(4) + [.null])
        try expectSound(store)
    }

    @Test("Marking notifies followers of the file that its classes have changed")
    func followed() throws {
        let follower = try open(entropySeed: 3)
        let before = try follower.snapshot()
        let store = try open()
        let transaction = try store.beginWrite()
        try mark("when", in: transaction)
        _ = try transaction.commit()
        let after = try follower.snapshot()
        #expect(after.schemaVersion > before.schemaVersion)
        #expect(try marked(follower) == ["when"])
        #expect(before.schema.classNamed("Item")?.properties.allSatisfy { !$0.isIndexed } == true)
    }

    @Test("Marking an unknown property is refused")
    func unknown() throws {
        let store = try open()
        let item = try store.itemClass()
        let transaction = try store.beginWrite()
        let error = #expect(throws: StoreError.self) {
            try transaction.markProperty(PropertyID(99), of: item.id, isIndexed: true)
        }
        #expect(error?.code == .unknownProperty)
    }
}
