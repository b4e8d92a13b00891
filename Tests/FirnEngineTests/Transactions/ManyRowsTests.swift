import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Changes of many objects in one call against the same changes one by one, in two databases.
@Suite("Changes of many objects")
struct ManyRowsTests {
    private struct Setting: CustomStringConvertible {
        let seed: UInt64
        /// Whether transactions write pages from the first operation on.
        let isBulk: Bool
        /// Whether the keys descend, so that they need an index.
        let hasKeyIndex: Bool
        /// Whether bulk changes write new columns at once, as if there was no memory for them.
        var writesColumns = false

        var description: String {
            "seed \(seed), bulk \(isBulk), key index \(hasKeyIndex), writes \(writesColumns)"
        }

        static let all = TestScale.seeds(3).flatMap { seed in
            [false, true].flatMap { isBulk in
                [false, true].map { Setting(seed: seed, isBulk: isBulk, hasKeyIndex: $0) }
            } + [Setting(seed: seed, isBulk: true, hasKeyIndex: true, writesColumns: true)]
        }
    }

    /// A database of items that link to each other, and of notes that link to items.
    private final class Pair {
        let single: Store
        let many: Store

        init(_ folder: TemporaryFolder, _ setting: Setting) throws {
            single = try Pair.make(folder("single.firn"), setting)
            many = try Pair.make(folder("many.firn"), setting)
        }

        private static func make(_ path: String, _ setting: Setting) throws -> Store {
            var options = Sample.options(rowsPerGroup: 128)
            options.checkpointsInBackground = false
            if setting.isBulk { options.recordedByteCountMaximum = 0 }
            if setting.writesColumns { options.statementByteCount = 0 }
            let creation = try Store.create(path, services: .real, options: options)
            let transaction = try creation.store.beginWrite()
            let link = PropertyType(.link, isOptional: true)
            let types = try transaction.addClasses([
                ClassDefinition(
                    name: "Item",
                    properties: [
                        .init(name: "id", type: PropertyType(.int)),
                        .init(name: "name", type: PropertyType(.string, isOptional: true)),
                        .init(name: "score", type: PropertyType(.double, isOptional: true)),
                        .init(name: "next", type: link, targetName: "Item"),
                    ], keyName: "id"),
                ClassDefinition(
                    name: "Note",
                    properties: [
                        .init(name: "item", type: link, targetName: "Item"),
                        .init(
                            name: "items", type: PropertyType(.link, container: .list),
                            targetName: "Item"),
                        .init(name: "any", type: PropertyType(.any, isOptional: true)),
                    ]),
            ])
            try ManyRowsTests.create(0..<300, types[0], setting, transaction)
            for number in 0..<260 {
                let link = Value.link(
                    ObjectReference(classID: types[0].id, rowID: RowID(UInt64(number))))
                try transaction.create(
                    in: types[1].id,
                    [
                        number % 3 == 0 ? .null : link, .list(number % 5 == 0 ? [link, link] : []),
                        number % 4 == 0 ? link : .int(7),
                    ])
            }
            _ = try transaction.commit()
            try creation.publish()
            return creation.store
        }
    }

    private static func create(
        _ numbers: Range<Int>, _ type: ClassSchema, _ setting: Setting,
        _ transaction: WriteTransaction
    ) throws {
        for number in numbers {
            let next =
                number > 0
                ? Value.link(
                    ObjectReference(classID: type.id, rowID: RowID(0)))
                : .null
            let key = setting.hasKeyIndex ? 1_000_000 - number : number
            let target = try transaction.exists(RowID(0), in: type.id) ? next : .null
            try transaction.create(
                in: type.id,
                [
                    .int(Int64(key)), number % 5 == 0 ? .null : .string("name \(number % 9)"),
                    .double(Double(number) / 4), target,
                ])
        }
    }

    @Test(
        "Changes to many objects in one call equal the same changes one by one",
        arguments: Setting.all)
    private func sameResults(setting: Setting) throws {
        let folder = TemporaryFolder()
        let pair = try Pair(folder, setting)
        var generator = SplitMix64(seed: setting.seed)
        for step in 0..<10 {
            let seed = generator.next()
            let transactions = try [pair.single, pair.many].map { try $0.beginWrite() }
            for (transaction, isMany) in zip(transactions, [false, true]) {
                var choices = SplitMix64(seed: seed)
                try Self.change(transaction, isMany, setting, &choices)
            }
            if let single = transactions[0].recorded, let many = transactions[1].recorded {
                #expect(single.bytes == many.bytes, "\(setting), step \(step): the operations")
            }
            #expect(transactions[0].counts == transactions[1].counts)
            #expect(transactions[0].onlyRemoves == transactions[1].onlyRemoves)
            try compare(
                try transactions[0].snapshot(), try transactions[1].snapshot(),
                "\(setting), step \(step), before the commit")
            let before = try [pair.single, pair.many].map { try $0.snapshot() }
            for transaction in transactions { _ = try transaction.commit() }
            let after = try [pair.single, pair.many].map { try $0.snapshot() }
            let changes = try zip([pair.single, pair.many], zip(before, after)).map {
                try $0.changes(from: $1.0, to: $1.1)
            }
            #expect(changes[0].classes == changes[1].classes, "\(setting), step \(step): changes")
            try compare(after[0], after[1], "\(setting), step \(step)")
            try expectSound(pair.many)
        }
        try pair.many.close()
        try expectSound(try Store.open(folder("many.firn"), readOnly: true))
    }

    /// Makes random changes.
    private static func change(
        _ transaction: WriteTransaction, _ isMany: Bool, _ setting: Setting,
        _ generator: inout SplitMix64
    ) throws {
        let schema = transaction.schema
        guard let item = schema.classNamed("Item"), let note = schema.classNamed("Note") else {
            throw TestFailure("a class is missing")
        }
        for _ in 0..<3 {
            let type = generator.happens(oneIn: 3) ? note : item
            let share = generator.next() % 4
            let rows = (0..<700).map { RowID($0) }.filter { row in
                switch share {
                case 0: generator.happens(oneIn: 2)
                case 1: !generator.happens(oneIn: 10)
                case 2: row.rawValue < 250
                default: generator.happens(oneIn: 9)
                }
            }
            let existing = try rows.filter { try transaction.exists($0, in: type.id) }
            switch generator.next() % 4 {
            case 0:
                let next = Int(try transaction.nextRowID(in: item.id).rawValue)
                try create(next..<next + 90, item, setting, transaction)
            case 1: try delete(existing, type, isMany, transaction)
            default:
                let property = item.properties[Int(1 + generator.next() % 2)]
                let rows = try rows.filter { try transaction.exists($0, in: item.id) }
                try set(property, rows, item, isMany, transaction, &generator)
            }
        }
    }

    private static func delete(
        _ rows: [RowID], _ type: ClassSchema, _ isMany: Bool, _ transaction: WriteTransaction
    ) throws {
        if isMany { return try transaction.delete(rows, in: type.id) }
        for row in rows { try transaction.delete(row, in: type.id) }
    }

    private static func set(
        _ property: PropertySchema, _ rows: [RowID], _ type: ClassSchema, _ isMany: Bool,
        _ transaction: WriteTransaction, _ generator: inout SplitMix64
    ) throws {
        let isConstant = generator.happens(oneIn: 2)
        let salt = generator.next() % 1000
        var changed: [RowID] = []
        var values: [Value] = []
        for row in rows {
            let number = isConstant ? salt : salt + row.rawValue % 17
            let value: Value =
                number % 11 == 0
                ? .null
                : property.type.base == .string
                    ? .string("text \(number)") : .double(Double(number) * 1.5)
            guard try transaction.value(of: property, of: row, in: type) != value else { continue }
            changed.append(row)
            values.append(value)
        }
        if isMany, salt % 2 == 0 {
            var vector = ColumnVector(kind: property.columnKind)
            for value in values { vector.append(value) }
            return try transaction.set(property.id, of: changed, in: type.id, to: vector)
        }
        if isMany {
            return try transaction.set(property.id, of: changed, in: type.id, to: values)
        }
        for (row, value) in zip(changed, values) {
            try transaction.set(property.id, of: row, in: type.id, to: value)
        }
    }

    /// Compares the objects, the keys and the links of two versions.
    private func compare(_ single: Snapshot, _ many: Snapshot, _ comment: String) throws {
        for type in single.schema.classes {
            let left = try #require(single.table(type.id))
            let right = try #require(many.table(type.id))
            #expect(left.liveRowCount == right.liveRowCount, "\(comment): \(type.name)")
            let rows = try left.liveRowIDs()
            #expect(try right.liveRowIDs() == rows, "\(comment): \(type.name)")
            for row in rows {
                let values = try left.values(of: row)
                guard try right.values(of: row) == values else {
                    throw TestFailure("\(comment): \(type.name) \(row)")
                }
                if let key = type.keyProperty.flatMap({ type.index(of: $0.id) }),
                    let value = values?[key]
                {
                    #expect(try right.row(forKey: value) == row, "\(comment): key \(value)")
                }
            }
            for property in type.properties where property.mayLink {
                let targets = try single.schema.classNamed("Item").flatMap {
                    try single.table($0.id)?.liveRowIDs()
                }
                guard let item = single.schema.classNamed("Item"), let targets else { continue }
                let expected = try single.sources(
                    of: targets, in: item.id, through: property, of: type)
                let found = try many.sources(
                    of: targets, in: item.id, through: property, of: type)
                #expect(found.rows == expected.rows, "\(comment): links of \(property.name)")
                #expect(found.offsets == expected.offsets)
            }
        }
    }

    @Test("A change to many objects is rejected as a whole if one of them does not exist")
    func missing() throws {
        let setting = Setting(seed: 1, isBulk: false, hasKeyIndex: false)
        let folder = TemporaryFolder()
        let pair = try Pair(folder, setting)
        let transaction = try pair.many.beginWrite()
        let item = try #require(transaction.schema.classNamed("Item"))
        let rows = (0..<200).map { RowID($0) } + [RowID(5_000)]
        let before = try transaction.snapshot()
        let values = rows.map { _ in Value.double(-1) }
        let setError = #expect(throws: StoreError.self) {
            try transaction.set(item.properties[2].id, of: rows, in: item.id, to: values)
        }
        #expect(setError?.code == .unknownObject)
        let wrong = #expect(throws: StoreError.self) {
            try transaction.set(
                item.properties[2].id, of: Array(rows.dropLast()), in: item.id,
                to: values.dropLast(2) + [.string("no number")])
        }
        #expect(wrong?.code == .typeMismatch)
        var vector = ColumnVector(kind: .double)
        for value in values { vector.append(value) }
        let vectorError = #expect(throws: StoreError.self) {
            try transaction.set(item.properties[2].id, of: rows, in: item.id, to: vector)
        }
        #expect(vectorError?.code == .unknownObject)
        let wrongKind = #expect(throws: StoreError.self) {
            try transaction.set(item.properties[1].id, of: rows, in: item.id, to: vector)
        }
        #expect(wrongKind?.code == .typeMismatch)
        let deleteError = #expect(throws: StoreError.self) {
            try transaction.delete(rows, in: item.id)
        }
        #expect(deleteError?.code == .unknownObject)
        try compare(before, try transaction.snapshot(), "after rejected changes")
        withExtendedLifetime(folder) {}
    }

    /// The column of a property that `alter` had added was built once per object, so a statement
    /// took as many steps as the square of the objects of a row group.
    @Test("The column of a newer property takes no memory per row and has the default value")
    func newerProperty() throws {
        let setting = Setting(seed: 1, isBulk: true, hasKeyIndex: false)
        let folder = TemporaryFolder()
        let pair = try Pair(folder, setting)
        let transaction = try pair.many.beginWrite()
        let item = try #require(transaction.schema.classNamed("Item"))
        let added = try transaction.addProperty(
            .init(name: "added", type: PropertyType(.string, isOptional: true)), to: item.id,
            defaultValue: .string("new"))
        let type = try #require(transaction.schema[item.id])
        for group in try #require(transaction.snapshot().table(item.id)).rowGroups() {
            #expect(try group.column(added).memoryByteCount < 512)
            #expect(try group.column(added).value(at: 5) == .string("new"))
            #expect(try group.value(of: added, at: 5) == .string("new"))
        }
        let rows = (0..<300).map { RowID($0) }
        try transaction.set(
            added.id, of: rows, in: item.id, to: rows.map { .string("\($0.rawValue % 50)") })
        _ = try transaction.commit()
        let table = try #require(try pair.many.snapshot().table(item.id))
        let index = try #require(type.index(of: added.id))
        for row in rows {
            #expect(try table.values(of: row)?[index] == .string("\(row.rawValue % 50)"))
        }
        try expectSound(pair.many)
        withExtendedLifetime(folder) {}
    }

    @Test(
        "Columns written before the commit take no space if a later step replaces or drops them"
    )
    func unusedColumns() throws {
        let setting = Setting(seed: 1, isBulk: true, hasKeyIndex: false, writesColumns: true)
        let folder = TemporaryFolder()
        let pair = try Pair(folder, setting)
        let transaction = try pair.many.beginWrite()
        let item = try #require(transaction.schema.classNamed("Item"))
        let (name, score) = (item.properties[1].id, item.properties[2].id)
        let rows = (0..<300).map { RowID($0) }
        for factor in [1.0, 2.0, 3.0] {
            try transaction.set(
                score, of: rows, in: item.id,
                to: rows.map { .double(Double($0.rawValue) * factor) })
        }
        let written = transaction.columnSpill.written.count
        #expect(written == 6, "three row groups, twice; the first change is still recorded")
        #expect(throws: StoreError.self) {
            try transaction.fill(name, of: item.id) { view throws(StoreError) in
                guard view.firstRowID == RowID(0) else {
                    throw StoreError(.inputOutput, path: "", detail: "the test stops here")
                }
                return (0..<view.rowCount).map { _ in .string("rejected") }
            }
        }
        #expect(transaction.columnSpill.written.count == written + 1)
        let added = try transaction.addProperty(
            .init(name: "added", type: PropertyType(.int, isOptional: true)), to: item.id)
        try transaction.set(added.id, of: rows, in: item.id, to: rows.map { _ in .int(1) })
        try transaction.removeProperty(added.id, of: item.id)
        // The first row group is written again without its deleted rows.
        try transaction.delete((0..<100).map { RowID($0) }, in: item.id)
        _ = try transaction.commit()
        let table = try #require(try pair.many.snapshot().table(item.id))
        for row in rows.dropFirst(100) {
            let values = try table.values(of: row)
            #expect(values?[2] == .double(Double(row.rawValue) * 3))
            #expect(values?[1] != .string("rejected"))
        }
        try expectSound(pair.many)
        withExtendedLifetime(folder) {}
    }

    @Test(
        "Deleting objects without incoming links in parts has the same result as at once",
        arguments: [false, true])
    func inParts(isBulk: Bool) throws {
        let folder = TemporaryFolder()
        var versions: [Snapshot] = []
        var recorded: [[UInt8]?] = []
        for isDivided in [false, true] {
            var options = Sample.options(rowsPerGroup: 128)
            if isBulk { options.recordedByteCountMaximum = 0 }
            let path = folder("parts \(isDivided).firn")
            let creation = try Store.create(path, services: .real, options: options)
            let transaction = try creation.store.beginWrite()
            let link = PropertyType(.link, isOptional: true)
            let types = try transaction.addClasses([
                ClassDefinition(
                    name: "Place",
                    properties: [.init(name: "id", type: PropertyType(.int))]),
                ClassDefinition(
                    name: "Visit",
                    properties: [
                        .init(name: "id", type: PropertyType(.int)),
                        .init(name: "place", type: link, targetName: "Place"),
                    ], keyName: "id"),
            ])
            for number in 0..<50 { try transaction.create(in: types[0].id, [.int(Int64(number))]) }
            for number in 0..<1_000 {
                let place = ObjectReference(
                    classID: types[0].id, rowID: RowID(UInt64(number % 50)))
                // Keys that do not ascend have an index.
                try transaction.create(
                    in: types[1].id, [.int(Int64(number * 7 % 1_000)), .link(place)])
            }
            _ = try transaction.commit()
            try creation.publish()
            let deletion = try creation.store.beginWrite()
            #expect(try deletion.canDeleteInParts(types[1].id))
            #expect(try !deletion.canDeleteInParts(types[0].id), "visits link to places")
            let rows = (0..<900).map { RowID($0) }
            for part in isDivided ? [rows[..<300], rows[300..<500], rows[500...]] : [rows[...]] {
                try deletion.delete(
                    Array(part), in: types[1].id, expecting: rows.count - part.endIndex)
            }
            recorded.append(deletion.recorded?.bytes)
            _ = try deletion.commit()
            try expectSound(creation.store)
            versions.append(try creation.store.snapshot())
        }
        #expect(recorded[0] == recorded[1])
        try compare(versions[0], versions[1], "in parts")
        let visit = try #require(versions[1].schema.classNamed("Visit"))
        let table = try #require(versions[1].table(visit.id))
        #expect(try table.liveRowIDs() == (900..<1_000).map { RowID($0) })
        #expect(try table.row(forKey: .int(5)) == nil, "row 715 is gone")
        withExtendedLifetime(folder) {}
    }
}
