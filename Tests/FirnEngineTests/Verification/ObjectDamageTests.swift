import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A damaged file with every kind of page: collections in row groups and in trees of their own,
/// maps, sets, link indexes, a key index, embedded objects, delete marks.
@Suite("Damaged files of linked objects")
struct ObjectDamageTests {
    private static let path = "/damage.firn"

    private static let definitions = [
        ClassDefinition(
            name: "City",
            properties: [
                .init(name: "id", type: PropertyType(.int)),
                .init(name: "name", type: PropertyType(.string), isIndexed: true),
                .init(name: "any", type: PropertyType(.any)),
            ], keyName: "id"),
        ClassDefinition(
            name: "Person",
            properties: [
                .init(name: "home", type: PropertyType(.link), targetName: "City"),
                .init(
                    name: "visited", type: PropertyType(.link, container: .list),
                    targetName: "City"),
                .init(name: "tags", type: PropertyType(.string, container: .set)),
                .init(name: "notes", type: PropertyType(.string, container: .map)),
                .init(name: "room", type: PropertyType(.link), targetName: "Room"),
                .init(name: "steps", type: PropertyType(.int, container: .list)),
            ],
            inverses: []),
        ClassDefinition(
            name: "Room", properties: [.init(name: "size", type: PropertyType(.int))],
            isEmbedded: true),
    ]

    /// The content of a file, including the results of its indexes.
    private struct Content: Hashable {
        var objects: [String: [RowID: [Value]]] = [:]
        /// The objects found by key, and by link.
        var found: [String: [RowID?]] = [:]

        init(_ store: Store) throws {
            let snapshot = try store.snapshot()
            for schema in snapshot.schema.classes {
                guard let table = snapshot.table(schema.id) else { continue }
                var rows: [RowID: [Value]] = [:]
                for row in try table.liveRowIDs() { rows[row] = try table.values(of: row) }
                objects[schema.name] = rows
                if schema.key != nil {
                    found[schema.name] = try (-1..<12).map { try table.row(forKey: .int($0)) }
                }
                for property in schema.properties where property.type.base == .link {
                    guard let target = property.type.target.flatMap({ snapshot.table($0) })
                    else { continue }
                    let sources = try snapshot.sources(
                        of: target.liveRowIDs(), in: target.schema.id, through: property,
                        of: schema)
                    found["\(schema.name).\(property.name)"] = sources.rows
                }
            }
        }
    }

    private static func sample() throws -> (bytes: [UInt8], content: Content) {
        let disk = SimulatedFileSystem()
        let services = disk.services(entropySeed: 1)
        let creation = try Store.create(
            path, services: services, options: Sample.options(rowsPerGroup: 4))
        let transaction = try creation.store.beginWrite()
        let classes = try transaction.addClasses(definitions)
        var cities: [Value] = []
        for number in 0..<10 {
            let key = Int64(number * 7 % 10)
            let row = try transaction.create(
                in: classes[0].id,
                [
                    .int(key), .string("city \(key)"),
                    number == 0 ? .list([.int(1), .map(["a": .string("b")])]) : .int(key),
                ])
            cities.append(.link(ObjectReference(classID: classes[0].id, rowID: row)))
        }
        for number in 0..<7 {
            let room = try transaction.create(in: classes[2].id, [.int(Int64(number))])
            try transaction.create(
                in: classes[1].id,
                [
                    cities[number], .list([cities[9], cities[number % 3], cities[9]]),
                    .set([.string("a"), .string("t\(number)")]),
                    .map(["k": .string("v"), "n\(number)": .string("w")]),
                    .link(ObjectReference(classID: classes[2].id, rowID: room)),
                    // The longest ones have a tree of their own.
                    .list((0..<(number == 4 ? 1100 : 2)).map { .int($0 * $0 % 1000) }),
                ])
        }
        _ = try transaction.commit()
        try creation.publish()
        var options = StoreOptions()
        options.logging = .never
        let store = try Store.open(path, readOnly: false, services: services, options: options)
        let change = try store.beginWrite()
        try change.delete(RowID(5), in: classes[0].id)
        _ = try change.commit()
        try expectSound(store)
        return (try #require(disk.contents(of: path)), try Content(store))
    }

    private static func read(_ bytes: [UInt8]) -> Result<Content, any Error> {
        RunCounters.damagedFiles.add(1)
        return Result {
            let disk = SimulatedFileSystem()
            disk.setContents(of: path, to: bytes)
            return try Content(
                Store.open(path, readOnly: true, services: disk.services(entropySeed: 2)))
        }
    }

    @Test("A page with any byte changed gives an error or the same content")
    func everyByte() throws {
        let (bytes, content) = try ObjectDamageTests.sample()
        try #require(content.objects["Person"]?.count == 7 && content.found.count >= 4)
        var generator = SplitMix64(seed: 8 + TestScale.firstSeed)
        let step = max(1, 6 / TestScale.factor)
        let first = Superblock.headerByteCount + Int(TestScale.firstSeed % UInt64(step))
        var refused = 0
        for offset in stride(from: first, to: bytes.count, by: step) {
            var damaged = bytes
            let mask = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
            damaged[offset] ^= mask
            switch ObjectDamageTests.read(damaged) {
            case .success(let found):
                #expect(found == content, "wrong contents after bits \(mask) of byte \(offset)")
            case .failure(let error):
                refused += 1
                #expect((error as? StoreError)?.code == .corrupt, "byte \(offset): \(error)")
            }
        }
        #expect(refused > (bytes.count - first) / step / 10, "hardly anything was noticed")
    }

    @Test("A zeroed page or two swapped pages never make a reader return wrong content")
    func everyPage() throws {
        let (bytes, content) = try ObjectDamageTests.sample()
        let pages = bytes.count / 512
        func page(_ number: Int) -> Range<Int> { number * 512..<(number + 1) * 512 }
        for number in Superblock.headerByteCount / 512..<pages {
            var zeroed = bytes
            zeroed.replaceSubrange(page(number), with: [UInt8](repeating: 0, count: 512))
            var exchanged = bytes
            let other = (number + 8) % pages
            exchanged.replaceSubrange(page(number), with: bytes[page(other)])
            exchanged.replaceSubrange(page(other), with: bytes[page(number)])
            for damaged in [zeroed, exchanged] {
                if case .success(let found) = ObjectDamageTests.read(damaged) {
                    #expect(found == content, "page \(number)")
                }
            }
        }
    }
}
