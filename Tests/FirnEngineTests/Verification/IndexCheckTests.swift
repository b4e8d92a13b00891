import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Every test makes a database with valid bytes and wrong content, as a bug would leave it, and
/// runs the verifier.
@Suite("A check of indexes and links")
struct IndexCheckTests {
    private let store: Store
    private let city: ClassSchema
    private let person: ClassSchema
    private let room: ClassSchema

    /// Ten cities with unordered keys, and thirty persons that link to them in every way and own
    /// rooms, one of them with a large list.
    init() throws {
        let services = SimulatedFileSystem().services()
        let creation = try Store.create(
            "a.firn", services: services, options: Sample.options(rowsPerGroup: 8))
        let transaction = try creation.store.beginWrite()
        let classes = try transaction.addClasses([
            ClassDefinition(
                name: "City", properties: [.init(name: "id", type: PropertyType(.int))],
                keyName: "id"),
            ClassDefinition(
                name: "Person",
                properties: [
                    .init(name: "home", type: PropertyType(.link), targetName: "City"),
                    .init(
                        name: "visited", type: PropertyType(.link, container: .list),
                        targetName: "City"),
                    .init(name: "room", type: PropertyType(.link), targetName: "Room"),
                    .init(name: "steps", type: PropertyType(.int, container: .list)),
                ]),
            ClassDefinition(
                name: "Room", properties: [.init(name: "size", type: PropertyType(.int))],
                isEmbedded: true),
        ])
        (city, person, room) = (classes[0], classes[1], classes[2])
        var cities: [Value] = []
        for number in 0..<10 {
            let row = try transaction.create(in: city.id, [.int(Int64(number * 7 % 10))])
            cities.append(.link(ObjectReference(classID: city.id, rowID: row)))
        }
        for number in 0..<30 {
            let row = try transaction.create(in: room.id, [.int(Int64(number))])
            try transaction.create(
                in: person.id,
                [
                    cities[number % 10], .list([cities[0], cities[0], cities[number % 3]]),
                    .link(ObjectReference(classID: room.id, rowID: row)),
                    .list((0..<(number == 4 ? 2_000 : 2)).map { .int($0) }),
                ])
        }
        _ = try transaction.commit()
        try creation.publish()
        // Changes without an operation are in no log: every commit must be a root.
        var options = StoreOptions()
        options.logging = .never
        store = try Store.open("a.firn", readOnly: false, services: services, options: options)
    }

    /// Commits a change that no caller could make.
    private func commit(_ change: (WriteTransaction) throws -> Void) throws {
        let transaction = try store.beginWrite()
        try change(transaction)
        transaction.overlay.hasSchemaChanges = true
        transaction.hasChanges = true
        _ = try transaction.commit()
    }

    private func messages() throws -> [String] {
        var verifier = Verifier(store, isDeep: false)
        return try verifier.run().findings.filter { $0.kind == .index }.map(\.message)
    }

    @Test("A check of a sound database finds nothing")
    func sound() throws { try expectSound(store) }

    @Test("A check finds links that are not in their index")
    func missingLinks() throws {
        let home = person.properties[0].id
        try commit { $0.overlay.catalog.update(person.id) { $0.linkIndexes[home] = nil } }
        #expect(try messages().contains { $0.contains("Person.home has 0 links, the objects 30") })
    }

    @Test("A check finds links in the index that no object has")
    func surplusLinks() throws {
        let home = person.properties[0].id
        try commit { transaction in
            let target = ObjectReference(classID: city.id, rowID: RowID(3))
            transaction.overlay.changeLinks(of: person.id, home) { $0.add(1, target, RowID(0)) }
        }
        #expect(try messages().contains { $0.contains("Person.home has 31 links, the objects 30") })
    }

    @Test("A check finds a link to an object that does not exist")
    func dangling() throws {
        try commit { transaction in
            transaction.overlay.patch(city.id, RowID(0)) { $0.deleted.insert(2) }
            transaction.overlay.change(city.id) { changes in
                changes.liveRowDelta -= 1
                changes.keys = .unlisted
            }
        }
        let found = try messages()
        #expect(found.contains { $0.contains("links of Person.home lead to no object") })
        #expect(found.contains { $0.contains("links of Person.visited lead to no object") })
    }

    @Test("A check finds missing keys in an index, and unordered keys without an index")
    func keys() throws {
        try commit { transaction in
            try transaction.store(.int(77), city.properties[0], of: RowID(2), in: city)
        }
        #expect(try messages().contains { $0.contains("key index of City misses 77") })
        try commit { transaction in
            try transaction.store(.int(8), city.properties[0], of: RowID(2), in: city)
        }
        #expect(try messages().contains { $0.contains("lead from 8 to its object") })
        try commit { transaction in
            let street = try transaction.addClass(
                ClassDefinition(
                    name: "Street", properties: [.init(name: "id", type: PropertyType(.int))],
                    keyName: "id"))
            for number in 0..<20 {
                try transaction.create(in: street.id, [.int(Int64(number))])
            }
            try transaction.sealAll()
            try transaction.store(.int(3), street.properties[0], of: RowID(12), in: street)
        }
        #expect(try messages().contains { $0.contains("keys of Street do not ascend") })
    }

    @Test("A check finds embedded objects with no parent or with two")
    func parents() throws {
        let property = person.properties[2]
        try commit { transaction in
            // The second person takes the room of the first, whose own room then has no owner.
            try transaction.store(
                .link(ObjectReference(classID: room.id, rowID: RowID(0))), property,
                of: RowID(1), in: person)
            transaction.overlay.change(person.id) { $0.links[property.id] = .unlisted }
        }
        #expect(try messages().contains { $0.contains("2 embedded Room have not exactly one") })
    }

    @Test("A check finds a large collection without its elements")
    func largeCollections() throws {
        let steps = person.properties[3].id
        try commit { $0.overlay.catalog.update(person.id) { $0.collectionTrees[steps] = nil } }
        #expect(try messages().contains { $0.contains("elements of 0 objects, 1 say so") })
    }
}
