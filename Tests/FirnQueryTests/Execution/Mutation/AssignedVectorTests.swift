import FirnCodec
import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

/// Assignments of computed values, which are made in vectors where the property has a vector type.
///
/// An expected value is that of a query with the same expression.
@Suite("Assigned vectors")
struct AssignedVectorTests {
    private static let assignments = [
        ("d", "d * 1.5"), ("d", "i + 1"), ("f", "d"), ("f", "i"), ("f", "round(f, 1)"),
        ("f", "f / 3"), ("i", "i - 7"), ("i", "od"),
        ("od", "oi"), ("oi", "i"), ("t", "upper(t)"), ("ot", "t + 'x'"), ("b", "i > 40"),
        ("at", "at + 1 d"), ("u", "u"), ("m", "m * 2"), ("small", "i % 100"), ("a", "i"),
        ("a", "t"), ("tags", "tags"), ("d", "5"), ("t", "'same'"), ("oi", "nil"), ("od", "-0.0"),
    ]

    private func make(_ path: String, memory: Int) throws -> Store {
        var options = StoreOptions()
        options.rowsPerGroup = 256
        options.checkpointsInBackground = false
        options.statementByteCount = memory
        let creation = try Store.create(path, services: .real, options: options)
        let transaction = try creation.store.beginWrite()
        func property(
            _ name: String, _ base: ValueTag, optional: Bool = false, width: IntegerWidth = .bits64,
            container: PropertyType.Container = .single
        ) -> ClassDefinition.Property {
            .init(
                name: name,
                type: PropertyType(
                    base, isOptional: optional, container: container, integerWidth: width))
        }
        let type = try transaction.addClass(
            ClassDefinition(
                name: "Row",
                properties: [
                    property("i", .int), property("oi", .int, optional: true),
                    property("d", .double), property("od", .double, optional: true),
                    property("f", .float), property("t", .string),
                    property("ot", .string, optional: true), property("b", .bool),
                    property("at", .date), property("u", .uuid), property("m", .decimal128),
                    property("small", .int, width: .bits8), property("a", .any, optional: true),
                    property("tags", .string, container: .list),
                ]))
        var random = SplitMix64(seed: 7)
        for number in 0..<1000 {
            let int = Int64(random.next() % 100)
            func maybe(_ value: Value) -> Value { random.happens(oneIn: 5) ? .null : value }
            try transaction.create(
                in: type.id,
                [
                    .int(int), maybe(.int(int)),
                    .double([.nan, -0.0, 0.1, 3][Int(int % 4)]), maybe(.double(Double(int))),
                    .float(Float(int) / 4), .string("text \(int % 9) é"), maybe(.string("t\(int)")),
                    .bool(int % 2 == 0), .date(Timestamp(seconds: int, nanoseconds: int % 3)),
                    .uuid(UUID(high: UInt64(int), low: 1)), .decimal128(Decimal128("1.50")!),
                    .int(int % 50), maybe(int % 2 == 0 ? .int(int) : .string("a")),
                    .list([.string("x\(int % 3)")]),
                ])
            if number % 3 == 0 { try transaction.delete(RowID(UInt64(number)), in: type.id) }
        }
        _ = try transaction.commit()
        try creation.publish()
        return creation.store
    }

    private func values(_ text: String, _ snapshot: Snapshot) throws -> [Value] {
        let rows = try DatabaseSnapshot(snapshot, now: Timestamp(seconds: 0)).query(text)
        var values: [Value] = []
        while let batch = try rows.next() {
            for row in 0..<batch.rowCount { values.append(batch.vectors[0].value(at: row)) }
        }
        return values
    }

    @Test(
        "Each object gets the value of the expression, or nothing changes if one value does not fit",
        arguments: [256 << 20, 64 << 10], ["", "i < 60", "i % 2 == 0 SORT(t DESC)"])
    func differential(memory: Int, condition: String) throws {
        let folder = TemporaryFolder()
        let store = try make(folder("rows.firn"), memory: memory)
        let database = Database(store)
        var succeeded = 0
        for (name, expression) in Self.assignments {
            let note = "\(condition): \(name) = \(expression)"
            let transaction = try database.beginWrite()
            defer { transaction.rollback() }
            let before = try transaction.snapshot()
            let ids = try values("Row \(condition) | select(@id)", before)
            let old = try values("Row \(condition) | select(\(name))", before)
            let expected = try? values("Row \(condition) | select(\(expression))", before)
            let outcome: MutationOutcome
            do throws(QueryFailure) {
                outcome = try database.run(
                    "Row \(condition) | set \(name) = \(expression)", in: transaction)
            } catch {
                guard case .query = error else { throw error }
                for property in ["i", "oi", "d", "od", "small", "t"] {
                    let text = "Row | select(\(property))"
                    #expect(
                        try values(text, before) == values(text, transaction.snapshot()), "\(note)")
                }
                continue
            }
            succeeded += 1
            let after = try transaction.snapshot()
            #expect(outcome.matched == ids.count, "\(note)")
            var changed = 0
            let type = try #require(after.schema.classNamed("Row"))
            let table = try #require(after.table(type.id))
            let property = try #require(type.propertyNamed(name))
            let index = try #require(type.index(of: property.id))
            let fitting = FittingValue(property: property, range: SourceRange(0..<0))
            for (position, id) in ids.enumerated() {
                guard case .int(let row) = id else { continue }
                let stored = try #require(try table.values(of: RowID(UInt64(row))))[index]
                let computed = try #require(expected)[position]
                let wanted = try fitting.value(
                    computed, of: PropertyType(computed.isNull ? .int : computed.tag))
                #expect(stored == wanted, "\(note), row \(row)")
                if stored != old[position] { changed += 1 }
            }
            #expect(outcome.changed == changed, "\(note)")
            #expect(outcome.rows.count == changed, "\(note)")
        }
        #expect(succeeded >= 18)
        try store.close()
        withExtendedLifetime(folder) {}
    }
}
