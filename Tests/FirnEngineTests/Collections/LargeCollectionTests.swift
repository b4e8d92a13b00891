import FirnCodec
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Large collections")
struct LargeCollectionTests {
    private static let row = RowID(9)

    private static func collection(
        _ entries: [CollectionEntry], _ container: PropertyType.Container
    ) throws -> LargeCollection {
        let fixture = try TreeFixture()
        let tree = try fixture.build(
            try entries.map { try $0.treeEntry(row: row, path: "") }, nodeByteCount: 300)
        return try LargeCollection(tree, row: row, container: container)
    }

    /// One list of values for every kind of element.
    private static let kinds: [(ValueTag, [Value])] = [
        (.bool, [.bool(true), .null, .bool(false)]),
        (.int, [.int(5), .int(.min), .null]),
        (.float, [.float(1.5), .float(-0.0), .null]),
        (.double, [.double(.infinity), .double(0.1)]),
        (.string, [.string(""), .string("a\u{0}b"), .null]),
        (.data, [.data([]), .data([1, 0xFF])]),
        (.date, [.date(Timestamp(seconds: -1, nanoseconds: 7))]),
        (.uuid, [.uuid(UUID(high: 1, low: .max))]),
        (.objectID, [.objectID(ObjectID(high: 3, low: 4))]),
        (.any, [.int(1), .string("x"), .null, .list([.int(1), .map(["k": .null])])]),
    ]

    @Test("A large collection fills vectors of every element type")
    func kinds() throws {
        for (kind, values) in LargeCollectionTests.kinds {
            let many = (0..<120).map { values[$0 % values.count] }
            let list = try LargeCollectionTests.collection(many.map { CollectionEntry($0) }, .list)
            var vector = ColumnVector(kind: kind)
            var keys: ColumnVector?
            try list.append(10..<110, values: &vector, keys: &keys)
            #expect(vector.count == 100)
            #expect((0..<100).map { vector.value(at: $0) } == Array(many[10..<110]), "\(kind)")
        }
    }

    @Test("A large list of links fills a vector of rows with the targets")
    func links() throws {
        let links = (0..<50).map { number in
            CollectionEntry(
                .link(ObjectReference(classID: ClassID(3), rowID: RowID(UInt64(number) * 3))))
        }
        let list = try LargeCollectionTests.collection(links, .list)
        var vector = ColumnVector(kind: .int)
        var keys: ColumnVector?
        try list.append(0..<50, values: &vector, keys: &keys)
        #expect(vector.ints == (0..<50).map { $0 * 3 })
    }

    @Test("A large map fills vectors with its keys and values")
    func maps() throws {
        let entries = (100..<180).map { CollectionEntry(key: "é\($0)", .int(Int64($0))) }
        let map = try LargeCollectionTests.collection(entries, .map)
        var vector = ColumnVector(kind: .int)
        var keys: ColumnVector? = ColumnVector(kind: .string)
        try map.append(0..<80, values: &vector, keys: &keys)
        #expect(vector.ints == Array(100..<180))
        #expect((0..<80).map { keys?.value(at: $0) } == (100..<180).map { .string("é\($0)") })
    }

    @Test("Wrong elements and broken keys or values give an error, never a trap")
    func damaged() throws {
        let list = try LargeCollectionTests.collection([CollectionEntry(.int(1))], .list)
        for kind in [ValueTag.string, .double, .bool, .uuid] {
            var vector = ColumnVector(kind: kind)
            var keys: ColumnVector?
            let error = #expect(throws: StoreError.self) {
                try list.append(0..<1, values: &vector, keys: &keys)
            }
            #expect(error?.code == .corrupt)
        }
        let key = TreeKey.element(row: LargeCollectionTests.row)
        let good = try CollectionEntry(.int(1)).treeEntry(row: LargeCollectionTests.row, path: "")
        let bad: [(TreeEntry, PropertyType.Container)] = [
            (TreeEntry(key: key), .list), (TreeEntry(key: key, value: [0xEE]), .set),
            (TreeEntry(key: key, value: good.value + [0]), .list),
            (TreeEntry(key: key + [65], value: good.value), .list),
            (TreeEntry(key: key + [0xFF], value: good.value), .map),
        ]
        for (entry, container) in bad {
            let fixture = try TreeFixture()
            let tree = try fixture.build([entry], nodeByteCount: 300)
            let collection = try LargeCollection(
                tree, row: LargeCollectionTests.row, container: container)
            #expect(collection.count == 1)
            let error = #expect(throws: StoreError.self) { try collection.entry(at: 0) }
            #expect(error?.code == .corrupt)
        }
    }

    @Test("A large collection is checked element by element")
    func check() throws {
        func findings(
            _ entries: [TreeEntry], _ container: PropertyType.Container
        ) throws -> (messages: [String], rows: [RowID: Int]) {
            let fixture = try TreeFixture()
            let tree = try fixture.build(entries, nodeByteCount: 300)
            var check = CollectionTreeCheck(tree, container: container)
            var rows: [RowID: Int] = [:]
            try check.run { row, count in rows[row] = count }
            return (check.findings.map(\.message), rows)
        }
        func element(_ row: UInt64, _ value: Value, key: String? = nil) throws -> TreeEntry {
            try CollectionEntry(key: key, value).treeEntry(row: RowID(row), path: "")
        }
        let sound = try [
            element(1, .int(1)), element(1, .double(1.5)), element(1, .int(2)), element(7, .int(0)),
        ]
        #expect(try findings(sound, .set).messages == [])
        #expect(try findings(sound, .set).rows == [RowID(1): 3, RowID(7): 1])
        #expect(try findings([], .set).rows.isEmpty)
        #expect(try findings(sound.reversed().suffix(3).map { $0 }, .list).messages == [])
        #expect(try findings(sound.reversed().suffix(3).map { $0 }, .set).messages.count == 2)
        #expect(try findings([sound[0], sound[0]], .set).messages.count == 1)
        let twice = try [element(1, .int(1), key: "a"), element(1, .int(2), key: "a")]
        #expect(try findings(twice, .map).messages.count == 1)
        #expect(try findings(twice, .list).messages.count == 2)
        #expect(try findings([TreeEntry(key: [1, 2])], .list).messages.count == 1)
    }

    @Test("A large collection with edits fills vectors like one without edits")
    func edited() throws {
        let list = try LargeCollectionTests.collection(
            (0..<90).map { CollectionEntry(.int($0)) }, .list)
        var edited = EditedCollection(list)
        edited.insert(CollectionEntry(.null), at: 50)
        edited.remove(at: 0)
        var vector = ColumnVector(kind: .int)
        var keys: ColumnVector?
        try edited.append(47..<52, values: &vector, keys: &keys)
        let values: [Value] = [.int(48), .int(49), .null, .int(50), .int(51)]
        #expect((0..<5).map { vector.value(at: $0) } == values)
    }
}
