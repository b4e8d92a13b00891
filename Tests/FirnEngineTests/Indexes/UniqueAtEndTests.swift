import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Unique values that are checked at the end")
struct UniqueAtEndTests {
    private static let path = "/ranks.firn"
    private let disk = SimulatedFileSystem()

    private func options(_ logging: StoreOptions.Logging) -> StoreOptions {
        var options = StoreOptions()
        options.rowsPerGroup = 16
        options.checkpointsInBackground = false
        options.logging = logging
        return options
    }

    /// Objects with the ranks 0, 1, and so on, and a text that is unique, too.
    private func make(
        _ count: Int, _ logging: StoreOptions.Logging = .always
    ) throws -> (store: Store, item: ClassSchema) {
        let creation = try Store.create(
            Self.path, services: disk.services(entropySeed: 1), options: options(logging))
        let transaction = try creation.store.beginWrite()
        let item = try transaction.addClass(
            ClassDefinition(
                name: "Item",
                properties: [
                    .init(name: "rank", type: PropertyType(.int, isOptional: true)),
                    .init(name: "text", type: PropertyType(.string, isOptional: true)),
                ],
                indexes: [.init(["rank"], options: .unique), .init(["text"], options: .unique)]))
        for number in 0..<count {
            try transaction.create(in: item.id, [.int(Int64(number)), .string("t\(number)")])
        }
        _ = try transaction.commit()
        try creation.publish()
        return (creation.store, item)
    }

    private func ranks(_ store: Store, _ item: ClassSchema) throws -> [Value] {
        let table = try #require(store.snapshot().table(item.id))
        return try table.liveRowIDs().compactMap { try table.values(of: $0)?[0] }
    }

    /// A copy of a file stopped at a commit that had exchanged two values.
    @Test("Two objects exchange their values", arguments: [StoreOptions.Logging.always, .never])
    func exchange(_ logging: StoreOptions.Logging) throws {
        let (store, item) = try make(3, logging)
        let rank = item.properties[0].id
        let refused = try store.beginWrite()
        #expect(throws: StoreError.self) {
            try refused.set(rank, of: RowID(0), in: item.id, to: .int(1))
        }
        refused.rollback()
        let transaction = try store.beginWrite()
        transaction.checksUniqueAtEnd = true
        try transaction.set(rank, of: RowID(0), in: item.id, to: .int(1))
        try transaction.set(rank, of: RowID(1), in: item.id, to: .int(0))
        _ = try transaction.commit()
        #expect(try ranks(store, item) == [.int(1), .int(0), .int(2)])
        try store.checkpoint()
        try expectSound(store)
    }

    @Test("A value that two objects have is refused by the commit, which names both")
    func refused() throws {
        let (store, item) = try make(3)
        let transaction = try store.beginWrite()
        transaction.checksUniqueAtEnd = true
        try transaction.set(item.properties[0].id, of: RowID(2), in: item.id, to: .int(0))
        try transaction.create(in: item.id, [.int(7), .string("new")])
        let error = #expect(throws: StoreError.self) { _ = try transaction.commit() }
        #expect(error?.code == .duplicateKey)
        #expect(error?.detail.contains("rank 0 is that of the objects with @id 0 and 2") == true)
        #expect(try ranks(store, item) == [.int(0), .int(1), .int(2)])
    }

    @Test("A step that is undone does not cancel the check of earlier values")
    func undone() throws {
        let (store, item) = try make(3)
        let transaction = try store.beginWrite()
        transaction.checksUniqueAtEnd = true
        try transaction.set(item.properties[0].id, of: RowID(2), in: item.id, to: .int(0))
        #expect(throws: StoreError.self) {
            try transaction.atomically { () throws(StoreError) in
                try transaction.delete(RowID(0), in: item.id)
                throw StoreError(.invalidValue, path: Self.path, detail: "the step is rejected")
            }
        }
        #expect(throws: StoreError.self) { _ = try transaction.commit() }
    }

    /// Nothing was claimed once the transaction wrote pages, so that only the commit found it.
    @Test("A transaction that writes pages detects duplicate values before its commit")
    func pages() throws {
        let (store, item) = try make(3)
        let transaction = try store.beginWrite()
        transaction.checksUniqueAtEnd = true
        try transaction.becomeBulk()
        try transaction.set(item.properties[0].id, of: RowID(2), in: item.id, to: .int(0))
        #expect(throws: StoreError.self) { try transaction.checkUniqueValues() }
        try transaction.set(item.properties[0].id, of: RowID(0), in: item.id, to: .int(2))
        try transaction.checkUniqueValues()
        transaction.checksUniqueAtEnd = false
        #expect(throws: StoreError.self) {
            try transaction.create(in: item.id, [.int(2), .string("new")])
        }
        _ = try transaction.commit()
        #expect(try ranks(store, item) == [.int(2), .int(1), .int(0)])
    }

    /// Each text was compared with all others, which took minutes.
    @Test("Many long strings with the same prefix are checked together", .timeLimit(.minutes(2)))
    func longTexts() throws {
        let (store, item) = try make(3_000)
        let text = String(repeating: "y", count: 600)
        let transaction = try store.beginWrite()
        transaction.checksUniqueAtEnd = true
        for row in 0..<3_000 {
            try transaction.set(
                item.properties[1].id, of: RowID(UInt64(row)), in: item.id,
                to: .string(text + "\(row)"))
        }
        try transaction.checkUniqueValues()
        try transaction.set(
            item.properties[1].id, of: RowID(7), in: item.id, to: .string(text + "2999"))
        let error = #expect(throws: StoreError.self) { try transaction.checkUniqueValues() }
        #expect(error?.detail.contains("@id 7 and 2999") == true)
    }

    /// A class that only an undone step had made the commit fail.
    @Test("The values of a class that was undone are not checked")
    func undoneClass() throws {
        let (store, item) = try make(1)
        let transaction = try store.beginWrite()
        transaction.checksUniqueAtEnd = true
        #expect(throws: StoreError.self) {
            try transaction.atomically { () throws(StoreError) in
                let other = try transaction.addClass(
                    ClassDefinition(
                        name: "Other", properties: [.init(name: "n", type: PropertyType(.int))],
                        indexes: [.init(["n"], options: .unique)]))
                try transaction.create(in: other.id, [.int(1)])
                throw StoreError(.invalidValue, path: Self.path, detail: "the step is rejected")
            }
        }
        try transaction.set(item.properties[0].id, of: RowID(0), in: item.id, to: .int(5))
        _ = try transaction.commit()
        #expect(try ranks(store, item) == [.int(5)])
    }

    /// Other databases keep the entry of a deleted object while a reader may see it, and count it.
    @Test("A value is free once its object is deleted, even while an old version is read")
    func oldReader() throws {
        let (store, item) = try make(3)
        let old = try store.snapshot()
        for _ in 0..<2 {
            let transaction = try store.beginWrite()
            let table = try #require(transaction.snapshot().table(item.id))
            let first = try table.liveRowIDs().first { try table.values(of: $0)?[0] == .int(0) }
            try transaction.delete(try #require(first), in: item.id)
            try transaction.create(in: item.id, [.int(0), .string("t0")])
            _ = try transaction.commit()
            try store.checkpoint()
        }
        let index = try #require(item.indexes.first)
        #expect(try old.table(item.id)?.reader(of: index)?.count == 3)
        #expect(try old.table(item.id)?.liveRowIDs() == [0, 1, 2].map { RowID($0) })
        try expectSound(store)
    }

    /// One random transaction, beside a model that has only the values.
    private func runTransaction(
        _ store: Store, _ item: ClassSchema, _ model: inout [RowID: [Value]],
        _ generator: inout SplitMix64, _ context: String
    ) throws {
        let transaction = try store.beginWrite()
        transaction.checksUniqueAtEnd = true
        var changed = model
        let valueCount = UInt64(model.count + 2)
        func value(_ column: Int) -> Value {
            if generator.happens(oneIn: 8) { return .null }
            let number = generator.next() % valueCount
            return column == 0 ? .int(Int64(number)) : .string("t\(number)")
        }
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let row = changed.keys.sorted().randomElement(using: &generator)
            switch (generator.next() % 8, row) {
            case (0, let row?):
                try transaction.delete(row, in: item.id)
                changed[row] = nil
            case (1, _):
                let values = [value(0), value(1)]
                changed[try transaction.create(in: item.id, values)] = values
            case (2, _) where generator.happens(oneIn: 4):
                try transaction.becomeBulk()
            case (3, let one?):
                // An exchange of all values is more likely to be unique than single changes.
                guard let other = changed.keys.sorted().randomElement(using: &generator),
                    let values = changed[one], let others = changed[other]
                else { continue }
                for (column, property) in item.properties.enumerated() {
                    try transaction.set(property.id, of: one, in: item.id, to: others[column])
                    try transaction.set(property.id, of: other, in: item.id, to: values[column])
                }
                (changed[one], changed[other]) = (others, values)
            case (_, let row?):
                let column = Int(generator.next() % 2)
                let value = value(column)
                try transaction.set(
                    item.properties[column].id, of: row, in: item.id, to: value)
                changed[row]?[column] = value
            default: break
            }
        }
        let isUnique = (0..<2).allSatisfy { column in
            let values = changed.values.map { $0[column] }.filter { !$0.isNull }
            return Set(values).count == values.count
        }
        if isUnique {
            _ = try transaction.commit()
            model = changed
        } else {
            let error = #expect(throws: StoreError.self, "\(context)") {
                _ = try transaction.commit()
            }
            #expect(error?.code == .duplicateKey, "\(context)")
        }
        let table = try #require(store.snapshot().table(item.id))
        for row in try table.liveRowIDs() {
            #expect(try table.values(of: row) == model[row], "\(context)")
        }
        #expect(table.liveRowCount == model.count, "\(context)")
    }

    @Test(
        "Random transactions are refused exactly if two objects end with the same value",
        arguments: TestScale.seeds(12))
    func random(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let (store, item) = try make(8)
        var model: [RowID: [Value]] = [:]
        for row in 0..<8 {
            model[RowID(UInt64(row))] = [.int(Int64(row)), .string("t\(row)")]
        }
        for number in 0..<TestScale.scaled(60) {
            try runTransaction(store, item, &model, &generator, "seed \(seed), \(number)")
            if generator.happens(oneIn: 10) { try store.checkpoint() }
        }
        try expectSound(store)
    }
}
