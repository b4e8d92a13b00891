import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

/// Bugs that random histories found, each with its story.
@Suite("The rules of objects")
struct ObjectRuleTests {
    private let folder = TemporaryFolder()

    /// A committed database: class Node with links of all kinds, and the embedded class Part.
    private func make() throws -> (Store, node: ClassSchema, part: ClassSchema) {
        let creation = try Store.create(
            folder("rules.firn"), options: Sample.options(rowsPerGroup: 8))
        let transaction = try creation.store.beginWrite()
        let schemas = try transaction.addClasses([
            ClassDefinition(
                name: "Node",
                properties: [
                    .init(name: "n", type: PropertyType(.int)),
                    .init(
                        name: "list", type: PropertyType(.link, container: .list),
                        targetName: "Node"),
                    .init(name: "any", type: PropertyType(.any, container: .set)),
                    .init(name: "one", type: PropertyType(.link), targetName: "Part"),
                    .init(name: "two", type: PropertyType(.link), targetName: "Part"),
                    .init(name: "next", type: PropertyType(.link), targetName: "Node"),
                ],
                inverses: [
                    .init(name: "before", sourceClassName: "Node", sourcePropertyName: "next")
                ]),
            ClassDefinition(
                name: "Part", properties: [.init(name: "x", type: PropertyType(.int))],
                isEmbedded: true),
        ])
        _ = try transaction.commit()
        try creation.publish()
        return (try Store.open(folder("rules.firn"), readOnly: false), schemas[0], schemas[1])
    }

    private static func values(_ number: Int64, any: [Value] = [], next: Value = .null) -> [Value] {
        [.int(number), .list([]), .set(any), .null, .null, next]
    }

    private func code(_ body: () throws -> Void) -> StoreError.Code? {
        #expect(throws: StoreError.self, performing: body)?.code
    }

    /// The link was recorded before the position was checked.
    @Test("A refused position leaves no link")
    func refusedPosition() throws {
        let (store, node, _) = try make()
        let transaction = try store.beginWrite()
        let row = try transaction.create(in: node.id, ObjectRuleTests.values(1))
        let link = Value.link(ObjectReference(classID: node.id, rowID: row))
        let list = node.properties[1]
        for edit in [CollectionEdit.insert(3, link), .replace(0, link), .remove(-1)] {
            #expect(
                code { try transaction.edit(list.id, of: row, in: node.id, edit) } == .invalidValue)
        }
        _ = try transaction.commit()
        try expectSound(store)
    }

    /// Each property was checked separately.
    @Test("An embedded object belongs to one property only")
    func twoParents() throws {
        let (store, node, part) = try make()
        let transaction = try store.beginWrite()
        let child = try transaction.create(in: part.id, [.int(1)])
        var values = ObjectRuleTests.values(1)
        values[3] = .link(ObjectReference(classID: part.id, rowID: child))
        values[4] = values[3]
        #expect(code { try transaction.create(in: node.id, values) } == .embeddedParent)
        values[4] = .null
        try transaction.create(in: node.id, values)
        _ = try transaction.commit()
        try expectSound(store)
    }

    /// Two elements that differ only in a link to the deleted object become one, whose other link
    /// then counts once.
    @Test("Elements of a set of Any that become equal are merged")
    func joinedElements() throws {
        let (store, node, _) = try make()
        let transaction = try store.beginWrite()
        let links = try (0..<3).map { number in
            Value.link(
                ObjectReference(
                    classID: node.id,
                    rowID: try transaction.create(in: node.id, ObjectRuleTests.values(number))))
        }
        let holder = try transaction.create(
            in: node.id,
            ObjectRuleTests.values(
                3,
                any: [
                    .list([links[0], links[2]]), .list([links[1], links[2]]), links[0], links[1],
                ])
        )
        try transaction.delete([RowID(0), RowID(1)], in: node.id)
        let value = try transaction.values(of: holder, in: node.id)?[2]
        #expect(value == .set([.null, .list([.null, links[2]])]))
        _ = try transaction.commit()
        try expectSound(store)
    }

    /// Columns were written in the order of the schema, but readers expect the order of the
    /// identities.
    @Test("A file stays readable after a property changes its type")
    func retypedColumn() throws {
        let (store, node, _) = try make()
        let transaction = try store.beginWrite()
        for number in 0..<20 {
            try transaction.create(in: node.id, ObjectRuleTests.values(Int64(number)))
        }
        let text = ClassDefinition.Property(name: "n", type: PropertyType(.string))
        try transaction.retypeProperty(node.properties[0].id, of: node.id, to: text) { value in
            .string("\(value)")
        }
        _ = try transaction.commit()
        try expectSound(store)
        #expect(try store.snapshot().table(node.id)?.liveRowCount == 20)
    }

    @Test("A type change that fails halfway is undone, and one that succeeds can be rolled back")
    func failedRetype() throws {
        let (store, node, _) = try make()
        let transaction = try store.beginWrite()
        for number in 0..<20 {
            try transaction.create(in: node.id, ObjectRuleTests.values(Int64(number)))
        }
        let before = transaction.schema
        var count = 0
        let list = ClassDefinition.Property(
            name: "next", type: PropertyType(.link, container: .list), targetName: "Node")
        let error = code {
            try transaction.retypeProperty(node.properties[5].id, of: node.id, to: list) {
                value throws(StoreError) in
                count += 1
                if count == 10 { throw StoreError(.invalidValue, path: "", detail: "no") }
                return .list([])
            }
        }
        #expect(error == .invalidValue)
        #expect(transaction.schema == before)
        let taken = ClassDefinition.Property(name: "any", type: PropertyType(.string))
        #expect(
            code {
                try transaction.retypeProperty(node.properties[0].id, of: node.id, to: taken) { $0 }
            } == .invalidSchema)
        try transaction.retypeProperty(node.properties[5].id, of: node.id, to: list) { _ in
            .list([])
        }
        let made = try #require(transaction.schema[node.id]?.propertyNamed("next"))
        #expect(transaction.schema[node.id]?.inverses.first?.sourceProperty == made.id)
        _ = try transaction.commit()
        try expectSound(store)
    }

    @Test("A bulk load of embedded objects is refused, because they would have no parents")
    func embeddedLoad() throws {
        let (store, _, part) = try make()
        let transaction = try store.beginWrite()
        #expect(code { _ = try transaction.bulkLoader(for: part.id) } == .embeddedParent)
    }

    @Test("Embedded objects without a parent are removed with their class")
    func removedOrphans() throws {
        let (store, node, part) = try make()
        let transaction = try store.beginWrite()
        try transaction.create(in: part.id, [.int(1)])
        for property in node.properties[3...4] {
            try transaction.removeProperty(property.id, of: node.id)
        }
        try transaction.removeClass(part.id)
        _ = try transaction.commit()
        try expectSound(store)
    }
}
